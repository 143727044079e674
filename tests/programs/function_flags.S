/* SPDX-License-Identifier: MIT
   Gives a function status flags, against the ABI. With one argument it does so 1,000 times by a call through a register,
   and ends with status 0 if the function saw all of them; with two, by a jump through memory, as a PLT has: the first
   time's may be lost. */
	.globl _start
_start:	cmpq $3, (%rsp)
	je 3f
	lea function(%rip), %rbx
	mov $1000, %ebp
1:	stc
	call *%rbx
	lea carry(%rip), %rax
	call look_at
	clc
	call *%rbx
	lea no_carry(%rip), %rax
	call look_at
	dec %ebp
	jnz 1b
	jmp success
3:	lea function(%rip), %rax
	mov %rax, slot(%rip)
	stc
	call through_slot
	mov $1000, %ebp
4:	stc
	call through_slot
	lea carry(%rip), %rax
	call look_at
	dec %ebp
	jnz 4b
success:
	xor %edi, %edi
	jmp end
failure:
	mov $1, %edi
end:	mov $60, %eax
	syscall

through_slot:
	jmp *slot(%rip)
/* What the function saw is in dl. */
function:
	setc %dl
	ret
look_at:
	cmp (%rax), %dl
	jne failure
	ret
	.section .rodata
carry:	.byte 1
no_carry: .byte 0
	.bss
slot:	.skip 8
