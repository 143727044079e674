/* SPDX-License-Identifier: MIT
   Saves and restores the x87, SSE and AVX state: xsave reads the header of its area of 832 bytes, and writes the whole
   area. 4 loads, of which 2 miss; 3 stores, which miss 32 lines. */
	.globl _start
	.bss
	.balign 65536
data:	.skip 65536
	.text
_start:	lea data(%rip), %rsi
	mov $7, %eax
	xor %edx, %edx
	xsave (%rsi)                               // a load that misses; misses of the other 12 lines
	xsave 4096(%rsi)
	xrstor 4096(%rsi)
	fxsave 8192(%rsi)                          // 512 bytes: misses of 8 lines
	fxrstor 8192(%rsi)
	mov $60, %eax
	xor %edi, %edi
	syscall
