/* SPDX-License-Identifier: MIT
   Transitions between copied code and the engine's own code. The engine's code runs on a stack of its own. It
   is compiled to use only general registers and xmm0 to xmm3, so only these registers are saved.
   Offsets into Core are those of core.h: core_offsets_check.cc compares them. */
#include "pmu/soft/direct/core/core_offsets.h"

	.text

/* Saves the registers that compiled code may change. The engine's own code preserves rbx, rbp and r12 to r15. */
	.macro push_changed
	pushq %rax
	pushq %rcx
	pushq %rdx
	pushq %rsi
	pushq %rdi
	pushq %r8
	pushq %r9
	.endm

	.macro pop_changed
	popq %r9
	popq %r8
	popq %rdi
	popq %rsi
	popq %rdx
	popq %rcx
	popq %rax
	.endm

	.macro store_vectors segment="", at, base=""
	movaps %xmm0, \segment\at\base
	movaps %xmm1, \segment\at+16\base
	movaps %xmm2, \segment\at+32\base
	movaps %xmm3, \segment\at+48\base
	.endm

	.macro load_vectors segment="", at, base=""
	movaps \segment\at\base, %xmm0
	movaps \segment\at+16\base, %xmm1
	movaps \segment\at+32\base, %xmm2
	movaps \segment\at+48\base, %xmm3
	.endm

/* store_kept and store_changed write to the context all registers of copied code that the host holds, except
   rsp. */
	.macro store_kept
	movq %rbx, %gs:CORE_REGISTER(3)
	movq %rbp, %gs:CORE_REGISTER(5)
	movq %r12, %gs:CORE_REGISTER(12)
	movq %r13, %gs:CORE_REGISTER(13)
	movq %r14, %gs:CORE_REGISTER(14)
	.endm

	.macro store_changed
	movq %rax, %gs:CORE_REGISTER(0)
	movq %rcx, %gs:CORE_REGISTER(1)
	movq %rdx, %gs:CORE_REGISTER(2)
	movq %rsi, %gs:CORE_REGISTER(6)
	movq %rdi, %gs:CORE_REGISTER(7)
	movq %r8, %gs:CORE_REGISTER(8)
	movq %r9, %gs:CORE_REGISTER(9)
	.endm

/* Every exit of copied code jumps here. r10 is the exit's number. */
	.globl hm_leave
	.type hm_leave, @function
	.balign 16
hm_leave:
	movq %r10, %gs:CORE_EXIT
	movq %rsp, %gs:CORE_REGISTER(4)
	movq %gs:CORE_ENGINE_STACK, %rsp
	pushfq
	popq %gs:CORE_FLAGS
	cld
	testl $ALIGNMENT_CHECK, %gs:CORE_FLAGS  /* the engine's own code would fault with this flag */
	jz 1f
	pushq $2
	popfq
1:
	store_changed
	store_kept
	movq %r15, %gs:CORE_TICK
	store_vectors "%gs:", CORE_VECTORS
	movq %gs:0, %rdi
	call hm_next_code
/* rax: where to continue. The core keeps all values that are loaded here: after a signal within this code,
   the loads start again. */
hm_resume:
	movq %rax, %gs:CORE_RESUME
	.globl hm_resume_check, hm_resume_end
hm_resume_check:
	cmpq $0, %gs:CORE_ATTENTION
	jne hm_attend_first
	load_vectors "%gs:", CORE_VECTORS
	testl $ALIGNMENT_CHECK, %gs:CORE_FLAGS
	jz 1f
	movq $1, %gs:CORE_CHECKS_ALIGNMENT
1:	pushq %gs:CORE_FLAGS
	popfq
	movq %gs:CORE_REGISTER(0), %rax
	movq %gs:CORE_REGISTER(1), %rcx
	movq %gs:CORE_REGISTER(2), %rdx
	movq %gs:CORE_REGISTER(3), %rbx
	movq %gs:CORE_REGISTER(5), %rbp
	movq %gs:CORE_REGISTER(6), %rsi
	movq %gs:CORE_REGISTER(7), %rdi
	movq %gs:CORE_REGISTER(8), %r8
	movq %gs:CORE_REGISTER(9), %r9
	movq %gs:CORE_REGISTER(12), %r12
	movq %gs:CORE_REGISTER(13), %r13
	movq %gs:CORE_REGISTER(14), %r14
	movq %gs:CORE_TICK, %r15
	movq %gs:CORE_REGISTER(4), %rsp
	jmp *%gs:CORE_RESUME
hm_resume_end:
	.size hm_leave, .-hm_leave

hm_attend_first:
	movq %gs:0, %rdi
	call hm_attend
	jmp hm_resume

/* Reached when the target's state is consistent and a signal is to be delivered. A tracer may suppress the trap. */
	.globl hm_trap_for_signal
hm_trap_for_signal:
	int3
	jmp hm_trap_for_signal

	.globl hm_signal_entry, hm_signal_return
hm_signal_entry:
	pushq $2  /* no direction flag, and no alignment check, with which this code would fault */
	popfq
	jmp hm_on_signal
/* rt_sigreturn(2) keeps these two flags as they are (arch/x86/kernel/signal_64.c, FIX_EFLAGS), and hm_signal_entry
   has cleared them. */
hm_signal_return:
	movl USER_CONTEXT_FLAGS(%rsp), %eax
	andl $(NESTED_TASK | IDENTIFICATION), %eax
	orl $2, %eax
	pushq %rax
	popfq
	movl $15, %eax  /* rt_sigreturn */
	syscall

/* hm_return_from_signal(context) */
	.globl hm_return_from_signal
hm_return_from_signal:
	movq %rdi, %rsp
	jmp hm_signal_return

/* hm_enter(code): runs copied code at that address with the core's registers; never returns. */
	.globl hm_enter
	.type hm_enter, @function
hm_enter:
	movq %rdi, %rax
	movq %gs:CORE_ENGINE_STACK, %rsp  /* aligned for hm_attend, as in hm_leave */
	jmp hm_resume
	.size hm_enter, .-hm_enter

/* The engine's own code would fault with the alignment check flag, which copied code may have set. Thunks of
   single accesses and branches save no flags: copied code has saved those that it needs. */
	.macro clear_alignment_check
	pushfq
	popq %gs:CORE_THUNK_FLAGS
	pushq $2
	popfq
	.endm

/* Thunks of checks: called on the engine's stack, with r10 and r11 as arguments. They preserve all other
   registers, but not the flags. */
	.macro begin_thunk name
	.globl hm_call_\name
	.type hm_call_\name, @function
	.balign 16
hm_call_\name:
	cmpq $0, %gs:CORE_CHECKS_ALIGNMENT
	jne 2f
1:	push_changed
	subq $64, %rsp
	store_vectors at=0, base="(%rsp)"
	movq %gs:0, %rdi
	.subsection 1
2:	clear_alignment_check
	jmp 1b
	.previous
	.endm

	.macro end_thunk name
	call hm_on_\name
	testl %eax, %eax
	jnz hm_samples_due
	jmp hm_end_of_thunk
	.size hm_call_\name, .-hm_call_\name
	.endm

/* hm_on_fetch(core, page, tick, line): r10 is the page's offset, r11 the line's index and the ticks before it */
	begin_thunk fetch
	movq %r10, %rsi
	movl %r11d, %ecx
	shrl $FETCH_TICK_BITS, %ecx
	andl $((1 << FETCH_TICK_BITS) - 1), %r11d
	leaq (%r15,%r11), %rdx
	end_thunk fetch

/* Each thunk calls a function (core, address, tick, what): r10 is the address of the access or branch; r11
   describes the access or branch in its low bits, and has the ticks before it above these. */
	.macro event_thunk name
	begin_thunk \name
	movq %r10, %rsi
	movl %r11d, %ecx
	shrl $ACCESS_BITS, %r11d
	leaq (%r15,%r11), %rdx
	end_thunk \name
	.endm

/* hm_on_data has one more argument: the return address in copied code. */
	begin_thunk data
	movq %r10, %rsi
	movl %r11d, %ecx
	shrl $ACCESS_BITS, %r11d
	leaq (%r15,%r11), %rdx
	movq 120(%rsp), %r8
	end_thunk data

	event_thunk overflow
	event_thunk memory
	event_thunk store_buffer
	event_thunk sizes
	event_thunk branch
	event_thunk clock
	event_thunk pause

