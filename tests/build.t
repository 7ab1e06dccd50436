#!/bin/sh
# What the build makes: the kernel's layout, its symbols, what depends on what.
. tests/lib.sh

K=$O/kernel.elf

# Prints "VIRTUAL PHYSICAL FILESIZE MEMSIZE FLAGS" of each load segment.
segments() {
	readelf -lW "$K" | sed -n 's/^ *LOAD *//p' |
		sed 's/ \(R\|RW\|RWE\|R E\) *0x[0-9a-f]*$/ \1/' |
		awk '{ print $2, $3, $4, $5, $6 $7 }'
}

# Each segment begins where the one before ends, and none is left short.
contiguous() {
	expected=$((0x100000))
	segments | while read -r _ physical _ size _; do
		[ $((physical)) = "$expected" ] || {
			printf 'gap at %#x, next segment at %s\n' \
				"$expected" "$physical"
			exit 1
		}
		expected=$((physical + size))
	done
}

like "a Multiboot header" \
	"$(grub-file --is-x86-multiboot "$K" && echo yes)" yes
ok "one contiguous load, from 1 MB" contiguous
is "the segments' rights" "$(segments | awk '{ printf "%s ", $5 }')" \
	"RE RE R RW "
is "the entry is a physical address" \
	"$(readelf -hW "$K" | sed -n 's/.*Entry point.*0x\(001\).*/\1/p')" ""
like "the entry is in the first page" "$(readelf -hW "$K")" \
	'Entry point address: *0x100[0-9a-f]{3}$'
unlike "no note sections" "$(readelf -SW "$K")" ' \.note'
unlike "no undefined symbols" "$(nm "$K")" ' U '
unlike "no 64-bit or SSE code" "$(objdump -d --no-show-raw-insn "$K")" '%xmm'

# The table that a panic reads against nm.
symbols() {
	sed -n 's/^	\.long \(0x[0-9a-f]*\), .*/\1/p' "$O/ksyms.s"
}
ok "the symbol table is sorted" sh -c "sed -n \
	's/^	\\.long 0x\\(c[0-9a-f]*\\), .*/\\1/p' $O/ksyms.s | sort -c"
is "kmain is in it" "$(grep -c '"kmain"' "$O/ksyms.s")" 1

is "a second make does nothing" "$(make -s 2>&1)" ""
like "a header is a dependency" "$(make -sn -W lib/types.h)" ' CC  *kernel/'
like "the flags are a dependency" "$(make -sn WERROR=1)" '  CC  *lib/string.c'
like "a compiler that is not there" "$(make -s CC=no-such-cc -n 2>&1)" \
	'no no-such-cc'

ok "the root holds a shell and init" \
	test -x "$O/root/sbin/init" -a -L "$O/root/bin/sh"
like "init is static, 32-bit" "$(readelf -hlW "$O/root/sbin/init")" 'ELF32'
unlike "init needs no loader" "$(readelf -lW "$O/root/sbin/init")" INTERP
like "the initramfs holds init" "$(cpio -t --quiet < "$O/initramfs.cpio")" \
	'^sbin/init$'
ok "rmap-test runs on the host" "$O/host/rmap-test" -n 2 -s 3 -t 2 -i 1 \
	"$TEST_DIR/foo"
finish
