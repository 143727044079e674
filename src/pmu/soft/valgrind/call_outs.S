/* SPDX-License-Identifier: GPL-2.0-or-later
   Thunks between translated code and the functions in call_outs.cc. They save what the System V ABI lets a function
   clobber of the registers that VEX allocates (rsi, rdi, r8, r9, r10, xmm3 to xmm12). */

	.text
	.globl hm_thunks_begin, hm_thunks_end
hm_thunks_begin:

	.macro thunk name
	.globl hm_call_\name
	.type hm_call_\name, @function
	.balign 16
hm_call_\name:
	pushq %rsi
	pushq %rdi
	pushq %r8
	pushq %r9
	pushq %r10
	subq $160, %rsp
	movaps %xmm3, 0(%rsp)
	movaps %xmm4, 16(%rsp)
	movaps %xmm5, 32(%rsp)
	movaps %xmm6, 48(%rsp)
	movaps %xmm7, 64(%rsp)
	movaps %xmm8, 80(%rsp)
	movaps %xmm9, 96(%rsp)
	movaps %xmm10, 112(%rsp)
	movaps %xmm11, 128(%rsp)
	movaps %xmm12, 144(%rsp)
	movq %rbp, %rdx
	call hm_on_\name
	movaps 0(%rsp), %xmm3
	movaps 16(%rsp), %xmm4
	movaps 32(%rsp), %xmm5
	movaps 48(%rsp), %xmm6
	movaps 64(%rsp), %xmm7
	movaps 80(%rsp), %xmm8
	movaps 96(%rsp), %xmm9
	movaps 112(%rsp), %xmm10
	movaps 128(%rsp), %xmm11
	movaps 144(%rsp), %xmm12
	addq $160, %rsp
	popq %r10
	popq %r9
	popq %r8
	popq %rdi
	popq %rsi
	ret
	.size hm_call_\name, .-hm_call_\name
	.endm

	thunk data
	thunk fetch
	thunk overflow
	thunk memory_overflow
	thunk store
	thunk load
	thunk conditional
	thunk indirect
	thunk return
	thunk call
	thunk clock
	thunk undecodable

hm_thunks_end:
	.section .note.GNU-stack,"",@progbits
