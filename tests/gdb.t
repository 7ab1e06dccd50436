#!/bin/sh
# "make gdb" needs no dotfile: it stops in kmain and knows the sources.
. tests/lib.sh

out=$(timeout -k 5 60 make -s gdb GDBARGS="-batch -ex kmain \
	-ex 'info line' -ex pagetable" 2>&1 </dev/null | head -n 40)
like "stops in kmain" "$out" '^Breakpoint 1, kmain '
like "knows the source line" "$out" 'kernel/main\.c'
like "prints the page tables" "$out" '^cr3 0x'
finish
