/* SPDX-License-Identifier: GPL-2.0-or-later
   Thunks between translated code and the functions in call_outs.cc. They keep what the System V ABI lets a function
   clobber of the registers that VEX allocates: rsi, rdi, r8, r9, r10 are saved here; xmm3 to xmm12 are not used by this
   folder's code (CMakeLists.txt keeps the compiler off them), so that a model's answer costs no saving of vectors. What
   does use them, Valgrind's own functions, is called through hm_save_vectors_and_call. */

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

/* hm_on_NAME(first, second, guest state) */
	.macro thunk name
	.globl hm_call_\name
	.type hm_call_\name, @function
	.balign 16
hm_call_\name:
	save_general
	movq %rbp, %rdx
	call hm_on_\name
	restore_general
	ret
	.size hm_call_\name, .-hm_call_\name
	.endm

/* A data access: its packed AccessInfo goes to the common part in rax, which VEX does not allocate. */
	.macro data_thunk name info
	.globl hm_call_\name
	.type hm_call_\name, @function
	.balign 16
hm_call_\name:
	movl $\info, %eax
	jmp data_common
	.size hm_call_\name, .-hm_call_\name
	.endm

	.globl hm_call_data_any
	.type hm_call_data_any, @function
	.balign 16
hm_call_data_any:
	movq hm_access_info, %rax
data_common:
	save_general
	movq %rax, %rdx
	movq %rbp, %rcx
	call hm_on_data                 /* (address, stamp, info, guest state) */
	restore_general
	ret
	.size hm_call_data_any, .-hm_call_data_any

	data_thunk load1 0x1001
	data_thunk load2 0x1002
	data_thunk load4 0x1004
	data_thunk load8 0x1008
	data_thunk load16 0x1010
	data_thunk load32 0x1020
	data_thunk store1 0x2001
	data_thunk store2 0x2002
	data_thunk store4 0x2004
	data_thunk store8 0x2008
	data_thunk store16 0x2010
	data_thunk store32 0x2020

	thunk fetch
	thunk memory_overflow
	thunk buffer_store
	thunk buffer_load
	thunk overflow
	thunk conditional
	thunk indirect
	thunk return
	thunk call
	thunk clock
	thunk undecodable

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
