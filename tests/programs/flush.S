// SPDX-License-Identifier: MIT
// Flushes remove a line from all levels and count nothing: neither a load nor a miss. `again` and `pair` load from one
// line 50 times, and its last byte is flushed behind them: 50 misses. `two` loads from two lines 20 times, of which only
// the second is flushed: 2 misses and 19. 10 times, `flags` flushes a line between a comparison and its branch, and
// `stored` stores to the line: 10 misses. `kept` loads from a line 5 times, whose neighbours are flushed: 1 miss. `own`
// flushes its own line of code 10 times, and is entered by an indirect jump, since copied code checks a line only once
// in a block: 9 misses beside one for each of the 4 lines.
// The page stays in the TLB: 1 miss.
//
// engine direct
// machine --l1i 32K,8,64 --l1d 32K,8,64 --l2 256K,8,64 --l3 1M,16,64 --dtlb 64
// expect l1_cache_miss 72 at again two kept
// expect l2_cache_miss 72 at again two kept
// expect l3_cache_miss 72 at again two kept
// expect l1_store_miss 10 at stored
// expect dtlb_load_miss 1 at again
// expect memory_loads 125 at again pair two kept
// expect memory_stores 10 at stored
// expect split_load_retired 20 at two
// expect instr_retired 483
// expect icache_miss 13
//
// Each access has its own check here; above, those of `again` and `pair` share one.
// machine --l1i none --l1d 32K,8,64 --l2 256K,8,64 --l3 none --dtlb 64
// expect l1_cache_miss 72 at again two kept
// expect uop_retired 503
	.globl _start
	.bss
	.balign 4096
page:	.skip 4096
	.text
	.balign 64
_start:	lea page(%rip), %rsi
	mov $50, %ecx
again:	mov (%rsi), %rax
pair:	mov 8(%rsi), %rbx
	clflush 63(%rsi)
	dec %ecx
	jnz again

	lea 1084(%rsi), %rdi
	mov $20, %ecx
two:	mov (%rdi), %rax
	clflush 4(%rdi)
	dec %ecx
	jnz two

	mov $10, %ecx
1:	cmp $5, %ecx
flags:	clflush (%rsi,%rcx,4)
	jb stored
	nop
stored:	mov %rax, (%rsi)
	dec %ecx
	jnz 1b

	mov $5, %ecx
kept:	mov 2048(%rsi), %rax
	clflush page+2112(%rip)
	clflush 2047(%rsi)
	dec %ecx
	jnz kept

	lea own(%rip), %r8
	lea behind(%rip), %r9
	mov $10, %ecx
2:	jmp *%r8
behind:	dec %ecx
	jnz 2b
	mov $60, %eax
	xor %edi, %edi
	syscall
	.balign 64
own:	clflush own(%rip)
	jmp *%r9
