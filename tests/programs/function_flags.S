/* SPDX-License-Identifier: MIT
   Gives a function status flags, against the ABI, after two million instructions. */
	.globl _start
_start:	mov $1000000, %ecx
1:	dec %ecx
	jnz 1b
	lea function(%rip), %rax
	stc
	call *%rax
	mov $60, %eax
	mov $0, %edi
	syscall
function:
	jc 2f
	nop
2:	ret
