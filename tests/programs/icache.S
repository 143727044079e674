// SPDX-License-Identifier: MIT
// Code that jumps from line to line: 34 lines (with the first and the last), 10 rounds. The cache has 8 sets of
// 2 ways: 4 or 5 lines per set, so each fetch misses.
//
// machine --l1i 1K,2,64
// expect icache_miss 340
// expect itlb_miss 1 at _start
//
// A cache that holds all lines:
// machine --l1i 4K,4,64
// expect icache_miss 34
	.globl _start
	.text
	.balign 4096
_start:	mov $10, %ecx
loop:	jmp 1f
	.balign 64
1:
	.rept 32
	jmp .+64
	.skip 62
	.endr
	dec %ecx
	jnz loop
	mov $60, %eax
	xor %edi, %edi
	syscall
