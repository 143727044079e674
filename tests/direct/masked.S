/* SPDX-License-Identifier: MIT
   Accesses of AVX-512 under masks: an operand of 64 bytes that lies in two lines is touched where the mask lets elements
   through. 5 loads, of which 3 miss; 3 stores, which miss 3 lines. */
	.globl _start
	.bss
	.balign 65536
data:	.skip 65536
	.text
_start:	mov $0x00ff, %eax
	kmovw %eax, %k1
	mov $0xff00, %eax
	kmovw %eax, %k2
	kxorq %k3, %k3, %k3
	mov $0x8000, %eax
	kmovw %eax, %k4
	lea data+32(%rip), %rsi
	vmovdqu32 (%rsi), %zmm0{%k1}{z}            // the first line: a miss
	vmovdqu32 (%rsi), %zmm0{%k1}{z}            // now a hit
	vmovdqu32 4096(%rsi), %zmm0{%k2}{z}        // the second line: a miss
	vmovdqu32 4064(%rsi), %zmm0{%k3}{z}        // nothing
	vaddps 8192(%rsi), %zmm1, %zmm2{%k4}       // the second line: a miss
	vmovdqu8 8224(%rsi), %zmm3{%k2}{z}         // that line once more, bytes 8 to 15: a hit
	vmovdqu32 %zmm0, 12288(%rsi){%k3}          // nothing
	vmovdqu8 %zmm0, 12288(%rsi){%k2}           // bytes 8 to 15, the first line: a miss
	vmovdqu64 %zmm0, 16384(%rsi){%k1}          // both lines: two misses
	vpcompressd %zmm0, 12316(%rsi){%k4}        // one element at the line's end: a hit
	mov $60, %eax
	xor %edi, %edi
	syscall
