/* SPDX-License-Identifier: MIT
   Blocks that a copy of the code once did otherwise than the code itself, or might: each starts with the flags on the
   stack and ends where all do. They are linked far above the rest of the program, where `far` is within reach, but not
   from copies. */

	.macro case name
	.section .rodata.names, "aMS", @progbits, 1
name_of_\name: .asciz "\name"
	.section .data.cases, "aw"
	.quad name_of_\name, begin_of_\name, end_of_\name
	.section cases, "ax", @progbits
begin_of_\name:
	popfq
	.macro end_case
	jmp end_of_block
end_of_\name:
	.purgem end_case
	.endm
	.endm

	.section .data.cases, "aw"
	.balign 8
	.globl first_case, last_case
first_case:

case scratch_registers_in_every_field
	lea 0x30001000, %r10
	mov $3, %r11d
	mov $5, %r15d
	add %r15, (%r10, %r11, 8)
	xchg %r15, %r11
	imul $7, (%r10, %r15, 2), %r11
	lea (%r11, %r15, 4), %r15
	cmpxchg %r15, 8(%r10)
	xadd %r10, %r11
end_case

case all_three_scratch_registers_at_once
	lea 0x30001000, %r15
	mov $2, %r10d
	lea (%r15, %r10, 8), %r11
	mov %r11, (%r15, %r10, 8)
	shld %cl, %r11, (%r15, %r10, 4)
	andn %r10, %r11, %r15
	mulx %r10, %r11, %r15
	pdep %r15, %r11, %r10
end_case

case flags_across_memory_accesses
	cmp $0x10, %cl
	mov 0x30001000, %rax
	mov %rax, 0x30001108
	adc $0, %rax
	pushfq
	sbb %rbx, 0x30001010
	seto %dl
	rcl $1, %rcx
	lahf
end_case

case high_bytes
	mov %ah, %bl
	add %ch, 0x30001000
	mov 0x30001001, %dh
	xchg %bh, %al
	cmpxchg %ch, 0x30001002
end_case

case bit_strings
	lea 0x30002000, %rsi
	mov $-777, %rax
	bts %rax, (%rsi)
	btr %eax, (%rsi)
	mov $300, %r15d
	btc %r15w, 8(%rsi)
	bt %r15, (%rsi)
	lock bts %r15, (%rsi)
	setc %al
end_case

case strings_in_both_directions
	lea 0x30001000, %rsi
	lea 0x30002000, %rdi
	mov $13, %ecx
	rep movsq
	mov $5, %ecx
	repe cmpsb
	std
	mov $9, %ecx
	rep stosw
	mov $40, %ecx
	repne scasb
	lodsl
	xor %ecx, %ecx
	rep movsb
	pushfq
end_case

case strings_of_32_bit_addresses
	lea 0x30001000, %esi
	lea 0x30002000, %edi
	mov $0x700000007, %rcx
	addr32 rep movsb
end_case

case gathers
	mov $0x30001000, %r11d
	vpcmpeqd %ymm1, %ymm1, %ymm1
	vpsrld $26, %ymm1, %ymm2
	vpgatherdd %ymm1, 8(%r11, %ymm2, 4), %ymm3
	vpxor %xmm1, %xmm1, %xmm1
	vgatherdpd %ymm1, (%r11, %xmm2, 8), %ymm4
	vpcmpeqd %xmm1, %xmm1, %xmm1
	vpsrlq $58, %xmm1, %xmm12
	vpgatherqq %xmm1, (%r11, %xmm12, 1), %xmm5
end_case

case masked_moves
	mov $0x30001000, %r15d
	vmaskmovps (%r15), %ymm1, %ymm2
	vpmaskmovq %ymm2, %ymm3, 64(%r15)
	vmaskmovpd %xmm9, %xmm8, 30(%r15)
end_case

case thread_local_storage
	mov %fs:0x10, %rax
	mov $8, %r10d
	add %rax, %fs:(%r10)
	addr32 mov %fs:(%r10d), %ecx
