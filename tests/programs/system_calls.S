// SPDX-License-Identifier: MIT
// Buffers of system calls, cold at first; the caches hold all of them. The kernel reads and writes them on behalf of the
// program: a call misses each cold line of a buffer once, at its instruction. The program itself only loads descriptors,
// from lines that the kernel has written before.
//   pipe, pair: two descriptors                                              1 line written each
//   write, read: 4096 bytes of a pipe                                        64 lines read, 64 written
//   again, partial: 100 bytes, of hot lines, into a buffer of 4096           2 lines written
//   failed, bad: a bad descriptor, and a bad address                         none
//   gather, scatter: 300 bytes, of hot lines, in two pieces each             2 arrays read, 1 and 4 lines written
//   stat: a path, and 144 bytes                                              1 line read, 3 written
//   futex: compares a word                                                   1 line read
//   send, receive: a message of 200 bytes, of hot lines                      2 heads and 2 arrays read, 4 lines written
//   poll: an entry, whose result goes into the same line                     1 line read
//
// machine --l1i 32K,8,64 --l1d 64K,16,64
// expect l1_cache_miss 73 at write gather scatter stat futex send receive poll
// expect l1_store_miss 80 at pipe read partial scatter stat pair receive
// expect dtlb_load_miss 1 at write
// expect dtlb_stor_miss 3 at pipe read partial
// expect memory_loads 9 at load1 load2 load3 load4 load5 load6 load7 load8 load9
// expect memory_stores 0
// expect instr_retired 79
//
// Without the kernel's accesses, the program misses the two lines with descriptors.
// machine --no-syscall-memory --l1i 32K,8,64 --l1d 64K,16,64
// every 1
// expect l1_cache_miss 2 at load1 load8
// expect l1_store_miss 0
// expect dtlb_load_miss 1 at load1
// expect memory_loads 9 at load1 load2 load3 load4 load5 load6 load7 load8 load9
// expect instr_retired 79
	.globl _start
	.data
	.balign 4096
pipe_fds:	.skip 64
	.balign 64
pair_fds:	.skip 64
out_pieces:	.quad source, 100, source + 1000, 200
	.balign 64
in_pieces:	.quad small + 512, 64, small + 1024, 512
	.balign 64
root:	.asciz "/"
	.balign 64
word:	.skip 64
other_word:	.skip 64
out_head:	.quad 0, 0, out_letter, 1, 0, 0, 0
	.balign 64
out_letter:	.quad source + 2048, 200
	.balign 64
in_head:	.quad 0, 0, in_letter, 1, 0, 0, 0
	.balign 64
in_letter:	.quad small + 3072, 512
	.balign 64
polled:	.long -1, 0
	.bss
	.balign 4096
source:	.skip 4096
target:	.skip 4096
small:	.skip 4096

	.macro enter label, number
	mov $\number, %eax
\label:	syscall
	.endm
	.text
	.balign 64
_start:	lea pipe_fds(%rip), %rdi
	enter pipe, 22
load1:	mov pipe_fds+4(%rip), %edi
	lea source(%rip), %rsi
	mov $4096, %edx
	enter write, 1
load2:	mov pipe_fds(%rip), %edi
	lea target(%rip), %rsi
	mov $4096, %edx
	enter read, 0
load3:	mov pipe_fds+4(%rip), %edi
	lea source(%rip), %rsi
	mov $100, %edx
	enter again, 1
load4:	mov pipe_fds(%rip), %edi
	lea small(%rip), %rsi
	mov $4096, %edx
	enter partial, 0
	mov $-1, %edi
	lea small+2560(%rip), %rsi
	mov $64, %edx
	enter failed, 0
load5:	mov pipe_fds+4(%rip), %edi
	mov $1, %esi
	mov $64, %edx
	enter bad, 1
load6:	mov pipe_fds+4(%rip), %edi
	lea out_pieces(%rip), %rsi
	mov $2, %edx
	enter gather, 20
load7:	mov pipe_fds(%rip), %edi
	lea in_pieces(%rip), %rsi
	mov $2, %edx
	enter scatter, 19
	lea root(%rip), %rdi
	lea small+2048(%rip), %rsi
	enter stat, 4
	lea word(%rip), %rdi
	mov $4, %esi
	xor %edx, %edx
	xor %r10d, %r10d
	lea other_word(%rip), %r8
	xor %r9d, %r9d
	enter futex, 202
	mov $1, %edi
	mov $2, %esi
	xor %edx, %edx
	lea pair_fds(%rip), %r10
	enter pair, 53
load8:	mov pair_fds(%rip), %edi
	lea out_head(%rip), %rsi
	xor %edx, %edx
	enter send, 46
load9:	mov pair_fds+4(%rip), %edi
	lea in_head(%rip), %rsi
	xor %edx, %edx
	enter receive, 47
	lea polled(%rip), %rdi
	mov $1, %esi
	xor %edx, %edx
	enter poll, 7
	mov $60, %eax
	xor %edi, %edi
	syscall
