// SPDX-License-Identifier: MIT
// Cycles of the cost model: one per instruction, one per load or store, and the wait of an access beyond L1. On zen4
// memory takes 250 instead of 4 and a page walk 30: 276 for the one line of code and 276 for the first load. The second
// line of data waits 246, because its page is in the TLB; 3 instructions before the loop, 4 in it, 3 to exit.
// 3 + 4 * 1000 + 3 instructions, 2000 loads, 276 + 276 + 246.
//
// machine --cpu zen4
// every 1000
// expect clock 6804
// expect cycles 6804
// expect memory_wait 522
// expect dram_wait 492
// expect tlb_wait 30
// expect fetch_wait 276
	.globl _start
	.bss
	.balign 4096
buffer:	.skip 4096
	.text
	.balign 64
_start:	lea buffer(%rip), %rsi
	mov $1000, %ecx
	xor %eax, %eax
loop:	mov (%rsi), %rbx
	mov 64(%rsi), %rbx
	dec %ecx
	jnz loop
	mov $60, %eax
	xor %edi, %edi
	syscall
