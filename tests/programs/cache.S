// SPDX-License-Identifier: MIT
// Sweeps over buffers, one load (or store) per line. The caches hold 64, 256 and 1024 lines, all with 4 ways. Code is
// at most 5 lines, fetched once, and evicts no line of the sweeps. Buffers are cold at their first sweep.
//   far:  2048 lines, twice: fits nowhere, each misses everywhere             4096 of each level
//   l3:    512 lines, 10 times: fits the third level                          5120, 5120, 512
//   l2:    128 lines, 10 times: fits the second                               1280, 128, 128
//   l1:     32 lines, 10 times: fits the first                                32, 32, 32
//   out:   100 lines, twice, stores: 6 or 7 lines per set of 4 ways           200 store misses
//
// machine --l1i 32K,8,64 --l1d 4K,4,64 --l2 16K,4,64 --l3 64K,4,64
// expect l1_cache_miss 10528 at far l3 l2 l1
// expect l2_cache_miss 9376 at far l3 l2 l1
// expect l3_cache_miss 4768 at far l3 l2 l1
// expect l1_store_miss 200 at out
// expect memory_loads 10816 at far l3 l2 l1
// expect memory_stores 200 at out
//
// One level, direct-mapped, of 4 KiB: buffers of more than 64 lines miss if lines share a set.
// l1: 32; l2, l3 and far: each of their sweeps is a multiple of 64 lines: every load misses.
// machine --l1i 32K,8,64 --l1d 4K,1,64 --l2 16K,4,64 --l3 none
// expect l1_cache_miss 10528 at far l3 l2 l1
// expect l2_cache_miss 9376 at far l3 l2 l1
	.globl _start
	.bss
	.balign 65536
far_buffer: .skip 2048 * 64
l3_buffer: .skip 512 * 64
l2_buffer: .skip 128 * 64
l1_buffer: .skip 32 * 64
	.balign 4096
out_buffer: .skip 100 * 64
	.macro sweep name, lines, passes, from, to
	mov $\passes, %edx
1:	lea \name\()_buffer(%rip), %rsi
	mov $\lines, %ecx
2:
\name:	mov \from, \to
	add $64, %rsi
	dec %ecx
	jnz 2b
	dec %edx
	jnz 1b
	.endm
	.text
	.balign 64
_start:	sweep far, 2048, 2, (%rsi), %rax
	sweep l3, 512, 10, (%rsi), %rax
	sweep l2, 128, 10, (%rsi), %rax
	sweep l1, 32, 10, (%rsi), %rax
	sweep out, 100, 2, %rax, (%rsi)
	mov $60, %eax
	xor %edi, %edi
	syscall
