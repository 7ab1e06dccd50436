; Words from before there is a console: text on the screen and COM1, and an
; IDT that turns a fault before traps_init() into a line, never into a silent
; triple fault.  All of it runs at physical addresses, paging off or (identity
; mapped) on, and every wait is bounded.

BITS 32
%include "kernel/asm.inc"

global early_idt_load, early_puts, early_halt

COM1		equ 0x3F8
SCREEN		equ 0xB8000
COLOUR		equ 0x0F
HAS_ERROR	equ 0x27D00		; vectors whose frame has an error code

section .boot progbits alloc exec nowrite align=16

; Fills and loads the early IDT and sets COM1 to 115200 8n1.  Keeps esi, edi.
early_idt_load:
	mov eax, early_stubs
	mov ecx, early_idt
.next:
	mov edx, eax
	mov [ecx], dx			; offset, low half
	mov word [ecx + 2], KERNEL_CS
	mov word [ecx + 4], 0x8E00	; interrupt gate
	shr edx, 16
	mov [ecx + 6], dx
	add eax, STUB_SIZE
	add ecx, 8
	cmp ecx, early_idt + 32 * 8
	jb .next
	lidt [early_idt_ptr]

	mov dx, COM1 + 3
	mov al, 0x80			; divisor latch
	out dx, al
	mov dx, COM1
	mov al, 1
	out dx, al
	inc dx
	mov al, 0
	out dx, al
	mov dx, COM1 + 3
	mov al, 3
	out dx, al
	ret

; A stub of fixed size for each exception pushes its vector.
STUB_SIZE	equ 10
early_stubs:
%assign vector 0
%rep 32
	push strict dword vector
	jmp strict near early_fault
%assign vector vector + 1
%endrep

; Prints what happened and stops.
early_fault:
	mov edx, msg_fault
	call early_puts
	pop ecx				; vector
	mov eax, ecx
	call early_puthex
	mov edx, msg_error
	call early_puts
	xor eax, eax
	mov edx, HAS_ERROR
	bt edx, ecx
	jnc .no_error
	pop eax
.no_error:
	call early_puthex
	mov edx, msg_eip
	call early_puts
	pop eax
	call early_puthex
	mov edx, msg_cr2
	call early_puts
	mov eax, cr2
	call early_puthex
early_halt:
	mov edx, msg_end
	call early_puts
	cli
.hang:
	hlt
	jmp .hang

; Prints eax as eight hexadecimal digits.  Keeps ecx.
early_puthex:
	push ebx
	push ecx
	mov ebx, eax
	mov ecx, 8
.next:
	rol ebx, 4
	mov al, bl
	and al, 15
	add al, '0'
	cmp al, '9'
	jbe .digit
	add al, 'a' - '0' - 10
.digit:
	call early_putc
	loop .next
	pop ecx
	pop ebx
	ret

; Prints the string at edx.  Keeps ecx.
early_puts:
	push ebx
	mov ebx, edx
.next:
	mov al, [ebx]
	inc ebx
	test al, al
	jz .done
	call early_putc
	jmp .next
.done:
	pop ebx
	ret

; Prints al at the cursor of the screen and on COM1.  Keeps all but edx, al.
early_putc:
	push ecx
	push eax
	mov ecx, 100000			; the line may be absent or stuck
	mov dx, COM1 + 5
.wait:
	in al, dx
	test al, 0x20
	loopz .wait
	pop eax
	mov dx, COM1
	out dx, al
	mov ecx, [early_cursor]
	cmp al, ' '
	jb .done
	mov [SCREEN + ecx * 2], al
	mov byte [SCREEN + ecx * 2 + 1], COLOUR
	inc ecx
	cmp ecx, 80 * 25
	jb .store
	xor ecx, ecx
.store:
	mov [early_cursor], ecx
.done:
	pop ecx
	ret

early_cursor	dd 0
early_idt_ptr	dw 32 * 8 - 1
		dd early_idt
align 8
early_idt	times 32 dq 0

msg_fault	db 'Kernel panic: early fault ', 0
msg_error	db ' error ', 0
msg_eip		db ' eip ', 0
msg_cr2		db ' cr2 ', 0
msg_end		db 13, 10, 0
