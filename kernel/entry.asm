; Every way into the kernel and the one way out.
;
; A frame (struct trap_frame) is built on the kernel stack, the time since the
; last crossing is charged to the task, and C is called.  On the way to user
; mode, with interrupts off, one test covers softirqs, rescheduling and
; signals; nothing can come between it and the iret.
;
; `int 0x80` is the hot path: about 60 instructions for both crossings.
; Kernel code keeps its own values in ds and es and never uses fs and gs.

BITS 32
%include "kernel/asm.inc"

extern current, need_resched, softirq_pending, tsc_last
extern sys_call_table
extern do_softirq, schedule, do_signal
extern trap_handler, do_irq, do_page_fault, bad_user_frame
global system_call, ret_from_fork, trap_stubs, tsc_sites, tsc_sites_end

section .rodata.tsc_sites progbits alloc noexec nowrite align=4
tsc_sites:
section .text align=16

; Completes a frame whose error code and orig_eax were pushed.  Clobbers ecx.
%macro SAVE_REGISTERS 0
	push es
	push ds
	push eax
	push ebp
	push edi
	push esi
	push edx
	push ecx
	push ebx
	cld
	mov ecx, KERNEL_DS
	mov ds, ecx
	mov es, ecx
%endmacro

; Adds the cycles since the last crossing to a field of the task.  Where the
; CPU has no TSC, time_init() replaces the rdtsc with a jump over the rest.
; Clobbers eax, ecx, edx.
%macro CHARGE_TIME 1
%%site:	rdtsc
	mov ecx, [current]
	sub eax, [tsc_last]
	sbb edx, [tsc_last + 4]
	add [ecx + %1], eax
	adc [ecx + %1 + 4], edx
	add [tsc_last], eax
	adc [tsc_last + 4], edx
%%end:
[section .rodata.tsc_sites]
	dd %%site, %%end
__SECT__
%endmacro

%macro EXCEPTION_FIXUP 2
[section __ex_table progbits alloc noexec nowrite align=4]
	dd %1, %2
__SECT__
%endmacro

system_call:
	push dword 0
	push eax
	SAVE_REGISTERS
	CHARGE_TIME TASK_TIME_USER
	mov eax, [esp + TF_ORIG_EAX]
	cmp eax, NR_SYSCALLS
	jae .no_such_call
	; Copies of the arguments: a C function owns the stack slots of its
	; arguments and may change them.
	push ebp
	push edi
	push esi
	push dword [esp + 12 + TF_EDX]
	push dword [esp + 16 + TF_ECX]
	push ebx
	call [sys_call_table + eax * 4]
	add esp, 24
	mov [esp + TF_EAX], eax

ret_from_fork:
ret_to_user:
	cli
	mov ecx, [current]
	mov eax, [softirq_pending]
	or al, [need_resched]
	or eax, [ecx + TASK_WORK]
	jnz work_pending
	CHARGE_TIME TASK_TIME_SYSTEM
restore_all:
	pop ebx
	pop ecx
	pop edx
	pop esi
	pop edi
	pop ebp
	pop eax
pop_ds:
	pop ds
pop_es:
	pop es
	add esp, 8			; orig_eax and error code
do_iret:
	iret

system_call.no_such_call:
	mov dword [esp + TF_EAX], -ENOSYS
	jmp ret_to_user

; Something is to be done before user mode; then the test is made again.
work_pending:
	sti
	cmp dword [softirq_pending], 0
	je .no_softirq
	call do_softirq
.no_softirq:
	cmp byte [need_resched], 0
	je .no_resched
	call schedule
.no_resched:
	mov eax, [current]
	cmp dword [eax + TASK_WORK], 0
	je ret_to_user
	mov eax, esp
	push eax
	call do_signal
	add esp, 4
	jmp ret_to_user

; A program (through sigreturn) left selectors or flags that the CPU refuses.
; A bad ds or es becomes 0; after a bad iret the frame is rebuilt and the
; program gets a signal.
bad_segment:
	mov dword [esp], 0
	jmp pop_ds
bad_segment_es:
	mov dword [esp], 0
	jmp pop_es
bad_iret:
	push dword 0
	push dword ~13
	SAVE_REGISTERS
	mov eax, esp
	call bad_user_frame
	jmp ret_to_user
EXCEPTION_FIXUP pop_ds, bad_segment
EXCEPTION_FIXUP pop_es, bad_segment_es
EXCEPTION_FIXUP do_iret, bad_iret

align 16
page_fault:
	push dword ~14
	SAVE_REGISTERS
	test byte [esp + TF_CS], 3
	jz .from_kernel
	CHARGE_TIME TASK_TIME_USER
.from_kernel:
	mov edx, cr2			; before another fault can change it
	test dword [esp + TF_EFLAGS], EFLAGS_IF
	jz .interrupts_off
	sti
.interrupts_off:
	mov ecx, [esp + TF_ERROR]
	mov eax, esp
	call do_page_fault
	test byte [esp + TF_CS], 3
	jnz ret_to_user
	jmp restore_all

; Calls the C function %1 with the frame, for traps and for interrupts.
%macro COMMON_ENTRY 1
	SAVE_REGISTERS
	test byte [esp + TF_CS], 3
	jz %%from_kernel
	CHARGE_TIME TASK_TIME_USER
%%from_kernel:
	mov eax, esp
	call %1
	test byte [esp + TF_CS], 3
	jnz ret_to_user
	jmp restore_all
%endmacro

align 16
trap_common:
	COMMON_ENTRY trap_handler
align 16
irq_common:
	COMMON_ENTRY do_irq

; Vectors whose exceptions push an error code: 8, 10-14, 17.
HAS_ERROR	equ 0x27D00

%assign vector 0
%rep 256
stub_ %+ vector:
%if vector >= 32 || !((HAS_ERROR >> vector) & 1)
	push dword 0
%endif
	push dword ~vector
%if vector >= 0x20 && vector < 0x30
	jmp irq_common
%else
	jmp trap_common
%endif
%assign vector vector + 1
%endrep

section .rodata.tsc_sites
tsc_sites_end:

; Where each vector enters.
section .rodata progbits alloc noexec nowrite align=4
trap_stubs:
%assign vector 0
%rep 256
%if vector == 14
	dd page_fault
%elif vector == SYSCALL_VECTOR
	dd system_call
%else
	dd stub_ %+ vector
%endif
%assign vector vector + 1
%endrep
