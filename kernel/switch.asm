; The machine's part of a task switch.
;
; A task that does not run has on its kernel stack, at task->ksp:
;
;	ebx esi edi ebp  return address
;
; A new task has the same, with task_start as the return address, fn in ebx
; and arg in esi, and above that its trap frame (fork.c builds it).

%include "kernel/asm.inc"

	extern start_child, kthread_return, ret_from_fork
	global switch_stacks, task_start, load_gs, load_fs

	section .text

; struct task *switch_stacks(prev, next): returns on the stack of next, with
; prev in eax, which is thus the task that ran just before.
switch_stacks:
	mov	eax, [esp + 4]
	mov	edx, [esp + 8]
	push	ebp
	push	edi
	push	esi
	push	ebx
	mov	[eax + TASK_KSP], esp
	mov	esp, [edx + TASK_KSP]
	pop	ebx
	pop	esi
	pop	edi
	pop	ebp
	ret

; The first instructions of a new task; eax: the task that ran before.  The
; kernel is compiled with its first argument in eax.
task_start:
	call	start_child
	test	ebx, ebx
	jz	.user
	mov	eax, esi
	call	ebx
	push	eax
	call	kthread_return
	add	esp, 4
.user:	jmp	ret_from_fork

; void load_gs(selector), load_fs(selector): a selector that cannot be loaded
; faults, and the exception table goes on with 0 in its place.
load_gs:
	mov	eax, [esp + 4]
.load:	mov	gs, ax
	ret
.bad:	xor	eax, eax
	mov	gs, ax
	ret

load_fs:
	mov	eax, [esp + 4]
.load:	mov	fs, ax
	ret
.bad:	xor	eax, eax
	mov	fs, ax
	ret

	section __ex_table progbits alloc noexec nowrite align=4
	dd	load_gs.load, load_gs.bad
	dd	load_fs.load, load_fs.bad
