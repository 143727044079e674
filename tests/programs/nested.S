// SPDX-License-Identifier: MIT
// A function that calls itself, 30 deep; each call has a frame and loads a cold line before the next call.
	.globl _start
	.bss
	.balign 4096
buffer:	.skip 4096
	.text
_start:	lea buffer(%rip), %rsi
	mov $30, %ecx
	xor %ebp, %ebp
	call nested
outermost: mov $60, %eax
	xor %edi, %edi
	syscall
	.type nested, @function
nested:	push %rbp
	mov %rsp, %rbp
load:	mov (%rsi), %rax
	add $64, %rsi
	dec %ecx
	jz up
	call nested
deeper:
up:	pop %rbp
	ret
	.size nested, .-nested
