// SPDX-License-Identifier: MIT
// Floating point and SIMD of SSE, MMX and x87: a different number for each class, 10 rounds. Every row of the loop is one
// class; moves belong to no other class, and control instructions (emms, fninit, ldmxcsr) to none at all.
//
// machine --cpu zen4
// expect packed_sp_retired 20 at ps0 ps1
// expect packed_dp_retired 30 at pd0 pd1 pd2
// expect scaler_sp_retired 40 at ss0 ss1 ss2 ss3
// expect scaler_dp_retired 50 at sd0 sd1 sd2 sd3 sd4
// expect 64bit_mmx_retired 60 at m0 m1 m2 m3 m4 m5
// expect 128bit_mmx_retired 70 at x0 x1 x2 x3 x4 x5 x6
// expect x87_fp_retired 80 at f0 f1 f2 f3 f4 f5 f6 f7
// expect x87_simd_memory_moves_retired 140
// expect instr_retired 544                           54 each time round, 1 before, 3 to exit
// expect memory_loads 110                            3 moves, fld, flds, fildl, ps1, m5, x6, fadds, ldmxcsr
// expect memory_stores 30                            movaps, movq, fstp
	.globl _start
	.data
	.balign 64
buffer:	.skip 128
control: .long 0x1f80
	.text
_start:	mov $10, %ecx
loop:
	movaps buffer(%rip), %xmm0
	movups buffer+16(%rip), %xmm1
	movq buffer+32(%rip), %mm0
	movaps %xmm0, buffer+64(%rip)
	movq %mm0, buffer+80(%rip)
	movss %xmm0, %xmm2
	movd %ecx, %xmm3
	movapd %xmm3, %xmm4
ps0:	addps %xmm0, %xmm1
ps1:	mulps buffer(%rip), %xmm1
pd0:	addpd %xmm0, %xmm1
pd1:	addsubpd %xmm0, %xmm1
pd2:	xorpd %xmm0, %xmm1
ss0:	addss %xmm0, %xmm1
ss1:	cvtsi2ssl %ecx, %xmm1
ss2:	ucomiss %xmm0, %xmm1
ss3:	rsqrtss %xmm0, %xmm1
sd0:	subsd %xmm0, %xmm1
sd1:	cvttsd2si %xmm0, %eax
sd2:	comisd %xmm0, %xmm1
sd3:	cmpltsd %xmm0, %xmm1
sd4:	maxsd %xmm0, %xmm1
m0:	paddd %mm0, %mm1
m1:	psllw $3, %mm1
m2:	punpcklbw %mm0, %mm1
m3:	pxor %mm1, %mm1
m4:	pmovmskb %mm1, %eax
m5:	pcmpeqb buffer(%rip), %mm1
x0:	paddd %xmm0, %xmm1
x1:	pslldq $3, %xmm1
x2:	pshufd $3, %xmm0, %xmm1
x3:	pxor %xmm1, %xmm1
x4:	pmovmskb %xmm1, %eax
x5:	pshufb %xmm0, %xmm1
x6:	psadbw buffer(%rip), %xmm1
	emms
	fninit
	fldl buffer+32(%rip)
	flds buffer+40(%rip)
	fildl buffer+48(%rip)
	fld %st(1)
	fxch %st(2)
f0:	fadd %st(1), %st
f1:	fmul %st(1), %st
f2:	fsqrt
f3:	fadds buffer(%rip)
f4:	fchs
f5:	fucom %st(1)
f6:	fsin
f7:	fsubp %st, %st(1)
	fstpl buffer+56(%rip)
	ldmxcsr control(%rip)
	dec %ecx
	jnz loop
	mov $60, %eax
	xor %edi, %edi
	syscall
