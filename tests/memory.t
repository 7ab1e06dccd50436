#!/bin/sh
# The whole under load: a machine smaller than what runs on it gives right
# answers and kills nothing; and what the kernel takes for itself in memory and
# in time.
. tests/lib.sh

# Fails if a task was killed for its memory, or if the checker finds anything.
SOUND="$MMCHECK
grep -x 'oom_kill 0' /proc/vmstat && mmcheck"

guest_ok "16 MB: rmap-test, and memhog with 24 MB" -m 16 -t 120 --fsck \
	-c "rmap-test -r -i 2 -n 10 -s 200 -t 5 foo && memhog 24 || exit
	$SOUND"
like "16 MB: memhog found its pages right" "$out" '^24 MB are right'

# ---- a file as large as memory, forks and shared mappings, all at once

LOAD='dd if=/bin/large of=copy bs=64k & dd=$!
memhog -f 3 -p 2 40 & memhog=$!
rmap-test -v -l -i 3 -n 40 -s 200 -t 5 foo & rmap=$!
wait $dd && wait $memhog && wait $rmap && cmp copy /bin/large || exit'

head -c 48M /dev/urandom > "$TEST_DIR/large"
for policy in rmap=pte_chain 'rmap=objrmap i_mmap=list'; do
	guest_ok "48 MB: dd, memhog and rmap-test, $policy" -m 48 -t 120 \
		--fsck -a "$policy" -f "$TEST_DIR/large" -c "$LOAD
		$SOUND"
	like "48 MB: memhog found its pages right, $policy" "$out" \
		'^40 MB are right'
	like "48 MB: rmap-test found its pages right, $policy" "$out" \
		'^all 8000 pages hold the right answer'
done

# ---- what the kernel takes for itself, of 256 MB

guest -k "$TEST_DIR/kept" -c 'grep MemFree /proc/meminfo'
free=$(echo "$out" | tr -dc 0-9)
used=$((262144 - ${free:-0}))
ok "at most 8 MB are in use at the prompt" test "$used" -le 8192
echo "# $used KB in use"

# Prints the nanoseconds until the commands begin. The disk is there already;
# what tools/guest does before it starts QEMU counts too.
boot_time() {
	started=$(date +%s%N)
	tools/guest -v --disk-image "$TEST_DIR/kept/disk.img" -c true |
		while read -r line; do
			case $line in
			*==BEGIN==) echo $(($(date +%s%N) - started)) ;;
			esac
		done
}
took=$(boot_time)
took=$((${took:-0} / 10000000))
ok "boots within 6 seconds; 3, where nothing else runs" \
	test "$took" -gt 0 -a "$took" -le 600
printf '# %d.%02d s\n' $((took / 100)) $((took % 100))
finish
