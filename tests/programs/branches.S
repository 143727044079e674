// SPDX-License-Identifier: MIT
// Branches, and the results of the modelled predictor. Its tables are empty at the start: a branch is expected to be taken.
//   loop:  taken 999 times, then not: the last is wrong.
//   same:  an indirect jump to one target, 10 times: the first is wrong. Its loop, taken 9 times: the last is wrong.
//   deep:  36 calls deep from 36 places with a return stack of 32: 4 returns are wrong.
//
// machine --cpu zen4
// expect branch_mispredict 7 at loop_end same same_end return0 return1 return2 return3
// expect branch_retired 1092
//
// machine --cpu zen4
// every 1000
// expect branch_mispredict 7
// expect branch_wait 105
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
	.rept 31
1:	call 1f
	ret
	.endr
1:	ret
