// SPDX-License-Identifier: MIT
// One load (or store) per page. The data TLB has 4 sets of 4 ways.
//   fits: 16 pages, 10 times: misses at the first only                        16
//   over: 32 pages, 10 times: 8 pages per set, each misses                    320
//   out:  24 pages, 5 times, stores: 6 pages per set                          120
//
// machine --dtlb 16,4 --stlb none --page 4K
// expect dtlb_load_miss 336 at fits over
// expect dtlb_stor_miss 120 at out
// expect dtlb_all_miss 456 at fits over out
//
// One page of 2 MiB holds all buffers.
// machine --dtlb 16,4 --stlb none --page 2M
// expect dtlb_load_miss 1 at fits
// expect dtlb_stor_miss 0
// expect dtlb_all_miss 1 at fits
//
// A direct-mapped TLB of 16 entries: over's pages share sets in pairs, and so do out's first 8 and its last 8. These 8 sets
// (0-7) miss twice in each round, while 8-15 keep their pages after the first: 8 + 16 * 5.
// machine --dtlb 16,1 --stlb 64,4 --page 4K
// expect dtlb_load_miss 336 at fits over
// expect dtlb_stor_miss 88 at out
	.globl _start
	.bss
	.balign 2097152
fits_buffer: .skip 16 * 4096
over_buffer: .skip 32 * 4096
out_buffer: .skip 24 * 4096
	.macro sweep name, pages, passes, from, to
	mov $\passes, %edx
1:	lea \name\()_buffer(%rip), %rsi
	mov $\pages, %ecx
2:
\name:	mov \from, \to
	add $4096, %rsi
	dec %ecx
	jnz 2b
	dec %edx
	jnz 1b
	.endm
	.text
_start:	sweep fits, 16, 10, (%rsi), %rax
	sweep over, 32, 10, (%rsi), %rax
	sweep out, 24, 5, %rax, (%rsi)
	mov $60, %eax
	xor %edi, %edi
	syscall
