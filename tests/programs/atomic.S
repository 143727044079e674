// SPDX-License-Identifier: MIT
// Locked instructions read once and write once, also a failing compare-and-exchange: 9 of them, 100 times.
//
// machine --cpu zen4
// expect instr_retired 1404                          14 each time round, 1 before, 3 to exit
// expect memory_loads 900 at add inc xchg xadd equal unequal pair plain bts
// expect memory_stores 900 at add inc xchg xadd equal unequal pair plain bts
	.globl _start
	.data
	.balign 64
buffer:	.skip 64
	.text
_start:	mov $100, %r8d
loop:
add:	lock addq $1, buffer(%rip)
inc:	lock incb buffer+8(%rip)
xchg:	xchg %rbx, buffer+16(%rip)
xadd:	lock xaddl %ecx, buffer+24(%rip)
	xor %eax, %eax
equal:	lock cmpxchg %eax, buffer+32(%rip)
	mov $1, %eax
unequal: lock cmpxchg %ebx, buffer+32(%rip)
	xor %edx, %edx
pair:	lock cmpxchg16b buffer+48(%rip)
plain:	cmpxchg %ecx, buffer+36(%rip)
bts:	lock btsl $3, buffer+40(%rip)
	dec %r8d
	jnz loop
	mov $60, %eax
	xor %edi, %edi
	syscall
