# For test scripts in shell: ". tests/lib.sh", then checks, then "finish".
# Each check prints a line of TAP and, when it fails, why. They are run from
# the top of the tree, by "make test" or by prove.
# shellcheck shell=sh

export PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin"
O=${O:-build}
I386=${I386:-build/i386}
TEST_DIR=$(mktemp -d)
trap 'rm -rf "$TEST_DIR"' EXIT
trap 'exit 1' INT TERM
test_count=0
test_failed=0

# Prints stdin as TAP comments.
diag() {
	sed 's/^/# /'
}

pass() {
	test_count=$((test_count + 1))
	echo "ok $test_count - $1"
}

fail() {
	test_count=$((test_count + 1))
	test_failed=$((test_failed + 1))
	echo "not ok $test_count - $1"
}

# skip NAME WHY: what cannot be tested here.
skip() {
	test_count=$((test_count + 1))
	echo "ok $test_count - $1 # SKIP $2"
}

# ok NAME COMMAND...: the command succeeds; its output explains a failure.
ok() {
	ok_name=$1
	shift
	if "$@" > "$TEST_DIR/said" 2>&1; then
		pass "$ok_name"
	else
		ok_status=$?
		fail "$ok_name"
		echo "# exit status $ok_status of: $*"
		tail -n 40 "$TEST_DIR/said" | diag
	fi
}

# is NAME FOUND EXPECTED
is() {
	if [ "$2" = "$3" ]; then
		pass "$1"
	else
		fail "$1"
		printf 'found:\n%s\nexpected:\n%s\n' "$2" "$3" | diag
	fi
}

# like NAME TEXT PATTERN: an extended regular expression matches a line.
like() {
	if printf '%s\n' "$2" | grep -qE -e "$3"; then
		pass "$1"
	else
		fail "$1"
		printf 'no line matches: %s\nin:\n%s\n' "$3" "$2" | diag
	fi
}

# unlike NAME TEXT PATTERN
unlike() {
	if printf '%s\n' "$2" | grep -qE -e "$3"; then
		fail "$1"
		printf 'a line matches: %s\nin:\n%s\n' "$3" "$2" | diag
	else
		pass "$1"
	fi
}

# guest OPTION...: boots one; sets $out (its output), $status, and $said (what
# tools/guest itself reported). Never fails by itself.
guest() {
	status=0
	out=$(tools/guest "$@" 2> "$TEST_DIR/said") || status=$?
	said=$(cat "$TEST_DIR/said")
}

# guest_ok NAME OPTION...: boots one, which must end with status 0 and, if it
# has a disk, a clean file system; prints why not. $out holds its output.
guest_ok() {
	guest_name=$1
	shift
	guest "$@"
	if [ "$status" = 0 ]; then
		pass "$guest_name"
		return
	fi
	fail "$guest_name"
	echo "# tools/guest ended with $status"
	printf '%s\n' "$said" | diag
	printf '%s\n' "$out" | tail -n 40 | diag
}

# MMCHECK: shell commands for the guest: run the checker, print what it finds
# and fail if it found anything.
MMCHECK='mmcheck() {
	echo 1 > /proc/sys/vm/check
	grep -vx ok /proc/sys/vm/check && return 1
	return 0
}'

finish() {
	echo "1..$test_count"
	[ "$test_failed" = 0 ]
	exit
}
