// SPDX-License-Identifier: MIT
// clflushopt removes lines as clflush does: flush.S. `load` loads from one line 30 times, which is flushed each time.
//
// needs clflushopt
// engine direct
// machine --l1i 32K,8,64 --l1d 32K,8,64 --l2 256K,8,64 --l3 1M,16,64 --dtlb 64
// expect l1_cache_miss 30 at load
// expect l3_cache_miss 30 at load
// expect memory_loads 30 at load
// expect memory_stores 0
// expect instr_retired 125
	.globl _start
	.bss
	.balign 4096
page:	.skip 4096
	.text
	.balign 64
_start:	lea page(%rip), %rsi
	mov $30, %ecx
load:	mov 128(%rsi), %rax
	clflushopt 128(%rsi,%rcx,2)
	dec %ecx
	jnz load
	mov $60, %eax
	xor %edi, %edi
	syscall
