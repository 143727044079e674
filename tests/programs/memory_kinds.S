/* SPDX-License-Identifier: MIT
   Every kind of instruction that accesses memory, with its true counts.

     memory_kinds              prints a line for each kind: processor flag or -, seven counts, engine or any, instruction
     memory_kinds KIND TIMES   runs the kind of that number, from 0, TIMES times, each at memory not accessed before

   The counts of one round: loads, stores, lines that loads miss, lines that stores miss, loads that cross a line, such
   loads that miss, such stores that miss. They hold for a first-level cache of 64-byte lines.

   Kinds of the engine "direct" are those that Valgrind does not run (fbld, push %fs, ...), splits into elements (masked
   moves, conversions, gathers), or drops when nothing uses their result (compares).

   A kind's instructions find the address of the round's memory in rdi; OTHER bytes behind it is memory that the round
   does not access otherwise. The instructions of `once` run before all rounds. r12 to r14 must not change. */

	.set OTHER, 0x2000000

	.macro kind text, counts, needs=-, once=, offset=0, stride=4160, engine=any
	.pushsection .rodata.list, "a"
	.ascii "\needs \counts \engine \text\n"
	.popsection
	.pushsection .rodata.kinds, "a"
	.quad 771f
	.popsection
771:	\once
	lea buffer+\offset(%rip), %r13
	test %r12, %r12
	jz leave
772:	mov %r13, %rdi
	\text
	add $\stride, %r13
	dec %r12
	jnz 772b
	jmp leave
	.endm

	/* One access, to one line. */
	.macro load text, needs=-, offset=0, once=, engine=any
	kind "\text", "1 0 1 0 0 0 0", \needs, "\once", \offset, 4160, \engine
	.endm
	.macro store text, needs=-, offset=0, once=, engine=any
	kind "\text", "0 1 0 1 0 0 0", \needs, "\once", \offset, 4160, \engine
	.endm
	.macro both text, needs=-, offset=0, once=, engine=any
	kind "\text", "1 1 1 0 0 0 0", \needs, "\once", \offset, 4160, \engine
	.endm
	/* A load here and a store at other memory. */
	.macro moves text, needs=-, offset=0, once=, engine=any
	kind "\text", "1 1 1 1 0 0 0", \needs, "\once", \offset, 4160, \engine
	.endm
	.macro nothing text, needs=-, offset=0, once=, engine=any
	kind "\text", "0 0 0 0 0 0 0", \needs, "\once", \offset, 4160, \engine
	.endm
	/* The same across two lines. */
	.macro load_split text, needs=-, offset=60, once=, engine=any
	kind "\text", "1 0 2 0 1 1 0", \needs, "\once", \offset, 4160, \engine
	.endm
	.macro store_split text, needs=-, offset=60, once=, engine=any
	kind "\text", "0 1 0 2 0 0 1", \needs, "\once", \offset, 4160, \engine
	.endm
	.macro both_split text, needs=-, offset=60, once=, engine=any
	kind "\text", "1 1 2 0 1 1 0", \needs, "\once", \offset, 4160, \engine
	.endm

	.text
	.globl _start
_start:	cmpl $3, (%rsp)
	jne list
	mov 16(%rsp), %rsi
	call number
	mov %rax, %rbx
	mov 24(%rsp), %rsi
	call number
	mov %rax, %r12
	mov %rsp, %r14
	lea kinds(%rip), %rdx
	cld
	jmp *(%rdx, %rbx, 8)
leave:	mov %r14, %rsp
	mov $60, %eax
	xor %edi, %edi
	syscall

	/* Returns the decimal number at rsi. */
number:	xor %eax, %eax
1:	movzbl (%rsi), %ecx
	sub $48, %ecx
	jb 2f
	lea (%rax, %rax, 4), %rax
	lea (%rcx, %rax, 2), %rax
	inc %rsi
	jmp 1b
2:	ret

list:	mov $1, %eax
	mov $1, %edi
	lea list_begin(%rip), %rsi
	mov $list_end - list_begin, %edx
	syscall
	mov %rsp, %r14
	jmp leave

	.pushsection .rodata.list, "a"
list_begin:
	.popsection
	.pushsection .rodata.kinds, "a"
	.balign 8