/* Thunks of instructions with many accesses: (core, r10, tick), where r11 is only the ticks. They preserve
   flags too, and may advance the tick. The target's registers are in the context, where samples read them. */
	.macro many_thunk name
	.globl hm_call_\name
	.type hm_call_\name, @function
	.balign 16
hm_call_\name:
	pushfq
	push_changed
	subq $72, %rsp
	store_vectors at=0, base="(%rsp)"
	store_changed
	store_kept
	movq 128(%rsp), %rax
	movq %rax, %gs:CORE_FLAGS
	cld
	testl $ALIGNMENT_CHECK, %eax
	jz 2f
	pushq $2
	popfq
2:	movq %r15, %gs:CORE_TICK
	movq %gs:0, %rdi
	movq %r10, %rsi
	leaq (%r15,%r11), %rdx
	call hm_on_\name
	movq %gs:CORE_TICK, %r15
	load_vectors at=0, base="(%rsp)"
	addq $72, %rsp
	pop_changed
	cmpq $0, %gs:CORE_ATTENTION
	jne 1f
	popfq
	ret
1:	popfq
	jmp hm_step_on
	.size hm_call_\name, .-hm_call_\name
	.endm

	many_thunk string
	many_thunk elements

/* hm_on_heap(core, address, what): r10 is the target's instruction pointer, r11 is `what` (heap.cc). The
   target's registers are in the context meanwhile. */
	.globl hm_call_heap
	.type hm_call_heap, @function
	.balign 16
hm_call_heap:
	cmpq $0, %gs:CORE_CHECKS_ALIGNMENT
	je 1f
	clear_alignment_check
1:	push_changed
	subq $64, %rsp
	store_vectors at=0, base="(%rsp)"
	store_changed
	store_kept
	movq %gs:0, %rdi
	movq %r10, %rsi
	movl %r11d, %edx
	call hm_on_heap
	jmp hm_end_of_thunk
	.size hm_call_heap, .-hm_call_heap

hm_samples_due:
	store_kept
	movq 112(%rsp), %rax
	movq %rax, %gs:CORE_REGISTER(0)
	movq 104(%rsp), %rax
	movq %rax, %gs:CORE_REGISTER(1)
	movq 96(%rsp), %rax
	movq %rax, %gs:CORE_REGISTER(2)
	movq 88(%rsp), %rax
	movq %rax, %gs:CORE_REGISTER(6)
	movq 80(%rsp), %rax
	movq %rax, %gs:CORE_REGISTER(7)
	movq 72(%rsp), %rax
	movq %rax, %gs:CORE_REGISTER(8)
	movq 64(%rsp), %rax
	movq %rax, %gs:CORE_REGISTER(9)
	movq %gs:0, %rdi
	movq 120(%rsp), %rsi
	pushfq
	subq $8, %rsp
	cld
	call hm_take_samples
	addq $8, %rsp
	popfq

/* Loads the values with which a check that called the model continues (translator_groups.cc). */
hm_end_of_thunk:
	load_vectors at=0, base="(%rsp)"
	addq $64, %rsp
	pop_changed
	movl $CORE_NOWHERE, %r11d
	movl $-1, %r10d
	cmpq $0, %gs:CORE_CHECKS_ALIGNMENT
	jne 2f
1:	cmpq $0, %gs:CORE_ATTENTION
	jne hm_step_on
	ret
2:	pushq %gs:CORE_THUNK_FLAGS
	popfq
	jmp 1b
/* A signal is pending: the thread single-steps to a point where the target's state is consistent. */
hm_step_on:
	pushfq
	orq $0x100, (%rsp)
	popfq
	ret

/* hm_raw_system_call(context, number, child, signal arrived). A child that shares this memory gets another
   stack at once. */
	.globl hm_raw_system_call, hm_system_call_instruction, hm_system_call_return
	.type hm_raw_system_call, @function
hm_raw_system_call:
	pushq %rbx
	movq %rsi, %rax
	movq %rdx, %rbx
	.globl hm_system_call_check
