// SPDX-License-Identifier: MIT
// Micro-operations as in `hardmeter list`: 1 per instruction, + 1 if it loads and also does something else, + 2 per store.
// In each round: mov load 1, movzx load 1, movups load 1, pop 1, add load 2, mov store 3, push 3,
// add to memory 1 + 1 + 2 = 4, dec 1, jnz 1: 18.
//
// machine --cpu zen4
// expect uop_retired 1804                            1 before the loop, 3 to exit
// expect instr_retired 1004
	.globl _start
	.data
	.balign 64
buffer:	.skip 64
	.text
_start:	mov $100, %ecx
loop:	mov buffer(%rip), %rax
	movzbl buffer+8(%rip), %ebx
	movups buffer+16(%rip), %xmm0
	add buffer+32(%rip), %rax
	mov %rax, buffer+40(%rip)
	add %rax, buffer+48(%rip)
	push %rax
	pop %rdx
	dec %ecx
	jnz loop
	mov $60, %eax
	xor %edi, %edi
	syscall
