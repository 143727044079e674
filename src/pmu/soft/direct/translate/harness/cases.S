/* SPDX-License-Identifier: MIT
   Straight-line code with special needs in its copies: reserved registers in every position, status flags that
   are live across checks, groups of accesses, rip-relative operands. rsi and rbx point to memory, as do r10 and
   r15 if a case uses them as addresses; rsp is in the middle of a stack. Every x86-64 processor has the
   instructions used. */

	.macro case name
	.pushsection .rodata
9:	.asciz "\name"
	.popsection
	.pushsection .data.rel.ro.cases,"aw"
	.quad 9b, 7f, 8f
	.popsection
7:
	.endm

	.section .data.rel.ro.cases,"aw"
	.balign 8
	.globl translate_cases, translate_cases_end
translate_cases:

	.text
case reserved_registers_in_all_fields
	mov %rax, %r10
	add %r11, %r10
	xor %r15, %r11
	lea 8(%r10,%r11,2), %r15
	imul %r10, %r15
	xchg %r15, %r11
8:
case reserved_registers_as_addresses
	mov %rsi, %r10
	mov %rbx, %r15
	mov $3, %r11d
	mov (%r10), %rax
	mov 8(%r15,%r11,8), %rcx
	add %rcx, 16(%r10,%r11,4)
	mov %r11, (%r15)
	movzbl 1(%r10,%r11), %edx
8:
case flags_live_across_a_load
	cmp %rcx, %rax
	mov (%rsi), %rdx
	mov 8(%rsi), %r10
	adc %r10, %rdx
	setc %al
8:
case flags_live_across_a_store
	sub %rcx, %rax
	mov %rax, 24(%rbx)
	sbb %rdx, %rdx
	cmovs 32(%rbx), %r11
8:
case overflow_survives_checks
	mov $0x7fffffff, %eax
	add $1, %eax
	mov (%rsi), %rcx
	mov %rcx, 64(%rsi)
	seto %dl
	setp %dh
8:
case a_group_of_neighbours
	mov (%rsi), %rax
	mov 8(%rsi), %rcx
	mov %rax, 16(%rsi)
	mov 24(%rsi), %rdx
	mov %rcx, 40(%rsi)
	mov 120(%rsi), %r8
	mov %r8, 128(%rsi)
	cmp %eax, %eax  /* no flags are live before: neighbours share a check */
8:
case a_group_whose_base_changes
	mov (%rsi), %rax
	lea 64(%rsi), %rsi
	mov (%rsi), %rcx
	mov %rcx, 8(%rsi)
	mov %rax, (%rsi)
	cmp %eax, %eax  /* no flags are live before: neighbours share a check */
8:
case a_group_on_the_stack
	push %rax
	push %rcx
	push %r10
	pop %rdx
	mov 8(%rsp), %r8
	pop %r15
	push %rsp
	pop %r9
	cmp %eax, %eax  /* no flags are live before: neighbours share a check */
8:
case stack_pointers_and_frames
	push %rbp
	mov %rsp, %rbp
	sub $32, %rsp
	mov %rax, -8(%rbp)
	mov -8(%rbp), %r11
	leave
	pushq $-5
	pushq (%rsi)
	popq 8(%rsi)
8:
case read_modify_write
	lock incl (%rsi)
	lock xadd %r10, 8(%rsi)
	xchg %r15, 16(%rsi)
	lock cmpxchg %rcx, 24(%rsi)
	neg %r11
	notq 32(%rsi)
	shlq $3, 40(%rsi)
8:
case bit_strings
	mov $1000, %r10d
	bts %r10, (%rsi)
	mov $-70, %r11
	btc %r11, 256(%rsi)
	setc %al
	bt $5, %r15
	setc %cl
8:
case vectors
	movdqu (%rsi), %xmm1
	movups %xmm1, 16(%rsi)
	paddd %xmm1, %xmm5
	movq %r10, %xmm9
	movdqu %xmm9, 61(%rsi)
	cvttsd2si %xmm3, %r11
	movhps 32(%rsi), %xmm12
8:
case relative_to_rip
	mov 1f(%rip), %r10
	lea 1f(%rip), %r11
	add 1f+4(%rip), %r15d
	mov (%r11), %rax
	.byte 0xa9  /* test $..., %eax; its constant is the data */
1:	.long 0x12345678
	mov %rax, %rdx
	nop
	nop
8:
case counts_and_strings
	lea 512(%rsi), %rdi
	mov $5, %ecx
	rep movsb
	movsq
	lodsb
	stosl
	std
	movsb
	cld
	mov $0, %ecx
	rep stosb
8:
case compared_strings
	lea 16(%rsi), %rdi
	mov $64, %ecx
	repe cmpsb
	setne %al
	mov $64, %ecx
	mov %rbx, %rdi
	repne scasb
8:
case flags_by_the_stack
	add %rcx, %rax
	pushfq
	mov (%rsi), %rdx
	cmp %rdx, %rcx
	popfq
	sbb $0, %r10
8:
case high_bytes
	mov %ah, (%rsi)
	mov 1(%rsi), %bh
	mov %bh, %ch
	xor %dh, %dh
8:
case prefetches_and_hints
	prefetcht0 (%rsi)
	pause
	mfence
	mov (%rbx), %r11d
	bswap %r11
8:
	.section .data.rel.ro.cases,"aw"
translate_cases_end:
	.section .note.GNU-stack,"",@progbits
