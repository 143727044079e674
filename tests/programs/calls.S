// SPDX-License-Identifier: MIT
// 20 rounds: outer calls middle (directly), middle calls inner (through a register), each with a frame pointer. inner
// loads one cold line, after a conditional jump that is taken every second time. call0 and call1 are 40 calls and returns
// in total; `over` is a jump. The frames at the load: inner's, middle's, _start's.
	.globl _start
	.bss
	.balign 4096
buffer:	.skip 4096
	.text
_start:	lea buffer(%rip), %rsi
	mov $20, %ecx
	xor %ebp, %ebp
	lea inner(%rip), %rdx
loop:
call0:	call middle
after0:	dec %ecx
again:	jnz loop
	mov $60, %eax
	xor %edi, %edi
	syscall
	.type middle, @function
middle:	push %rbp
	mov %rsp, %rbp
call1:	call *%rdx
after1:	pop %rbp
ret1:	ret
	.size middle, .-middle
	.type inner, @function
inner:	push %rbp
	mov %rsp, %rbp
	test $1, %ecx
odd:	jnz side
over:	jmp load
side:	nop
load:	mov (%rsi), %rax
	add $64, %rsi
	pop %rbp
ret2:	ret
	.size inner, .-inner
