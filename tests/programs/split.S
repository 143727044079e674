// SPDX-License-Identifier: MIT
// Accesses across two lines. In each of 100 rounds three loads split (eight, word, both); a split store, and a load that
// ends at the end of its line, do not count. After the loop one load splits across two pages.
// Cold lines: eight brings in 0 and 1, word 2, store 3, both 4, page 63 and 64, cold 96 and 97.
//
// machine --cpu zen4
// expect split_load_retired 301 at eight word both page
// expect l1_cache_miss 6 at eight word both page
// expect l1_store_miss 3 at store cold
// expect split_load_miss 2 at eight page
// expect split_store_miss 1 at cold
// expect dtlb_load_miss 2 at eight page
// expect dtlb_stor_miss 0
// expect memory_loads 401
// expect memory_stores 201
	.globl _start
	.bss
	.balign 4096
buffer:	.skip 8192
	.text
_start:	lea buffer(%rip), %rsi
	mov $100, %ecx
loop:
eight:	mov 60(%rsi), %rax
word:	movups 120(%rsi), %xmm0
store:	mov %rax, 188(%rsi)
both:	add %rax, 252(%rsi)
	mov 60(%rsi), %eax
	dec %ecx
	jnz loop
page:	mov 4092(%rsi), %rax
	mov %rax, %rbx
cold:	mov %rbx, 6204(%rsi)
	mov $60, %eax
	xor %edi, %edi
	syscall
