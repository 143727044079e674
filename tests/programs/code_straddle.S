// SPDX-License-Identifier: MIT
// An instruction across two lines fetches both. From _start 5 lines run sequentially; the movabs at their end reaches from
// the fifth into the sixth line, and across a page: one miss per line, one per page. Its first line was already present.
// The second movabs is the target of a jump; both of its lines miss.
//
// machine --cpu zen4
// expect icache_miss 8
// expect split_fetch_miss 1 at second
// expect itlb_miss 2
// expect instr_retired 321                           315 nops, 2 movabs, jump, 3 to exit
	.globl _start
	.text
	.balign 4096
	.skip 4096 - 320
_start:	.rept 315
	nop
	.endr
	movabs $0x123456789abcdef0, %rax
	jmp second
	.balign 64
	.skip 60
second:	movabs $0x123456789abcdef0, %rax
	mov $60, %eax
	xor %edi, %edi
	syscall