end_case

case thread_local_storage_that_moves
	rdfsbase %r15
	lea 64(%r15), %r10
	wrfsbase %r10
	mov %fs:8, %rax
	mov %rbx, %fs:0
end_case

case the_red_zone
	mov %rax, -8(%rsp)
	mov %rcx, -128(%rsp)
	mov 0x30001000, %rdx
	mov -8(%rsp), %rbx
	push %r10
	pop %r15
	push %r11
	popq 8(%rsp)
	pushq -64(%rsp)
	push %rsp
	pop %rsp
end_case

case a_write_across_two_pages_and_a_fault_behind
	lea 0x30000ffc, %rsi
	mov %rax, (%rsi)
	mov 0x30003ff8, %rbx
	mov $0x30003ffc, %r15d
	mov %ecx, (%r15)
	inc %r10
	mov %rdx, (%r15)
	inc %r11
end_case

case a_repeated_string_that_faults
	lea 0x30003f00, %rdi
	mov $1000, %ecx
	rep stosl
	inc %rax
end_case

case operands_out_of_the_reach_of_copies
	mov $7, %r15d
	add %r15, far(%rip)
	bsf far(%rip), %r15d
	movl $5, far+8(%rip)
	vmovdqu far+16(%rip), %ymm9
	vpermilps $1, far+32(%rip), %ymm3
	rex.b imul $9, far+40(%rip), %r11
	cmpb $3, far+5(%rip)
	adc far+64(%rip), %r9
	.byte 0x41
	sbb %edx, far+72(%rip)
	pushfq
end_case

case a_fault_out_of_the_reach_of_copies
	movaps far+1(%rip), %xmm0
end_case

case a_fault_while_r15_stands_elsewhere
	xor %r11d, %r11d
	mov %r11, %r10
	lea 9(%r10, %r11), %r15
	imul $3, (%r10, %r15), %r11
end_case

case a_fault_at_the_end_of_the_address_space
	mov $-3, %rax
	movups (%rax), %xmm0
end_case

case counted_jumps
	mov $3, %ecx
	xor %eax, %eax
1:	add $5, %eax
	loop 1b
	jrcxz 2f
	inc %rbx
2:	mov $9, %ecx
3:	dec %edx
	loopne 3b
	pushfq
end_case

case registers_that_no_prefix_puts_into_memory
	.byte 0x0f, 0x21, 0x2d		/* mov %dr5, %rbp */
	nopl 0(%rax, %rax)
end_case

case a_bit_string_whose_address_is_truncated
	mov $-0x3f0000000, %r14
	.byte 0x67, 0x4d, 0x0f, 0xb3, 0x35, 0x10, 0, 0, 0	/* btr %r14, 16(%eip) */
end_case

case an_overflow_trap
	int $4
	nop
end_case

case a_jump_to_where_copies_may_be
	mov $0x58000010, %eax
	jmp *%rax
end_case

case a_jump_to_where_the_engine_is
	movabs $0x554000002000, %rax
	jmp *%rax
end_case

case a_call_to_where_the_engine_is
	movabs $0x554000002000, %rax
	call *%rax
end_case

/* AMD's processors truncate the target to 16 bits, and take a displacement of 16 bits; Intel's ignore the prefix. */
case branches_with_an_operand_size_prefix
	.byte 0x66, 0x0f, 0x85, 0, 0, 0, 0
	.byte 0x66, 0x0f, 0x84, 0, 0, 0, 0
	.byte 0x66, 0xeb, 0
end_case

case a_return_with_an_operand_size_prefix
	push $0x1234
	.byte 0x66, 0xc3
end_case

case a_segment_prefix_without_an_access
	.byte 0x65
	nop
	.byte 0x65
	push %rax
	.byte 0x65
	cmc
end_case

	.section .data.cases, "aw"
last_case:
	.section .note.GNU-stack,"",@progbits
