# Read by "make gdb", which then connects to QEMU; no dotfile is read. The
# machine stands at its first instruction: "continue" starts the kernel.
set architecture i386
set confirm off
set pagination off
set print pretty on
set disassembly-flavor intel
set python print-stack message

define kmain
break kmain
continue
end
document kmain
Run from the boot loader to the first C function of the kernel.
end

define on-panic
break panic
end
document on-panic
Stop when the kernel panics, before it prints anything.
end

define pagetable
printf "cr3 %#x\n", (unsigned long)$cr3
monitor info tlb
end
document pagetable
Print the page tables as the processor walks them, with decoded bits.
end

define mapped
monitor info mem
end
document mapped
Print the mapped ranges of the current address space and their rights.
end
