// SPDX-License-Identifier: MIT
// Loads, stores and branches of plain integer code: 1000 rounds of a loop of 9 instructions (with the callee's ret).
// 4 of them load (mov, add, pop, ret), 4 store (mov, add, push, call) and 3 branch (call, ret, jnz).
//
// machine --cpu zen4
// expect instr_retired 9004                          1 before the loop, 3 to exit
// expect memory_loads 4000 at load both pop return
// expect memory_stores 4000 at store both push call
// expect memory_moves 8000 at load both pop return store push call
// expect branch_retired 3000 at call return again
	.globl _start
	.data
	.balign 64
buffer:	.skip 64
	.text
_start:	mov $1000, %ecx
loop:
load:	mov buffer(%rip), %rax
store:	mov %rax, buffer+8(%rip)
both:	add %rax, buffer+16(%rip)
push:	push %rax
pop:	pop %rdx
call:	call callee
	dec %ecx
again:	jnz loop
	mov $60, %eax
	xor %edi, %edi
	syscall
callee:
return:	ret
