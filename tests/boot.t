#!/bin/sh
# Booting: to a shell from the disk and from memory, on small and large
# machines, with parameters good and bad.
. tests/lib.sh

guest_ok "boots from the disk" --fsck -c 'echo hello; pwd; id -u'
is "runs commands in /data as root" "$out" "hello
/data
0"
guest --fsck -c 'exit 7'
is "the exit status comes back" "$status" 7
guest_ok "boots from the initramfs" --no-disk -c 'echo from memory'
is "the initramfs runs commands" "$out" "from memory"
guest_ok "boots with 16 MB" -m 16 --fsck -c 'echo small'
guest_ok "boots with 1 GB" -m 1024 --fsck -c 'grep MemTotal /proc/meminfo'
total=$(echo "$out" | tr -dc 0-9)
ok "the direct map holds what it can of 1 GB" \
	test "$total" -gt 850000 -a "$total" -lt 917504
guest_ok "boots without swap" -w 0 --fsck -c 'cat /proc/swaps'
is "no swap is listed" "$(echo "$out" | tail -n +2)" ""
guest_ok "swap is on" --fsck -c 'cat /proc/swaps'
like "swap is listed" "$out" '^/dev/hda2 +partition'

# ---- the banner

guest -v -a mem=64M -c 'cat /proc/cmdline; grep MemTotal /proc/meminfo'
is "boots with mem=64M" "$status" 0
total=$(echo "$out" | sed -n 's/^MemTotal: *\([0-9]*\).*/\1/p')
ok "mem= is obeyed" test "${total:-0}" -gt 48000 -a "${total:-0}" -le 65536
like "the banner names the disk" "$out" 'hda'
like "the banner names the policy" "$out" 'rmap[=: ]+pte_chain'
like "the command line is told" "$out" 'mem=64M'

# ---- parameters

for policy in rmap=pte_chain rmap=objrmap 'rmap=objrmap i_mmap=list_sorted' \
		'rmap=objrmap i_mmap=list'; do
	guest_ok "boots with $policy" --fsck -a "$policy" \
		-c "$MMCHECK; mmcheck"
done
guest -v -a 'rmap=nonsense' -c true
is "an unknown value: boots" "$status" 0
like "an unknown value: the valid ones are listed" "$out" \
	'nonsense.*pte_chain.*objrmap'
guest -v -a 'colour=blue' -c true
is "an unknown parameter: boots" "$status" 0
like "an unknown parameter is reported" "$out" \
	"Unknown boot parameter 'colour"
guest -v -t 20 -a 'root=/dev/hdz9' -c true
is "no such root: a panic" "$status" 125
like "no such root: is named" "$out" 'hdz9'
guest -v -a 'swap=/dev/hdz9' -w 0 -c true
is "no such swap: boots" "$status" 0
like "no such swap: is named" "$out" 'hdz9'
guest -v -a 'swap=LABEL=nowhere' -c true
is "no such swap label: boots" "$status" 0
like "no such swap label: is named" "$out" 'label nowhere'
guest_ok "boots with ide=pio" --fsck -a ide=pio -c 'echo pio'
guest_ok "boots with another CPU" --cpu coreduo --fsck -c 'echo coreduo'
guest_ok "instructions can be counted" -i --fsck -c 'echo counted'

# ---- a panic

guest -t 30 --append-init /bin/false -c true
is "init ends: a panic" "$status" 125
like "the panic names the reason" "$said" 'Kernel panic.*init'
like "the call trace is symbolised" "$said" '(do_exit|sys_exit)'
guest -t 30 --append-init /no/such/init -c true
is "no init: a panic" "$status" 125
like "no init: is named" "$said" '/no/such/init'
finish