kinds:
	.popsection

	/* General registers. */
	.irp bits, "b (%rdi), %al", "w (%rdi), %ax", "l (%rdi), %eax", "q (%rdi), %rax"
	load "mov\bits"
	load "add\bits"
	load "cmp\bits", engine=direct
	load "test\bits", engine=direct
	load "xor\bits"
	.endr
	.irp insn, "movzbl (%rdi), %eax", "movsbw (%rdi), %ax", "movswq (%rdi), %rax", "movslq (%rdi), %rax", \
		"cmovz (%rdi), %rax", "imul $3, (%rdi), %rax", "imul (%rdi), %rax", "mulq (%rdi)", "bsf (%rdi), %rax", \
		"bsr (%rdi), %rax", "sbb (%rdi), %rax", "adc (%rdi), %rax"
	load "\insn"
	.endr
	.irp insn, "btq $63, (%rdi)", "cmpb $0, (%rdi)", "testl $7, (%rdi)", "mov (%rdi), %es"
	load "\insn", engine=direct
	.endr
	load "cmovz (%rdi), %rax", -, 0, "or $1, %eax"
	load "mov $3, %ecx; mov %rcx, %rax; xor %edx, %edx; or (%rdi), %rcx; div %rcx"
	load "popcnt (%rdi), %rax", popcnt
	load "lzcnt (%rdi), %rax", abm
	load "tzcnt (%rdi), %rax", bmi1
	load "andn (%rdi), %rax, %rcx", bmi1
	load "bextr %rax, (%rdi), %rcx", bmi1
	load "blsr (%rdi), %rax", bmi1
	load "bzhi %rax, (%rdi), %rcx", bmi2
	load "pdep (%rdi), %rax, %rcx", bmi2
	load "pext (%rdi), %rax, %rcx", bmi2
	load "mulx (%rdi), %rax, %rcx", bmi2
	load "rorx $3, (%rdi), %rax", bmi2
	load "sarx %rax, (%rdi), %rcx", bmi2
	load "shlx %rax, (%rdi), %rcx", bmi2
	load "adcx (%rdi), %rax", adx
	load "adox (%rdi), %rax", adx
	load "movbe (%rdi), %rax", movbe
	load "crc32b (%rdi), %eax", sse4_2, 63
	load "crc32q (%rdi), %rax", sse4_2
	.irp insn, "movb %al, (%rdi)", "movw %ax, (%rdi)", "mov %eax, (%rdi)", "mov %rax, (%rdi)", "movl $5, (%rdi)", \
		"movb $5, (%rdi)", "setz (%rdi)", "movnti %rax, (%rdi)", "mov %ds, (%rdi)"
	store "\insn"
	.endr
	store "movbe %rax, (%rdi)", movbe
	.irp insn, "add %rax, (%rdi)", "addl $1, (%rdi)", "andb $1, (%rdi)", "adc %eax, (%rdi)", "sbb %rax, (%rdi)", \
		"incb (%rdi)", "decq (%rdi)", "negb (%rdi)", "notw (%rdi)", "shlq $3, (%rdi)", "rorl (%rdi)", "rcrw $3, (%rdi)", \
		"shld $3, %rax, (%rdi)", "shrd %cl, %rax, (%rdi)", "btsq $3, (%rdi)", "xchg %rax, (%rdi)", "xadd %rax, (%rdi)", \
		"cmpxchg %rcx, (%rdi)", "lock addl $1, (%rdi)", "lock xadd %rax, (%rdi)", "lock incb (%rdi)", \
		"lock btrl $3, (%rdi)", "cmpxchg8b (%rdi)"
	both "\insn"
	.endr
	both "sarq %cl, (%rdi)", -, 0, "xor %ecx, %ecx"
	both "lock cmpxchg %rcx, (%rdi)", -, 0, "mov $5, %eax"
	both "lock cmpxchg16b (%rdi)", cx16
	both_split "add %rax, (%rdi)"
	both_split "lock incl (%rdi)", -, 62
	load_split "mov (%rdi), %rax"
	load_split "mov (%rdi), %ax", -, 63
	store_split "mov %rax, (%rdi)"
	load_split "mov (%rdi), %rax", -, 4092
	store_split "mov %rax, (%rdi)", -, 4092

	/* Addresses. */
	kind "mov buffer(%rip), %rax", "1 0 0 0 0 0 0"
	kind "movabs buffer, %rax", "1 0 0 0 0 0 0"
	kind "movabs %rax, buffer", "0 1 0 0 0 0 0"
	load "mov (%edi), %eax"
	load "mov 16(%edi, %eax, 4), %ecx", -, 0, "xor %eax, %eax"
	load "mov %rdi, %rbx; mov $64, %al; xlat", engine=direct
	load "mov $0x10000000, %rax; bt %rax, (%rdi)", engine=direct
	load "mov $0x10000000, %eax; bt %eax, (%rdi)", engine=direct
	both "mov $0x10000003, %rax; bts %rax, (%rdi)"
	both "mov $0x10000003, %rax; lock btc %rax, (%rdi)"
	both "mov $-32768, %eax; btrw %ax, 4096(%rdi)"
	nothing "lea (%rdi, %rax, 8), %rax"
	nothing "nopl (%rdi)"

	/* Stack. */
	.irp insn, "push %rax", "push $1", "pushf", "enter $16, $0"
	store "lea 8(%rdi), %rsp; \insn", -, 64
	.endr
	store "lea 8(%rdi), %rsp; pushw %ax", -, 64
	store "lea 8(%rdi), %rsp; push %fs", -, 64, engine=direct
	.irp insn, "pop %rax", "popw %ax"
	load "mov %rdi, %rsp; \insn"
	.endr
	load "mov %rdi, %rbp; leave", -, 64
	moves "lea OTHER(%rdi), %rsp; push (%rdi)", -, 64
	moves "mov %rdi, %rsp; pop OTHER(%rdi)"
	moves "mov %rdi, %rsp; pop OTHER(%rsp)"
	moves "lea 8(%rdi), %rsp; push OTHER(%rsp)", -, 64
	kind "mov %rdi, %rsp; call 5f; jmp 6f; 5: ret; 6:", "1 1 0 1 0 0 0", -, "", 64
	kind "lea 5f(%rip), %rax; mov %rax, (%rdi); jmp *(%rdi); 5:", "1 1 0 1 0 0 0"
	kind "mov %rdi, %rsp; lea 5f(%rip), %rax; mov %rax, OTHER(%rdi); call *OTHER(%rdi); jmp 6f; 5: ret $16; 6:", \
		"2 2 0 2 0 0 0", -, "", 64
	store_split "lea 8(%rdi), %rsp; push %rax"
	load_split "mov %rdi, %rsp; pop %rax"

	/* Strings. */
	.irp size, b, w, l, q
	load "mov %rdi, %rsi; lods\size"
	load "scas\size", engine=direct
	store "stos\size"
	moves "mov %rdi, %rsi; add $OTHER, %rdi; movs\size"
	kind "lea OTHER(%rdi), %rsi; cmps\size", "2 0 2 0 0 0 0", engine=direct
	.endr
	kind "mov $64, %ecx; rep stosb", "0 64 0 1 0 0 0"
	kind "mov $8, %ecx; rep stosq", "0 8 0 1 0 0 0"
	kind "mov $64, %ecx; lea OTHER(%rdi), %rsi; rep movsb", "64 64 1 1 0 0 0"
	kind "mov $16, %ecx; lea OTHER(%rdi), %rsi; rep movsl", "16 16 1 1 0 0 0"
	kind "mov $16, %ecx; lea OTHER(%edi), %esi; addr32 rep movsl", "16 16 1 1 0 0 0"
	kind "mov $64, %ecx; mov %rdi, %rsi; rep lodsb", "64 0 1 0 0 0 0", engine=direct
	kind "mov $64, %ecx; lea OTHER(%rdi), %rsi; cmp %eax, %eax; repe cmpsb", "128 0 2 0 0 0 0"
	kind "mov $64, %ecx; mov $1, %al; repne scasb", "64 0 1 0 0 0 0"
	kind "mov $64, %ecx; lea OTHER+63(%rdi), %rsi; add $63, %rdi; std; rep movsb; cld", "64 64 1 1 0 0 0"
	nothing "xor %ecx, %ecx; rep stosq"
	nothing "xor %ecx, %ecx; lea OTHER(%rdi), %rsi; rep movsb"
	nothing "xor %ecx, %ecx; lea OTHER(%rdi), %rsi; repe cmpsb"

	/* x87 and MMX. */
	.irp insn, "flds (%rdi)", "fldl (%rdi)", "fldt (%rdi)", "filds (%rdi)", "fildl (%rdi)", "fildll (%rdi)"
	load "\insn; fstp %st(0)"
	.endr
	load "fbld (%rdi); fstp %st(0)", engine=direct
	.irp insn, "fadds (%rdi)", "fmull (%rdi)", "fcoms (%rdi)", "fiaddl (%rdi)"
	load "fldz; \insn; fstp %st(0)"
	.endr
	.irp insn, "fstps (%rdi)", "fstpl (%rdi)", "fstpt (%rdi)", "fistps (%rdi)", "fistpll (%rdi)", "fisttpll (%rdi)"
	store "fld1; \insn"
	.endr
	store "fld1; fbstp (%rdi)", engine=direct
	.irp insn, "fnstcw (%rdi)", "fnstsw (%rdi)", "fnstenv (%rdi)", "movq %mm0, (%rdi)", "movd %mm0, (%rdi)", \
		"movntq %mm0, (%rdi)"
	store "\insn"
	.endr
	.irp insn, "fldcw (%rdi)", "fldenv (%rdi)", "movq (%rdi), %mm0", "movd (%rdi), %mm0", "paddb (%rdi), %mm0", \
		"pshufw $1, (%rdi), %mm0"
	load "\insn"
	.endr
	kind "fnsave (%rdi)", "0 1 0 2 0 0 1"
	kind "frstor (%rdi)", "1 0 2 0 1 1 0"
	load_split "fldt (%rdi); fstp %st(0)", -, 56
	store_split "fld1; fstpt (%rdi)", -, 56
	store "maskmovq %mm1, %mm2", -, 0, "pcmpeqd %mm1, %mm1", engine=direct

	/* SSE. */
	.irp insn, "movups (%rdi), %xmm0", "movaps (%rdi), %xmm0", "movdqu (%rdi), %xmm0", "movss (%rdi), %xmm0", \
		"movsd (%rdi), %xmm0", "movhps (%rdi), %xmm0", "movlpd (%rdi), %xmm0", "movq (%rdi), %xmm0", \
		"movd (%rdi), %xmm0", "addps (%rdi), %xmm0", "addss (%rdi), %xmm0", "mulsd (%rdi), %xmm0", "sqrtss (%rdi), %xmm0", \
		"cvtsi2sd (%rdi), %xmm0", "cvttss2si (%rdi), %eax", "shufps $1, (%rdi), %xmm0", "paddb (%rdi), %xmm0", "pinsrw $1, (%rdi), %xmm0", "punpcklbw (%rdi), %xmm0"
	load "\insn"
	.endr
	load "ldmxcsr (%rdi)"
	load "cvtps2pd (%rdi), %xmm0", engine=direct
	load "comiss (%rdi), %xmm0", engine=direct
	.irp insn, "movups %xmm0, (%rdi)", "movaps %xmm0, (%rdi)", "movss %xmm0, (%rdi)", "movsd %xmm0, (%rdi)", \
		"movhps %xmm0, (%rdi)", "movlps %xmm0, (%rdi)", "movq %xmm0, (%rdi)", "movd %xmm0, (%rdi)", \
		"movntps %xmm0, (%rdi)", "movntdq %xmm0, (%rdi)", "stmxcsr (%rdi)"
	store "\insn"
	.endr
	load_split "movups (%rdi), %xmm0", -, 56
	store_split "movups %xmm0, (%rdi)", -, 56
	load "movhps (%rdi), %xmm0", -, 56
	store "maskmovdqu %xmm1, %xmm2", -, 0, "pcmpeqd %xmm1, %xmm1", engine=direct
	nothing "maskmovdqu %xmm1, %xmm2", -, 0, "pxor %xmm1, %xmm1", direct
	load "lddqu (%rdi), %xmm0", pni
	load "movddup (%rdi), %xmm0", pni, 56
	load "haddps (%rdi), %xmm0", pni
	load "pshufb (%rdi), %xmm0", ssse3
	.irp insn, "pmovsxbq (%rdi), %xmm0", "pinsrb $1, (%rdi), %xmm0", "insertps $0, (%rdi), %xmm0", "movntdqa (%rdi), %xmm0", \
		"pmulld (%rdi), %xmm0", "roundsd $0, (%rdi), %xmm0"
	load "\insn", sse4_1
	.endr
	load "ptest (%rdi), %xmm0", sse4_1, engine=direct
	store "pextrb $1, %xmm0, (%rdi)", sse4_1, 63
	store "pextrq $1, %xmm0, (%rdi)", sse4_1, 56
	store "extractps $1, %xmm0, (%rdi)", sse4_1, 60
	load "pcmpistri $0, (%rdi), %xmm0", sse4_2
	load "aesenc (%rdi), %xmm0", aes
	load "pclmulqdq $0, (%rdi), %xmm0", pclmulqdq
	load "sha1msg1 (%rdi), %xmm0", sha_ni, 0, "", direct
	load "sha256rnds2 %xmm0, (%rdi), %xmm1", sha_ni, 0, "", direct
	store "movntsd %xmm0, (%rdi)", sse4a, 0, "", direct
	store "movntss %xmm0, (%rdi)", sse4a, 0, "", direct

	/* AVX, AVX2 and what came with them. ymm7 selects all elements, ymm6 the first three, ymm5 none. */
	.macro vector_masks
	vpcmpeqd %ymm7, %ymm7, %ymm7
	vpxor %xmm5, %xmm5, %xmm5
	vmovdqu first_three(%rip), %ymm6
	vmovdqu lines32(%rip), %ymm1
	vmovdqu lines64(%rip), %ymm2
	.endm
	.irp insn, "vmovups (%rdi), %ymm0", "vmovdqa (%rdi), %ymm0", "vaddps (%rdi), %ymm0, %ymm1", "vmovss (%rdi), %xmm0", \
		"vmovd (%rdi), %xmm0", "vpinsrw $1, (%rdi), %xmm0, %xmm0", "vbroadcastss (%rdi), %ymm1", \
		"vbroadcastf128 (%rdi), %ymm1", "vinsertf128 $1, (%rdi), %ymm0, %ymm0", "vlddqu (%rdi), %ymm0"
	load "\insn", avx
	.endr
	load "vtestps (%rdi), %ymm0", avx, engine=direct
	load "vcvtps2pd (%rdi), %ymm0", avx, engine=direct
	.irp insn, "vmovups %ymm0, (%rdi)", "vmovdqa %ymm0, (%rdi)", "vmovntdq %ymm0, (%rdi)", "vmovsd %xmm0, (%rdi)", \
		"vextractf128 $1, %ymm0, (%rdi)"
	store "\insn", avx
	.endr
	load_split "vmovups (%rdi), %ymm0", avx, 40
	store_split "vmovups %ymm0, (%rdi)", avx, 40
	load "vmaskmovps (%rdi), %ymm7, %ymm0", avx2, 0, vector_masks, direct
	load "vmaskmovps (%rdi), %ymm6, %ymm0", avx2, 52, vector_masks, direct
	nothing "vmaskmovps (%rdi), %ymm5, %ymm0", avx2, 0, vector_masks, direct
	store "vmaskmovps %ymm0, %ymm7, (%rdi)", avx2, 0, vector_masks, direct
	store "vmaskmovpd %ymm0, %ymm6, (%rdi)", avx2, 0, vector_masks, direct
	nothing "vpmaskmovd %ymm0, %ymm5, (%rdi)", avx2, 0, vector_masks, direct
	load "vpmaskmovq (%rdi), %ymm7, %ymm0", avx2, 0, vector_masks, direct
	load "vpmaskmovd (%rdi), %ymm6, %ymm0", avx2, 4084, vector_masks, direct
	.irp insn, "vpaddb (%rdi), %ymm0, %ymm1", "vpbroadcastb (%rdi), %ymm1", "vpermd (%rdi), %ymm0, %ymm1", \
		"vinserti128 $1, (%rdi), %ymm0, %ymm0", "vpmovzxbd (%rdi), %ymm0"
	load "\insn", avx2
	.endr
	store "vextracti128 $1, %ymm0, (%rdi)", avx2
	load "vfmadd213ss (%rdi), %xmm1, %xmm0", fma
	load "vfmadd231pd (%rdi), %ymm1, %ymm0", fma, engine=direct
	load "vcvtph2ps (%rdi), %ymm0", f16c
	store "vcvtps2ph $0, %ymm0, (%rdi)", f16c
	load "vaesenc (%rdi), %ymm0, %ymm1", vaes, 0, "", direct
	load "vpclmulqdq $0, (%rdi), %ymm0, %ymm1", vpclmulqdq, 0, "", direct
	kind "vmovdqa %ymm7, %ymm3; vpgatherdd %ymm3, (%rdi, %ymm1), %ymm0", "8 0 8 0 0 0 0", avx2, vector_masks
	kind "vmovdqa %ymm6, %ymm3; vpgatherdd %ymm3, (%rdi, %ymm1), %ymm0", "3 0 3 0 0 0 0", avx2, vector_masks, engine=direct
	nothing "vmovdqa %ymm5, %ymm3; vpgatherdd %ymm3, (%rdi, %ymm1), %ymm0", avx2, 0, vector_masks, engine=direct
	kind "vmovdqa %xmm7, %xmm3; vgatherdps %xmm3, (%rdi, %xmm1), %xmm0", "4 0 4 0 0 0 0", avx2, vector_masks
	kind "vmovdqa %ymm7, %ymm3; vgatherdpd %ymm3, (%rdi, %xmm1), %ymm0", "4 0 4 0 0 0 0", avx2, vector_masks
	kind "vmovdqa %ymm7, %ymm3; vpgatherdq %ymm3, (%rdi, %xmm1), %ymm0", "4 0 4 0 0 0 0", avx2, vector_masks
	kind "vmovdqa %xmm7, %xmm3; vpgatherqd %xmm3, (%rdi, %ymm2), %xmm0", "4 0 4 0 0 0 0", avx2, vector_masks
	kind "vmovdqa %xmm7, %xmm3; vpgatherqd %xmm3, (%rdi, %xmm2), %xmm0", "2 0 2 0 0 0 0", avx2, vector_masks
	kind "vmovdqa %ymm7, %ymm3; vpgatherqq %ymm3, 8(%rdi, %ymm2, 8), %ymm0", "4 0 4 0 0 0 0", avx2, vector_masks
	kind "vmovdqa %ymm7, %ymm3; vgatherqpd %ymm3, 60(%rdi, %ymm2, 2), %ymm0", "4 0 8 0 4 4 0", avx2, vector_masks

	/* AVX-512. k1 selects the first eight elements, k2 the fifth to the eighth, k3 none. */
	.macro mask_registers
	mov $0xff, %eax
	kmovq %rax, %k1
	mov $0xf0, %eax
	kmovq %rax, %k2
	kxorq %k3, %k3, %k3
	vmovdqu64 lines32(%rip), %zmm1
	vmovdqu64 lines64(%rip), %zmm2
	.endm
	.macro load512 text, offset=0
	load "\text", avx512bw, \offset, mask_registers, direct
	.endm
	.macro store512 text, offset=0
	store "\text", avx512bw, \offset, mask_registers, direct
	.endm
	.macro nothing512 text, offset=0
	nothing "\text", avx512bw, \offset, mask_registers, direct
	.endm
	.macro kind512 text, counts, offset=0
	kind "\text", "\counts", avx512bw, mask_registers, \offset, 4160, direct
	.endm
	load512 "vmovdqu32 (%rdi), %zmm0"
	load512 "vmovdqu32 (%rdi), %zmm0{%k1}{z}"
	nothing512 "vmovdqu32 (%rdi), %zmm0{%k3}{z}"
	load512 "vmovdqu32 (%rdi), %zmm0{%k2}{z}", 4080
	load512 "vmovdqu32 (%rdi), %zmm0{%k1}{z}", 4064
	store512 "vmovdqu32 %zmm0, (%rdi)"
	store512 "vmovdqu32 %zmm0, (%rdi){%k1}"
	nothing512 "vmovdqu8 %zmm0, (%rdi){%k3}"
	kind512 "vmovdqu8 %zmm0, (%rdi){%k1}", "0 1 0 2 0 0 1", 60
	store512 "vmovdqu16 %ymm0, (%rdi){%k2}", 56
	load512 "vaddps (%rdi), %zmm0, %zmm1{%k1}", 32
	kind512 "vaddps (%rdi), %zmm0, %zmm1", "1 0 2 0 1 1 0", 32
	load512 "vaddps (%rdi){1to16}, %zmm0, %zmm1", 60
	nothing512 "vaddps (%rdi){1to16}, %zmm0, %zmm1{%k3}", 60
	load512 "vpcmpb $0, (%rdi), %zmm0, %k5"
	load512 "vpcmpb $0, (%rdi), %zmm0, %k5{%k1}", 56
	load512 "vpexpandd (%rdi), %zmm1{%k2}{z}", 48
	nothing512 "vpexpandq (%rdi), %zmm1{%k3}{z}"
	store512 "vpcompressd %zmm1, (%rdi){%k2}", 48
	store512 "vcompressps %zmm1, (%rdi)"
	nothing512 "vpcompressq %zmm1, (%rdi){%k3}"
	store512 "vpmovqb %zmm1, (%rdi){%k2}", 60
	store512 "vpmovdw %zmm1, (%rdi){%k1}", 48
	store512 "vcvtps2ph $0, %zmm1, (%rdi){%k1}", 48
	load512 "vpmovzxbd (%rdi), %zmm1{%k1}{z}", 56
	load512 "vcvtph2ps (%rdi), %zmm1{%k1}{z}", 48
	nothing512 "vmovss (%rdi), %xmm1{%k3}{z}"
	load512 "vpbroadcastd (%rdi), %zmm1{%k1}{z}"
	nothing512 "vpbroadcastd (%rdi), %zmm1{%k3}{z}"
	load512 "vbroadcasti32x4 (%rdi), %zmm1", 48
	store512 "vextracti64x4 $1, %zmm1, (%rdi){%k1}", 32
	load512 "kmovw (%rdi), %k4", 62
	store512 "kmovq %k1, (%rdi)", 56
	load512 "vpermt2d (%rdi), %zmm1, %zmm0"
	kind512 "kmovq %k1, %k4; vpgatherdd (%rdi, %zmm1), %zmm0{%k4}", "8 0 8 0 0 0 0"
	kind512 "kmovq %k2, %k4; vpgatherqq (%rdi, %zmm2), %zmm0{%k4}", "4 0 4 0 0 0 0"
	nothing512 "kmovq %k3, %k4; vpgatherdd (%rdi, %zmm1), %zmm0{%k4}"
	kind512 "kmovq %k1, %k4; vpscatterdd %zmm0, (%rdi, %zmm1){%k4}", "0 8 0 8 0 0 0"
	kind512 "kmovq %k2, %k4; vpscatterqq %zmm0, (%rdi, %zmm2){%k4}", "0 4 0 4 0 0 0"

	/* Saved state, segments, lines. */
	kind "fxsave (%rdi)", "0 1 0 8 0 0 0", -, "", 0, 4160, direct
	kind "fxrstor (%rdi)", "1 0 8 0 0 0 0", -, "", 0, 4160, direct
	kind "mov $7, %eax; xor %edx, %edx; xsave (%rdi)", "1 1 1 12 0 0 0", avx, "", 0, 4160, direct
	kind "mov $7, %eax; xor %edx, %edx; xrstor (%rdi)", "1 0 13 0 0 0 0", avx, "", 0, 4160, direct
	load "mov %fs:(%rdi), %rax"
	store "mov %rax, %fs:(%rdi)"
	.irp insn, "clflush (%rdi)", "prefetcht0 (%rdi)", "prefetchnta (%rdi)", "prefetchw (%rdi)"
	nothing "\insn"
	.endr
	nothing "clflushopt (%rdi)", clflushopt, engine=direct
	nothing "clwb (%rdi)", clwb, 0, "", direct
	store "mov %rdi, %rax; clzero", clzero, 0, "", direct
	kind "mov buffer(%rip), %rax; clflush buffer(%rip)", "1 0 1 0 0 0 0", engine=direct
	kind "mov %rax, buffer(%rip); clflush buffer(%rip)", "0 1 0 1 0 0 0", engine=direct

	.pushsection .rodata.list, "a"
list_end:
	.popsection

	.section .rodata
	.balign 64
lines32: .long 0, 64, 128, 192, 256, 320, 384, 448, 512, 576, 640, 704, 768, 832, 896, 960
lines64: .quad 0, 64, 128, 192, 256, 320, 384, 448
first_three: .long -1, -1, -1, 0, 0, 0, 0, 0
	.bss
	.balign 4096
buffer:	.skip 0x5000000
	.section .note.GNU-stack,"",@progbits
