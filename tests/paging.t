#!/bin/sh
# More memory in use than there is: what goes out comes back as it was, under
# each reverse map, on machines from 16 MB up.
. tests/lib.sh

for policy in rmap=pte_chain 'rmap=objrmap i_mmap=list_sorted' \
		'rmap=objrmap i_mmap=list'; do
	guest_ok "swaptest in 32 MB, $policy" -m 32 -t 300 --fsck \
		-a "$policy" -c "swaptest && $MMCHECK
		mmcheck"
	guest_ok "memhog with children, $policy" -m 32 -t 300 --fsck \
		-a "$policy" -c "memhog -f 4 -p 2 -r 2000 40 && $MMCHECK
		mmcheck"
	guest_ok "files and memory together, $policy" -m 32 -t 300 --fsck \
		-a "$policy" -c "memhog -s -p 2 20 & cp /bin/busybox b
		rmap-test -l -i 2 -n 20 -s 200 -t 5 foo && wait &&
		cmp b /bin/busybox && $MMCHECK
		mmcheck"
	guest_ok "rmap-test in 16 MB, $policy" -m 16 -t 300 --fsck \
		-a "$policy" -c "rmap-test -l -i 1 -n 10 -s 200 -t 5 foo && $MMCHECK
		mmcheck"
done

guest -m 32 -w 0 -t 120 -v --fsck -c 'memhog 64; echo "memhog $?"; echo alive'
is "out of memory without swap: the machine goes on" "$status" 0
like "out of memory: the task is killed, not another" "$out" \
	'^memhog (137|1)$'
like "out of memory: the rest lives" "$out" '^alive$'
like "out of memory: is told with a reason" "$out" '[Oo]ut of memory'

guest_ok "swapoff brings everything back" -m 64 -t 120 --fsck \
	-c "memhog -p 20 60 & sleep 2; swapoff /dev/hda2; cat /proc/swaps
	swapon /dev/hda2 && wait && $MMCHECK
	mmcheck"
finish
