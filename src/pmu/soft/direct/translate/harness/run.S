/* SPDX-License-Identifier: MIT
   translate_run(state, code): loads the state, runs the code, which ends at translate_end, and stores the state.
   translate_thunks: the thunks that copies call. Each thunk records its call. */
#include "pmu/soft/direct/core/core_offsets.h"
#include "pmu/soft/direct/translate/harness/state.h"

	.text
	.globl translate_run
	.type translate_run, @function
translate_run:
	push %rbx
	push %rbp
	push %r12
	push %r13
	push %r14
	push %r15
	mov %rsp, host_stack(%rip)
	mov %rdi, state(%rip)
	mov %rsi, code(%rip)
	.irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
	movups STATE_VECTORS+16*\n(%rdi), %xmm\n
	.endr
	pushq STATE_FLAGS(%rdi)
	mov 8*0(%rdi), %rax
	mov 8*1(%rdi), %rcx
	mov 8*2(%rdi), %rdx
	mov 8*3(%rdi), %rbx
	mov 8*5(%rdi), %rbp
	mov 8*6(%rdi), %rsi
	mov 8*8(%rdi), %r8
	mov 8*9(%rdi), %r9
	mov 8*10(%rdi), %r10
	mov 8*11(%rdi), %r11
	mov 8*12(%rdi), %r12
	mov 8*13(%rdi), %r13
	mov 8*14(%rdi), %r14
	mov 8*15(%rdi), %r15
	popfq
	mov 8*4(%rdi), %rsp
	mov 8*7(%rdi), %rdi
	jmp *code(%rip)

	.globl translate_end
translate_end:
	mov %rsp, their_stack(%rip)
	mov host_stack(%rip), %rsp
	pushfq
	push %rdi
	mov state(%rip), %rdi
	mov %rax, 8*0(%rdi)
	mov %rcx, 8*1(%rdi)
	mov %rdx, 8*2(%rdi)
	mov %rbx, 8*3(%rdi)
	mov their_stack(%rip), %rax
	mov %rax, 8*4(%rdi)
	mov %rbp, 8*5(%rdi)
	mov %rsi, 8*6(%rdi)
	pop 8*7(%rdi)
	pop STATE_FLAGS(%rdi)
	mov %r8, 8*8(%rdi)
	mov %r9, 8*9(%rdi)
	mov %r10, 8*10(%rdi)
	mov %r11, 8*11(%rdi)
	mov %r12, 8*12(%rdi)
	mov %r13, 8*13(%rdi)
	mov %r14, 8*14(%rdi)
	mov %r15, 8*15(%rdi)
	.irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
	movups %xmm\n, STATE_VECTORS+16*\n(%rdi)
	.endr
	cld
	pop %r15
	pop %r14
	pop %r13
	pop %r12
	pop %rbp
	pop %rbx
	ret
	.size translate_run, .-translate_run

	.macro note_call number
	push %rax
	push %rcx
	mov translate_calls(%rip), %rax
	lea translate_log(%rip), %rcx
	imul $CALL_BYTES, %rax, %rax
	add %rax, %rcx
	movq $\number, (%rcx)
	mov %r10, 8(%rcx)
	mov %r11, 16(%rcx)
	mov %r15, 24(%rcx)
	incq translate_calls(%rip)
	pop %rcx
	pop %rax
	.endm

/* As in switch.S, these thunks change flags, r10 and r11. */
	.irp n, 1,2,5,6,7,8,9,10,11,12
thunk_\n:
	note_call \n
	movl $CORE_NOWHERE, %r11d
	movl $-1, %r10d
	testl %r10d, %r10d
	ret
	.endr
/* The thunks for strings and elements preserve flags. */
	.irp n, 3,4
thunk_\n:
	pushfq
	note_call \n
	popfq
	movl $CORE_NOWHERE, %r11d
	movl $-1, %r10d
	ret
	.endr

	.section .data.rel.ro,"aw"
	.balign 8
	.globl translate_thunks
translate_thunks:
	.quad translate_end
	.irp n, 1,2,3,4,5,6,7,8,9,10,11,12
	.quad thunk_\n
	.endr

	.bss
	.balign 8
host_stack: .skip 8
their_stack: .skip 8
state:	.skip 8
code:	.skip 8
	.globl translate_calls, translate_log
translate_calls: .skip 8
translate_log: .skip CALL_BYTES*4096
	.section .note.GNU-stack,"",@progbits
