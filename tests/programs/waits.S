// SPDX-License-Identifier: MIT
// Waits by level, in caches of one way: 4 KiB and 64 KiB. On zen4 L2 takes 14 cycles instead of 4, L3 50, memory 250,
// and a page walk 30.
//   near:  two lines 4 KiB apart evict each other from L1 alone. 2000 loads: 2 from memory, 1998 from L2.
//   far:   two lines 64 KiB apart evict each other from L1 and L2. 2000 loads: the first from L2, the second from
//          memory, 1998 from L3.
// Three lines of data from memory, each in another page, and one line of code.
//
// machine --cpu zen4 --l1d 4K,1,64 --l2 64K,1,64
// every 1000
// expect l2_wait 19990
// expect l3_wait 91908
// expect dram_wait 738
// expect tlb_wait 90
// expect memory_wait 112726
// expect fetch_wait 276
// expect cycles 125008
	.globl _start
	.bss
	.balign 131072
buffer:	.skip 131072
	.text
	.balign 64
_start:	lea buffer(%rip), %rsi
	mov $1000, %ecx
near:	mov (%rsi), %rbx
	mov 4096(%rsi), %rbx
	dec %ecx
	jnz near
	mov $1000, %ecx
far:	mov (%rsi), %rbx
	mov 65536(%rsi), %rbx
	dec %ecx
	jnz far
	mov $60, %eax
	xor %edi, %edi
	syscall
