; A kernel that only plays one ending of a guest, to test how tools/guest
; tells them apart. Built by tests/guest.t with -DENDING=n:
;	0 the commands end with status 3 and the power goes off
;	1 a panic	2 a triple fault	3 silence in the middle
;	4 power-off before the commands end	5 the commands end, no power-off
BITS 32
section .text
align 4
	dd 0x1BADB002, 0, -0x1BADB002

%macro print 1
	mov esi, %1
	call puts
%endmacro

global _start
_start:
	mov esp, stack_top
	print booting
%if ENDING == 1
	print panic
	jmp hang
%endif
	print begin
	print output
%if ENDING == 2
	lidt [no_idt]
	ud2
%elif ENDING == 3
	jmp hang
%elif ENDING != 4
	print end
%endif
%if ENDING == 5
	jmp hang
%endif
	mov dx, 0x604
	mov ax, 0x2000
	out dx, ax
hang:
	cli
	hlt
	jmp hang

; Sends the string at esi to COM1.
puts:
	mov dx, 0x3F8
.next:
	lodsb
	test al, al
	jz .done
	out dx, al
	jmp .next
.done:
	ret

booting	db 'booting', 13, 10, 0
begin	db '==BEGIN==', 13, 10, 0
output	db 'first line', 13, 10, 'no newline', 0
end	db '==END== 3', 13, 10, 0
panic	db 'Kernel panic: fake at c0100000', 13, 10, 'call trace', 13, 10, 0
no_idt	dw 0
	dd 0
section .bss
	resb 4096
stack_top:
