// SPDX-License-Identifier: MIT
// Loads that the memory order buffer replays: 3 of 6, 100 rounds. Each pair has separate lines.
//   wider:  loads 8 bytes, 4 of them just stored: blocked                     partly: overlaps the store's end: blocked
//   inside: within the store: forwarded                                       alias: another page, same low 12 bits
//   other:  another line: free                                                old: the store is 100 instructions ago: free
//
// machine --cpu zen4
// expect mob_load_replay_retired 300 at wider partly alias
// expect memory_loads 600
// expect memory_stores 500
	.globl _start
	.bss
	.balign 4096
buffer:	.skip 8192
	.text
_start:	lea buffer(%rip), %rsi
	mov $100, %ecx
loop:	mov %eax, (%rsi)
wider:	mov (%rsi), %rbx
	mov %rax, 64(%rsi)
partly:	mov 70(%rsi), %ebx
	mov %rax, 128(%rsi)
	mov 132(%rsi), %ebx
	mov %rax, 192(%rsi)
alias:	mov 4288(%rsi), %rbx
	mov 256(%rsi), %rbx
	mov %al, 320(%rsi)
	.rept 100
	nop
	.endr
	mov 320(%rsi), %rbx
	dec %ecx
	jnz loop
	mov $60, %eax
	xor %edi, %edi
	syscall
