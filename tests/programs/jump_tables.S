/* SPDX-License-Identifier: MIT
   Branches behind a jump through a table on what was compared before it, in the three forms that compilers write. Leaves
   with status 0 where each went as the comparison says, else with the number of the form. */
	.globl _start
	.section .rodata
	.balign 8
table:	.quad even, odd
numbers: .quad 0, 1, 2, 3
	.equ going, 0xb             // 0, 1, 2, 3 compared with 2: below, below, equal, above
	.text

	.macro jump_1
	jmp *table(,%rcx,8)
	.endm
	.macro jump_2
	mov table(,%rcx,8), %rax
	jmp *%rax
	.endm
	.macro jump_3
	lea table(,%rcx,8), %rsi
	jmp *(%rsi)
	.endm

// Compares 0 to 3 with 2 and jumps; the code behind the jump adds two bits to %ebx.
	.macro four form
	mov $0, %ebx
	mov $0, %r12d
turn_\form:
	mov %r12d, %ecx
	and $1, %ecx
	lea again_\form(%rip), %rdi
	cmp $2, %r12d
	mov numbers(,%r12,8), %rdx  // a load between the comparison and its branch
	jump_\form
again_\form:
	inc %r12d
	cmp $4, %r12d
	jne turn_\form
	cmp $going, %ebx
	mov $\form, %eax
	jne leave
	.endm

_start:	four 1
	four 2
	four 3
	xor %eax, %eax
leave:	mov %eax, %edi
	mov $60, %eax
	syscall

odd:	nop
even:	jb below
	je equal
	lea 3(,%rbx,4), %ebx
	jmp *%rdi
below:	lea 0(,%rbx,4), %ebx
	jmp *%rdi
equal:	lea 2(,%rbx,4), %ebx
	jmp *%rdi
