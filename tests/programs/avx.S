// SPDX-License-Identifier: MIT
// AVX and AVX2, 10 rounds.
//
// needs avx2 fma
// machine --cpu zen4
// expect packed_sp_retired 40 at ps0 ps1 ps2 ps3
// expect packed_dp_retired 30 at pd0 pd1 pd2
// expect scaler_sp_retired 20 at ss0 ss1
// expect scaler_dp_retired 10 at sd0
// expect 128bit_mmx_retired 50 at x0 x1 x2 x3 x4
// expect 64bit_mmx_retired 0
// expect x87_fp_retired 0
// expect x87_simd_memory_moves_retired 51 at first v0 v1 v2 v3 v5
// expect memory_loads 31 at first v0 v3 ps1
// expect memory_stores 10 at v1
// expect split_load_retired 10 at v3
// expect instr_retired 246                           24 each time round, 3 before, 3 to exit
	.globl _start
	.data
	.balign 64
buffer:	.skip 256
mask:	.long -1, 0, -1, 0, 0, 0, 0, 0
	.text
_start:	mov $10, %ecx
	lea buffer(%rip), %rsi
first: vmovups mask(%rip), %ymm9
loop:
v0:	vmovaps (%rsi), %ymm0
v1:	vmovups %ymm0, 32(%rsi)
v2:	vmovdqa %ymm0, %ymm1
v3:	vmovdqu 48(%rsi), %ymm10
v5:	vbroadcastss %xmm0, %ymm4
ps0:	vaddps %ymm0, %ymm1, %ymm2
ps1:	vmulps (%rsi), %ymm1, %ymm2
ps2:	vfmadd231ps %ymm0, %ymm1, %ymm2
ps3:	vblendps $3, %ymm0, %ymm1, %ymm2
pd0:	vaddpd %ymm0, %ymm1, %ymm2
pd1:	vfnmadd132pd %xmm0, %xmm1, %xmm2
pd2:	vunpcklpd %ymm0, %ymm1, %ymm2
ss0:	vaddss %xmm0, %xmm1, %xmm2
ss1:	vfmadd213ss %xmm0, %xmm1, %xmm2
sd0:	vsqrtsd %xmm0, %xmm1, %xmm2
x0:	vpaddd %ymm0, %ymm1, %ymm2
x1:	vpxor %xmm0, %xmm1, %xmm2
x2:	vpermq $3, %ymm0, %ymm1
x3:	vpsllvd %ymm0, %ymm1, %ymm2
x4:	vextracti128 $1, %ymm0, %xmm1
	andn %eax, %ebx, %edx
	vzeroupper
	dec %ecx
	jnz loop
	mov $60, %eax
	xor %edi, %edi
	syscall
