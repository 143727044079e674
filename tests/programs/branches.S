// SPDX-License-Identifier: MIT
// Branches, and how the stated predictor does. Every counter and buffer is empty at the start; the history is 14 bits.
//   loop:  taken 999 times, then not. The history fills with ones: a new counter, that says "not taken", for each of the
//          first 14; the one of 14 ones has to be told twice; the last is wrong: 17 mispredicted of 1000.
//   same:  an indirect jump to one place, 10 times: the first time only. Its loop (10 times, of which 9 taken): see below.
//   deep:  20 calls deep from 20 places with a return stack of 16: 4 returns are wrong, 20 calls and 20 returns.
// Of same's loop the history begins at loop's last: 13 ones and a zero. At its turns 1 to 9 taken, a new history each time
// and so a new counter: 9 wrong; the 10th is not taken and has a new counter, too: right.
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
