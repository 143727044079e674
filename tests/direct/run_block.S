/* SPDX-License-Identifier: MIT
   run_block(state, code): loads the state, runs the code, which ends by a jump to end_of_block, and stores the state. */
#include "block_state.h"

	.macro each_vector do
	.irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
	\do \n
	.endr
	.endm
	.macro load_ymm n
	vmovdqu STATE_VECTORS+64*\n(%rdi), %ymm\n
	.endm
	.macro store_ymm n
	vmovdqu %ymm\n, STATE_VECTORS+64*\n(%rdi)
	.endm

	.text
	.globl run_block
	.type run_block, @function
run_block:
	push %rbx
	push %rbp
	push %r12
	push %r13
	push %r14
	push %r15
	mov %rsp, host_stack(%rip)
	mov %rdi, state(%rip)
	mov %rsi, code(%rip)
	fxrstor64 STATE_X87(%rdi)
	cmpb $0, has_avx512(%rip)
	je 1f
	.irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	vmovdqu64 STATE_VECTORS+64*\n(%rdi), %zmm\n
	.endr
	.irp n, 0,1,2,3,4,5,6,7
	kmovq STATE_MASKS+8*\n(%rdi), %k\n
	.endr
	jmp 2f
1:	each_vector load_ymm
2:	mov STATE_REGISTERS+8*0(%rdi), %rax
	mov STATE_REGISTERS+8*1(%rdi), %rcx
	mov STATE_REGISTERS+8*2(%rdi), %rdx
	mov STATE_REGISTERS+8*3(%rdi), %rbx
	mov STATE_REGISTERS+8*4(%rdi), %rsp
	mov STATE_REGISTERS+8*5(%rdi), %rbp
	mov STATE_REGISTERS+8*6(%rdi), %rsi
	mov STATE_REGISTERS+8*8(%rdi), %r8
	mov STATE_REGISTERS+8*9(%rdi), %r9
	mov STATE_REGISTERS+8*10(%rdi), %r10
	mov STATE_REGISTERS+8*11(%rdi), %r11
	mov STATE_REGISTERS+8*12(%rdi), %r12
	mov STATE_REGISTERS+8*13(%rdi), %r13
	mov STATE_REGISTERS+8*14(%rdi), %r14
	mov STATE_REGISTERS+8*15(%rdi), %r15
	mov STATE_REGISTERS+8*7(%rdi), %rdi
	jmp *code(%rip)

	.globl end_of_block
end_of_block:
	mov %rsp, their_stack(%rip)
	.globl end_of_faulted_block
end_of_faulted_block:
	mov host_stack(%rip), %rsp
	pushfq
	push %rdi
	mov state(%rip), %rdi
	mov %rax, STATE_REGISTERS+8*0(%rdi)
	mov %rcx, STATE_REGISTERS+8*1(%rdi)
	mov %rdx, STATE_REGISTERS+8*2(%rdi)
	mov %rbx, STATE_REGISTERS+8*3(%rdi)
	mov their_stack(%rip), %rax
	mov %rax, STATE_REGISTERS+8*4(%rdi)
	mov %rbp, STATE_REGISTERS+8*5(%rdi)
	mov %rsi, STATE_REGISTERS+8*6(%rdi)
	pop STATE_REGISTERS+8*7(%rdi)
	pop STATE_FLAGS(%rdi)
	mov %r8, STATE_REGISTERS+8*8(%rdi)
	mov %r9, STATE_REGISTERS+8*9(%rdi)
	mov %r10, STATE_REGISTERS+8*10(%rdi)
	mov %r11, STATE_REGISTERS+8*11(%rdi)
	mov %r12, STATE_REGISTERS+8*12(%rdi)
	mov %r13, STATE_REGISTERS+8*13(%rdi)
	mov %r14, STATE_REGISTERS+8*14(%rdi)
	mov %r15, STATE_REGISTERS+8*15(%rdi)
	fxsave64 STATE_X87(%rdi)
	cmpb $0, has_avx512(%rip)
	je 1f
	.irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	vmovdqu64 %zmm\n, STATE_VECTORS+64*\n(%rdi)
	.endr
	.irp n, 0,1,2,3,4,5,6,7
	kmovq %k\n, STATE_MASKS+8*\n(%rdi)
	.endr
	jmp 2f
1:	each_vector store_ymm
2:	vzeroupper
	fninit
	ldmxcsr usual_control(%rip)
	cld
	pop %r15
	pop %r14
	pop %r13
	pop %r12
	pop %rbp
	pop %rbx
	ret
	.size run_block, .-run_block

	.data
	.globl has_avx512
has_avx512: .byte 0
	.balign 8
host_stack: .quad 0
	.globl their_stack
their_stack: .quad 0
state:	.quad 0
code:	.quad 0
usual_control: .long 0x1f80
	.section .note.GNU-stack,"",@progbits
