/* SPDX-License-Identifier: MIT
   AVX's masked moves: each is one access, from the first selected element to the last; none without any. 4 loads, of
   which 3 miss; 2 stores, which miss 3 lines. */
	.globl _start
	.bss
	.balign 65536
data:	.skip 65536
	.text
_start:	vpcmpeqd %ymm7, %ymm7, %ymm7
	vpxor %ymm0, %ymm0, %ymm0                  // selects nothing
	vpsrldq $12, %ymm7, %ymm1                  // the first element of each half
	vextracti128 $1, %ymm1, %xmm2
	vmovdqa %xmm1, %xmm1                       // the first element
	vpermq $0x4e, %ymm1, %ymm3                 // the fifth element
	vpor %ymm1, %ymm3, %ymm4                   // the first and the fifth
	lea data+48(%rip), %rsi
	vmaskmovps (%rsi), %ymm1, %ymm5            // the first line: a miss
	vmaskmovps (%rsi), %ymm0, %ymm5            // nothing
	vpmaskmovd (%rsi), %ymm3, %ymm5            // the second line: a miss
	vmaskmovps (%rsi), %ymm4, %ymm5            // both lines: a hit
	vmaskmovps 4096(%rsi), %ymm1, %ymm5        // a miss
	vmaskmovps %ymm5, %ymm4, 8192(%rsi)        // both lines: two misses
	vmaskmovpd %ymm5, %ymm0, 12288(%rsi)       // nothing
	vpmaskmovd %ymm5, %ymm3, 16384(%rsi)       // the second line: a miss
	mov $60, %eax
	xor %edi, %edi
	syscall
