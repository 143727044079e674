// SPDX-License-Identifier: MIT
// Prefetches bring lines in and count nothing: neither a load nor a miss. Each buffer is cold. All 64 lines of `ahead`
// are prefetched, with four forms of the address, and then loaded: no miss. Every second line of `half` is prefetched:
// 32 misses of 64. `flags` is prefetched between a comparison and its branch; `nowhere` uses unmapped addresses.
// A prefetch also brings in the page: loads miss the TLB in neither of `half`'s 2 pages, but in all of `far`'s 16.
//
// machine --l1i 32K,8,64 --l1d 32K,8,64 --l2 256K,8,64 --l3 none --dtlb 64
// expect l1_cache_miss 48 at half far
// expect l2_cache_miss 48 at half far
// expect dtlb_load_miss 16 at far
// expect memory_loads 144 at ahead half far
// expect memory_stores 0
// expect instr_retired 874
// expect l1_store_miss 0
	.globl _start
	.bss
	.balign 65536
ahead_buffer: .skip 4096
half_buffer: .skip 4096
far_buffer: .skip 16 * 4096
	.macro load name, times, step
	mov $\times, %ecx
\name:	mov (%rsi), %rax
	add $\step, %rsi
	dec %ecx
	jnz \name
	.endm
	.text
	.balign 64
_start:	lea ahead_buffer(%rip), %rsi
	mov %rsi, %r8
	xor %ecx, %ecx
	prefetcht0 ahead_buffer(%rip)
1:	lea (,%rcx,8), %edx
	prefetcht0 64(%rsi,%rdx,8)
	prefetcht1 128(%r8)
	prefetchnta 192(%rsi,%rdx,8)
	prefetchw 256(%rsi,%rdx,8)
	add $256, %r8
	add $4, %ecx
	cmp $60, %ecx
flags:	prefetcht2 128(%r8)
	jne 1b
	prefetcht0 61*64(%rsi)
	prefetcht0 62*64(%rsi)
	prefetcht0 63*64(%rsi)
	load ahead, 64, 64

	lea half_buffer(%rip), %rsi
	mov $32, %ecx
2:	prefetcht0 (%rsi)
	add $128, %rsi
	dec %ecx
	jnz 2b
	lea half_buffer(%rip), %rsi
	load half, 64, 64

	lea far_buffer(%rip), %rsi
	load far, 16, 4096

	xor %esi, %esi
nowhere: prefetcht0 (%rsi)
	prefetcht0 0x1000(%rsi)
	mov $60, %eax
	xor %edi, %edi
	syscall
