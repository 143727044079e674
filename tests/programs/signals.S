// SPDX-License-Identifier: MIT
// A signal handler on a stack of its own changes every register that main relies on. After its return all registers are
// as before (the program checks this, and exits with 1 otherwise). 10 rounds:
//   getpid and kill 6 instructions, handler 7, restorer 2, checks 10, dec and jnz: 27; 7 of them branches (ret, 5 jne, jnz)
// 14 instructions before, 4 to exit with a jmp. Cold lines: the handler's value, and the signal frame, from which its ret
// reads the return address. The kernel writes this frame outside the model.
//
// machine --cpu zen4
// expect instr_retired 288
// expect branch_retired 71
// expect l1_cache_miss 2 at handler_load handler_return
// expect memory_loads 20 at handler_load handler_return
// expect memory_stores 0
	.globl _start
	.data
	.balign 64
value:	.quad 1
action:	.quad handler, 0x0c000004, restorer, 0     // SA_SIGINFO | SA_RESTORER | SA_ONSTACK
stack:	.quad memory, 0, 65536
	.bss
	.balign 4096
memory:	.skip 65536
	.text
_start:	mov $131, %eax                             // sigaltstack
	lea stack(%rip), %rdi
	xor %esi, %esi
	syscall
	mov $13, %eax                              // rt_sigaction(SIGUSR1)
	mov $10, %edi
	lea action(%rip), %rsi
	xor %edx, %edx
	mov $8, %r10d
	syscall
	mov $10, %ebx
	mov $0x1111, %ebp
	mov $0x2222, %r12d
	mov $0x3333, %r13d
round:	mov $39, %eax                              // getpid
	syscall
	mov %eax, %edi
	mov $10, %esi
	mov $62, %eax                              // kill
	syscall
	cmp $0x1111, %rbp
	jne wrong
	cmp $0x2222, %r12
	jne wrong
	cmp $0x3333, %r13
	jne wrong
	cmp $10, %rsi
	jne wrong
	test %rax, %rax
	jne wrong
	dec %ebx
	jnz round
	xor %edi, %edi
	jmp exit
wrong:	mov $1, %edi
exit:	mov $60, %eax
	syscall
handler: xor %ebp, %ebp
	xor %ebx, %ebx
	xor %r12d, %r12d
	xor %r13d, %r13d
handler_load: mov value(%rip), %rax
	add %rax, %rsi
handler_return: ret
restorer: mov $15, %eax                            // rt_sigreturn
	syscall
