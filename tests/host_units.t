#!/bin/sh
# The unit tests of tests/host, under ASan and UBSan: one check a program.
. tests/lib.sh

# run_unit PROGRAM: its own TAP must be whole and without a failure.
run_unit() {
	timeout -k 5 120 "$1" > "$TEST_DIR/tap" 2>&1 || {
		echo "exit status $?"
		grep -v '^ok ' "$TEST_DIR/tap" | tail -n 40
		return 1
	}
	checks=$(grep -c '^ok ' "$TEST_DIR/tap")
	if grep '^not ok' "$TEST_DIR/tap"; then
		return 1
	fi
	grep -qx "1\\.\\.$checks" "$TEST_DIR/tap" || {
		echo "$checks checks, but the plan says:" \
			"$(grep '^1\.\.' "$TEST_DIR/tap")"
		return 1
	}
}

ok "make units" make -s units
for source in tests/host/*.c; do
	[ -e "$source" ] || continue
	name=$(basename "$source" .c)
	ok "$name" run_unit "$O/unit/$name"
done
finish