hm_system_call_check:
	cmpl $0, (%rcx)
	jne 2f
	movq CONTEXT_REGISTER(6)(%rdi), %rsi
	movq CONTEXT_REGISTER(2)(%rdi), %rdx
	movq CONTEXT_REGISTER(10)(%rdi), %r10
	movq CONTEXT_REGISTER(8)(%rdi), %r8
	movq CONTEXT_REGISTER(9)(%rdi), %r9
	movq CONTEXT_REGISTER(7)(%rdi), %rdi
hm_system_call_instruction:
	syscall
hm_system_call_return:
	testq %rax, %rax
	jnz 1f
	testq %rbx, %rbx
	jz 1f
	movq %rbx, %rdi
	movq THREAD_STACK(%rbx), %rsp
	xorl %ebp, %ebp
	call hm_begin_thread
	ud2
1:	popq %rbx
	ret
2:	movq $-512, %rax
	jmp 1b
	.size hm_raw_system_call, .-hm_raw_system_call

/* hm_copy(to, from, bytes): returns 1, or 0 if a fault ended the copy: hm_on_signal then continues at
   hm_copy_failed. */
	.globl hm_copy, hm_copy_instruction, hm_copy_failed
	.type hm_copy, @function
hm_copy:
	movq %rdx, %rcx
	movl $1, %eax
hm_copy_instruction:
	rep movsb
	ret
hm_copy_failed:
	xorl %eax, %eax
	ret
	.size hm_copy, .-hm_copy

/* hm_exit_thread(status, stack in use): the last instructions need no stack. */
	.globl hm_exit_thread
	.type hm_exit_thread, @function
hm_exit_thread:
	movl $60, %eax
	movl $0, (%rsi)
	syscall
	ud2
	.size hm_exit_thread, .-hm_exit_thread

/* First instruction of the engine for each thread that is taken over; rdi is the ProcessArea. One thread at a
   time: all use the first stack, which belongs to the process. */
	.globl hm_start
	.type hm_start, @function
hm_start:
	movups %xmm0, START_VECTORS(%rdi)
	movups %xmm1, START_VECTORS+16(%rdi)
	movups %xmm2, START_VECTORS+32(%rdi)
	movups %xmm3, START_VECTORS+48(%rdi)
	leaq hm_first_stack_end(%rip), %rsp
	pushq $2
	popfq
	xorl %ebp, %ebp
	call hm_arrive
	movq THREAD_STACK(%rax), %rsp
	movq %rax, %rdi
	call hm_begin_arrived
	ud2
	.size hm_start, .-hm_start

/* hm_leave_call(thread, call): the launcher continues a thread here if it slept in a system call of the
   target. */
	.globl hm_leave_call
	.type hm_leave_call, @function
hm_leave_call:
	movq THREAD_STACK(%rdi), %rsp
	pushq $2
	popfq
	xorl %ebp, %ebp
	call hm_leave_asleep
	ud2
	.size hm_leave_call, .-hm_leave_call

/* hm_go_native(context, frame, call): loads the registers that the trampoline does not load, and jumps to the
   trampoline. */
	.globl hm_go_native
	.type hm_go_native, @function
hm_go_native:
	load_vectors at=CONTEXT_VECTORS, base="(%rdi)"
	movq CONTEXT_REGISTER(3)(%rdi), %rbx
	movq CONTEXT_REGISTER(5)(%rdi), %rbp
	movq CONTEXT_REGISTER(12)(%rdi), %r12
	movq CONTEXT_REGISTER(13)(%rdi), %r13
	movq CONTEXT_REGISTER(14)(%rdi), %r14
	movq CONTEXT_REGISTER(15)(%rdi), %r15
	movq %rsi, %rsp
	movq (%rdx), %rax
	movq 8(%rdx), %rdi
	movq 16(%rdx), %rsi
	movq 32(%rdx), %r10
	movq 40(%rdx), %rcx
	movq 24(%rdx), %rdx
	jmp *%rcx
	.size hm_go_native, .-hm_go_native

	.bss
	.balign 64
	.skip 65536
hm_first_stack_end:
	.section .note.GNU-stack,"",@progbits
