// SPDX-License-Identifier: MIT
// At every access of the loop, every integer register is a function of the counter rcx (1 to 64), and so are the flags:
//   rax 3c   rbx c + 7   rdx c ^ 0x55   rsi the line's address   rdi 5c   rbp c + 0x1000   r8..r14 c * (9..15)
//   r15 ~c   rsp the initial value, which is 4096 below the top of the stack buffer
//   flags: of `cmp $32, %rcx`: carry if c < 32, zero if c = 32, sign if c < 32. adc reads them after the last access,
//   because some engines do not preserve unread flags
// Each line of the buffer is touched once: rsi = buffer + 64c. Loads of 4, 8 and 16 bytes and a store, by label.
	.globl _start
	.bss
	.balign 65536
buffer:	.skip 65536
	.balign 4096
stack:	.skip 8192
	.text
_start:	lea stack+4096(%rip), %rsp
	mov $64, %ecx
loop:	lea buffer(%rip), %rsi
	mov %rcx, %rax
	shl $6, %rax
	add %rax, %rsi
	lea (%rcx, %rcx, 2), %rax
	lea 7(%rcx), %rbx
	mov %rcx, %rdx
	xor $0x55, %rdx
	lea (%rcx, %rcx, 4), %rdi
	lea 0x1000(%rcx), %rbp
	imul $9, %rcx, %r8
	imul $10, %rcx, %r9
	imul $11, %rcx, %r10
	imul $12, %rcx, %r11
	imul $13, %rcx, %r12
	imul $14, %rcx, %r13
	imul $15, %rcx, %r14
	mov %rcx, %r15
	not %r15
	cmp $32, %rcx
load4:	pinsrd $1, 4(%rsi), %xmm0
load8:	movhps 0x4000+8(%rsi), %xmm0
load16:	movups 0x8000(%rsi), %xmm1
store8:	mov %rdx, 0xc000+16(%rsi)
	adc $0, %rdx
	lea -1(%rcx), %rcx
	jrcxz exit
	jmp loop
exit:	mov $60, %eax
	xor %edi, %edi
	syscall
