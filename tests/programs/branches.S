// SPDX-License-Identifier: MIT
// Branches, and the results of the modelled predictor. Counters and buffers are empty at the start; the history is 14 bits.
//   loop:  taken 999 times, then not. The history fills with ones. Each of the first 14 has a new counter, which predicts
//          "not taken"; the counter of 14 ones needs two updates; the last is wrong: 17 mispredicted of 1000.
//   same:  an indirect jump to one target, 10 times: the first time only. Its loop (10 times, 9 of them taken): see below.
//   deep:  20 calls deep from 20 places with a return stack of 16: 4 returns are wrong, 20 calls and 20 returns.
// The history of same's loop begins after loop's last branch: 13 ones and a zero. Turns 1 to 9 are taken, each with a new
// history and therefore a new counter: 9 wrong. The 10th is not taken and also has a new counter: right.
//
// machine --cpu zen4
// expect branch_mispredict 31 at loop_end same same_end return0 return1 return2 return3
// expect branch_retired 1060
	.globl _start
	.text
	.balign 64
_start:	mov $1000, %ecx
loop:	dec %ecx
loop_end: jnz loop
	mov $10, %ecx
	lea target(%rip), %rax
again:
same:	jmp *%rax
target:	dec %ecx
same_end: jnz again
	call 1f
	mov $60, %eax
	xor %edi, %edi
	syscall
	.irp number, 0, 1, 2, 3
1:	call 1f
return\number: ret
	.endr
	.rept 15
1:	call 1f
	ret
	.endr
1:	ret
