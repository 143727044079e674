// SPDX-License-Identifier: MIT
// Code that jumps from page to page: 10 pages (with the first and the last), 10 rounds.
//
// With 4 entries no page stays until its next use:
// machine --itlb 4,4 --stlb none
// expect itlb_miss 100
//
// machine --itlb 16,16 --stlb none
// expect itlb_miss 10
	.globl _start
	.text
	.balign 4096
_start:	mov $10, %ecx
loop:	jmp 1f
	.balign 4096
1:
	.rept 8
	jmp .+4096
	.skip 4091
	.endr
	dec %ecx
	jnz loop
	mov $60, %eax
	xor %edi, %edi
	syscall
