/* SPDX-License-Identifier: GPL-2.0-or-later
   Thunks between translated code and the functions in call_outs.cc. They preserve the registers that VEX allocates and
   that the System V ABI lets a function clobber. rsi, rdi, r8, r9, r10 are saved here. xmm3 to xmm12 are not used by
   this folder's code (CMakeLists.txt keeps the compiler off them), so a call of a model saves no vectors. Valgrind's own
   functions do use them, and are called through hm_save_vectors_and_call. */

	.text
	.globl hm_thunks_begin, hm_thunks_end
hm_thunks_begin:

	.macro save_general
	pushq %rsi
	pushq %rdi
	pushq %r8
	pushq %r9
	pushq %r10
	.endm

	.macro restore_general
	popq %r10
	popq %r9
	popq %r8
	popq %rdi
	popq %rsi
	.endm

	.macro begin_thunk name
	.globl hm_call_\name
	.type hm_call_\name, @function
	.balign 16
hm_call_\name:
	save_general
	.endm

	.macro end_thunk name
	call hm_on_\name
	restore_general
	ret
	.size hm_call_\name, .-hm_call_\name
	.endm

/* hm_on_NAME(first, second, guest state) */
	.macro thunk name
	begin_thunk \name
	movq %rbp, %rdx
	end_thunk \name
	.endm

/* hm_on_NAME(argument, guest state, stamp, info), from a site's rdi, rdx and eax */
	.macro site_thunk name
	begin_thunk \name
	movq %rbp, %rsi
	movl %eax, %ecx
	end_thunk \name
	.endm

/* hm_on_fetch(index of the line, guest state, stamp, page), from a site's eax, rdx and rcx */
	begin_thunk fetch
	movl %eax, %edi
	movq %rbp, %rsi
	end_thunk fetch

	site_thunk data
	site_thunk memory_overflow
	site_thunk buffer_store
	site_thunk buffer_load
	site_thunk sizes
	site_thunk overflow
	site_thunk clock
	thunk conditional
	thunk indirect
	thunk return
	thunk call
	thunk undecodable
	thunk enter
	thunk leave
	thunk allocate
	thunk allocated

hm_thunks_end:

/* hm_save_vectors_and_call(function, argument): calls function(argument). */
	.globl hm_save_vectors_and_call
	.type hm_save_vectors_and_call, @function
	.balign 16
hm_save_vectors_and_call:
	subq $168, %rsp
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
	movq %rdi, %rax
	movq %rsi, %rdi
	call *%rax
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
	addq $168, %rsp
	ret
	.size hm_save_vectors_and_call, .-hm_save_vectors_and_call
	.section .note.GNU-stack,"",@progbits
