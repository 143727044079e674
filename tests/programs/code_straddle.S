// SPDX-License-Identifier: MIT
// An instruction over two lines fetches both. From _start 5 lines run straight on; the movabs at their end reaches from
// the fifth into the sixth, and over a page: one miss a line, one a page.
//
// machine --cpu zen4
// expect icache_miss 6
// expect itlb_miss 2
// expect instr_retired 319                           315 nops, movabs, 3 to exit
	.globl _start
	.text
	.balign 4096
	.skip 4096 - 320
_start:	.rept 315
	nop
	.endr
	movabs $0x123456789abcdef0, %rax
	mov $60, %eax
	xor %edi, %edi
	syscall
