// SPDX-License-Identifier: MIT
// Repeated string instructions: each iteration is an instruction, and one more tests for the end if the count ran out
// (not if a comparison ended it).
//   rep movsb, 100 times: 101 instructions, 100 loads, 100 stores      rep stosq, 50 times: 51 instructions, 50 stores
//   lodsl: 1 load                                                       repe cmpsb, 20 equal: 21 instructions, 40 loads
//   repne scasb, found at the 10th: 10 instructions, 10 loads          15 instructions between them, 3 to exit
//
// machine --cpu zen4
// expect instr_retired 202
// expect memory_loads 151 at movs lods cmps scas
// expect memory_stores 150 at movs stos
	.globl _start
	.data
	.balign 64
from:	.skip 128
to:	.skip 512
	.byte 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0
	.set found, to+512
	.text
_start:	cld
	lea from(%rip), %rsi
	lea to(%rip), %rdi
	mov $100, %ecx
movs:	rep movsb
	xor %eax, %eax
	mov $50, %ecx
	lea to(%rip), %rdi
stos:	rep stosq
	lea from(%rip), %rsi
lods:	lodsl
	mov %eax, %ebx
	mov $20, %ecx
	lea from(%rip), %rsi
	lea to(%rip), %rdi
cmps:	repe cmpsb
	lea found(%rip), %rdi
	mov $1, %eax
	mov $20, %ecx
scas:	repne scasb
	mov $60, %eax
	xor %edi, %edi
	syscall
