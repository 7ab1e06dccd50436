; From the boot loader to kmain().
;
; The loader (multiboot 1: QEMU -kernel or GRUB) starts us in 32-bit protected
; mode without paging, at _start, linked and loaded at 1 MB.  From there:
;
;	own GDT and IDT -> CPU good enough? -> kernel_pgd filled -> paging on
;	-> jump to the higher half -> kmain(magic, physical address of the info)
;
;	kernel_pgd	0x00000000  4 MB of identity, only until desc_init()
;			0xC0000000  all of the first 896 MB, in 4 MB pages
;
; Nothing outside the kernel's image is written here: the loader's tables and
; modules may lie anywhere around it.

BITS 32
%include "kernel/asm.inc"

extern early_idt_load, early_puts, early_halt
extern kmain
global _start, kernel_pgd, boot_stack, cpu_features

MB_MAGIC	equ 0x1BADB002
MB_FLAGS	equ 3			; align modules, tell the memory map

section .multiboot align=4 progbits alloc noexec nowrite
	dd MB_MAGIC, MB_FLAGS, -(MB_MAGIC + MB_FLAGS)

section .boot progbits alloc exec nowrite align=16

_start:
	cli
	cld
	mov esp, PHYS(boot_stack + KSTACK_SIZE)
	mov esi, eax			; multiboot magic
	mov edi, ebx			; and where the info is
	lgdt [boot_gdt_ptr]
	jmp KERNEL_CS:.own_gdt
.own_gdt:
	mov eax, KERNEL_DS
	mov ds, eax
	mov es, eax
	mov ss, eax
	xor eax, eax
	mov fs, eax
	mov gs, eax
	push eax
	popfd
	call early_idt_load
	call check_cpu
	call fill_page_directory

	mov eax, PHYS(kernel_pgd)
	mov cr3, eax
	mov eax, cr4
	or eax, CR4_PSE
	mov cr4, eax
	mov eax, cr0
	and eax, ~(CR0_CD | CR0_NW | CR0_EM | CR0_TS)
	or eax, CR0_PG | CR0_WP | CR0_NE | CR0_MP
	mov cr0, eax
	mov eax, .higher_half
	jmp eax
.higher_half:
	test dword [cpu_features], CPUID_PGE
	jz .no_pge
	mov eax, cr4
	or eax, CR4_PGE
	mov cr4, eax
.no_pge:
	mov esp, boot_stack + KSTACK_SIZE
	mov dword [boot_stack], KSTACK_MAGIC
	xor ebp, ebp
	push edi
	push esi
	push ebp			; kmain() has nowhere to return to
	jmp kmain

; Refuses, on the screen and the serial line, a CPU that cannot run us; else
; stores its feature bits.  Keeps esi and edi.
check_cpu:
	pushfd
	pop eax
	mov ecx, eax
	xor eax, EFLAGS_ID
	push eax
	popfd
	pushfd
	pop eax
	xor eax, ecx
	test eax, EFLAGS_ID
	mov edx, msg_no_cpuid
	jz .refuse
	xor eax, eax
	cpuid
	test eax, eax
	mov edx, msg_no_cpuid
	jz .refuse
	mov eax, 1
	cpuid
	mov [PHYS(cpu_features)], edx
	mov eax, edx
	test eax, CPUID_PSE
	mov edx, msg_no_pse
	jz .refuse
	test eax, CPUID_CMOV
	mov edx, msg_no_cmov
	jz .refuse
	ret
.refuse:
	push edx
	mov edx, msg_refuse
	call early_puts
	pop edx
	call early_puts
	jmp early_halt

; Fills kernel_pgd.  Global pages are marked so that a change of address space
; leaves the kernel's in the TLB.  Keeps esi and edi.
fill_page_directory:
	mov dword [PHYS(kernel_pgd)], PDE_BIG
	mov eax, PDE_BIG
	test dword [PHYS(cpu_features)], CPUID_PGE
	jz .local
	or eax, PDE_GLOBAL
.local:
	mov ecx, PHYS(kernel_pgd) + PAGE_OFFSET / 0x400000 * 4
	mov edx, 896 / 4
.next:
	mov [ecx], eax
	add ecx, 4
	add eax, 0x400000
	dec edx
	jnz .next
	ret

align 8
boot_gdt:
	times KERNEL_CS / 8 dq 0
	dq 0x00CF9A000000FFFF
	dq 0x00CF92000000FFFF
boot_gdt_ptr:
	dw $ - boot_gdt - 1
	dd boot_gdt

msg_refuse	db 'Pagelab needs a Pentium Pro or later. This CPU has no ', 0
msg_no_cpuid	db 'CPUID instruction; it cannot run here.', 0
msg_no_pse	db '4 MB pages (PSE); it cannot run here.', 0
msg_no_cmov	db 'CMOV instruction; it cannot run here.', 0

section .bss align=4096 nobits alloc noexec write
kernel_pgd	resb 4096
boot_stack	resb KSTACK_SIZE
cpu_features	resd 1
