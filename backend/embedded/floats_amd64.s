#include "textflag.h"

// Loops over floats, for AVX2 with FMA; mix also for AVX-512.

DATA exps<>+0(SB)/4, $0x42b00000 // 88
DATA exps<>+4(SB)/4, $0xc2ae0000 // -87
DATA exps<>+8(SB)/4, $0x3fb8aa3b // log2 e
DATA exps<>+12(SB)/4, $0x3f318000 // 0.693359375, and what lacks to ln 2:
DATA exps<>+16(SB)/4, $0xb95e8083 // -2.12194440e-4
DATA exps<>+20(SB)/4, $0x3ab60b61 // 1/720
DATA exps<>+24(SB)/4, $0x3c088889 // 1/120
DATA exps<>+28(SB)/4, $0x3d2aaaab // 1/24
DATA exps<>+32(SB)/4, $0x3e2aaaab // 1/6
DATA exps<>+36(SB)/4, $0x3f000000 // 1/2
DATA exps<>+40(SB)/4, $0x3f800000 // 1
DATA exps<>+44(SB)/4, $127
GLOBL exps<>(SB), RODATA|NOPTR, $48

// EXPSETUP loads the constants of EXP into Y4 to Y15.
#define EXPSETUP \
	VBROADCASTSS exps<>+0(SB), Y4; \
	VBROADCASTSS exps<>+4(SB), Y5; \
	VBROADCASTSS exps<>+8(SB), Y6; \
	VBROADCASTSS exps<>+12(SB), Y7; \
	VBROADCASTSS exps<>+16(SB), Y8; \
	VBROADCASTSS exps<>+20(SB), Y9; \
	VBROADCASTSS exps<>+24(SB), Y10; \
	VBROADCASTSS exps<>+28(SB), Y11; \
	VBROADCASTSS exps<>+32(SB), Y12; \
	VBROADCASTSS exps<>+36(SB), Y13; \
	VBROADCASTSS exps<>+40(SB), Y14; \
	VPBROADCASTD exps<>+44(SB), Y15

// EXP is e to the power of each of Y0, into Y0. Y1 and Y2 are lost.
#define EXP \
	VMINPS Y4, Y0, Y0; \
	VMAXPS Y5, Y0, Y0; \
	VMULPS Y6, Y0, Y1; \
	VROUNDPS $0, Y1, Y1; \
	VFNMADD231PS Y7, Y1, Y0; \
	VFNMADD231PS Y8, Y1, Y0; \
	VMOVAPS Y9, Y2; \
	VFMADD213PS Y10, Y0, Y2; \
	VFMADD213PS Y11, Y0, Y2; \
	VFMADD213PS Y12, Y0, Y2; \
	VFMADD213PS Y13, Y0, Y2; \
	VFMADD213PS Y14, Y0, Y2; \
	VFMADD213PS Y14, Y0, Y2; \
	VCVTPS2DQ Y1, Y1; \
	VPADDD Y15, Y1, Y1; \
	VPSLLD $23, Y1, Y1; \
	VMULPS Y1, Y2, Y0

// func softmaxAVX2(x *float32, n int) float32
// n is a multiple of 8.
TEXT ·softmaxAVX2(SB), NOSPLIT, $0-20
	MOVQ x+0(FP), AX
	MOVQ n+8(FP), CX
	MOVQ AX, BX
	MOVQ CX, DX
	VMOVUPS (AX), Y3
most:
	VMAXPS (BX), Y3, Y3
	ADDQ $32, BX
	SUBQ $8, DX
	JNZ most
	VEXTRACTF128 $1, Y3, X0
	VMAXPS X0, X3, X3
	VPERMILPS $0x4e, X3, X0
	VMAXPS X0, X3, X3
	VPERMILPS $0xb1, X3, X0
	VMAXPS X0, X3, X3
	VBROADCASTSS X3, Y3
	EXPSETUP
	// 88 is never reached here: its register has the sum.
	VXORPS Y4, Y4, Y4
all:
	VMOVUPS (AX), Y0
	VSUBPS Y3, Y0, Y0
	VMAXPS Y5, Y0, Y0
	VMULPS Y6, Y0, Y1
	VROUNDPS $0, Y1, Y1
	VFNMADD231PS Y7, Y1, Y0
	VFNMADD231PS Y8, Y1, Y0
	VMOVAPS Y9, Y2
	VFMADD213PS Y10, Y0, Y2
	VFMADD213PS Y11, Y0, Y2
	VFMADD213PS Y12, Y0, Y2
	VFMADD213PS Y13, Y0, Y2
	VFMADD213PS Y14, Y0, Y2
	VFMADD213PS Y14, Y0, Y2
	VCVTPS2DQ Y1, Y1
	VPADDD Y15, Y1, Y1
	VPSLLD $23, Y1, Y1
	VMULPS Y1, Y2, Y0
	VMOVUPS Y0, (AX)
	VADDPS Y0, Y4, Y4
	ADDQ $32, AX
	SUBQ $8, CX
	JNZ all
	VEXTRACTF128 $1, Y4, X0
	VADDPS X0, X4, X4
	VHADDPS X4, X4, X4
	VHADDPS X4, X4, X4
	VMOVSS X4, ret+16(FP)
	VZEROUPPER
	RET

// func gateAVX2(dst, gates, ups *float32, n int)
// n is a multiple of 8.
TEXT ·gateAVX2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ gates+8(FP), AX
	MOVQ ups+16(FP), BX
	MOVQ n+24(FP), CX
	EXPSETUP
loop:
	VXORPS Y0, Y0, Y0
	VMOVUPS (AX), Y3
	VSUBPS Y3, Y0, Y0
	EXP
	VADDPS Y14, Y0, Y0
	VDIVPS Y0, Y3, Y3
	VMULPS (BX), Y3, Y3
	VMOVUPS Y3, (DI)
	ADDQ $32, AX
	ADDQ $32, BX
	ADDQ $32, DI
	SUBQ $8, CX
	JNZ loop
	VZEROUPPER
	RET

// func squaresAVX2(x *float32, n int) float32
// n is a multiple of 8.
TEXT ·squaresAVX2(SB), NOSPLIT, $0-20
	MOVQ x+0(FP), AX
	MOVQ n+8(FP), CX
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	SUBQ $16, CX
	JL rest
two:
	VMOVUPS (AX), Y2
	VMOVUPS 32(AX), Y3
	VFMADD231PS Y2, Y2, Y0
	VFMADD231PS Y3, Y3, Y1
	ADDQ $64, AX
	SUBQ $16, CX
	JGE two
rest:
	ADDQ $16, CX
	JZ sum
	VMOVUPS (AX), Y2
	VFMADD231PS Y2, Y2, Y0
sum:
	VADDPS Y1, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPS X1, X0, X0
	VHADDPS X0, X0, X0
	VHADDPS X0, X0, X0
	VMOVSS X0, ret+16(FP)
	VZEROUPPER
	RET

// func timesAVX2(dst, x, weight *float32, n int, by float32)
// dst = x * by * weight; n is a multiple of 8.
TEXT ·timesAVX2(SB), NOSPLIT, $0-36
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), AX
	MOVQ weight+16(FP), BX
	MOVQ n+24(FP), CX
	VBROADCASTSS by+32(FP), Y1
loop:
	VMULPS (AX), Y1, Y0
	VMULPS (BX), Y0, Y0
	VMOVUPS Y0, (DI)
	ADDQ $32, AX
	ADDQ $32, BX
	ADDQ $32, DI
	SUBQ $8, CX
	JNZ loop
	VZEROUPPER
	RET

// func mostAVX2(x *float32, n int) float32
// The greatest absolute value; n is a multiple of 8.
TEXT ·mostAVX2(SB), NOSPLIT, $0-20
	MOVQ x+0(FP), AX
	MOVQ n+8(FP), CX
	VPCMPEQD Y1, Y1, Y1
	VPSRLD $1, Y1, Y1
	VXORPS Y0, Y0, Y0
loop:
	VANDPS (AX), Y1, Y2
	VMAXPS Y2, Y0, Y0
	ADDQ $32, AX
	SUBQ $8, CX
	JNZ loop
	VEXTRACTF128 $1, Y0, X1
	VMAXPS X1, X0, X0
	VPERMILPS $0x4e, X0, X1
	VMAXPS X1, X0, X0
	VPERMILPS $0xb1, X0, X1
	VMAXPS X1, X0, X0
	VMOVSS X0, ret+16(FP)
	VZEROUPPER
	RET

DATA order<>+0(SB)/4, $0
DATA order<>+4(SB)/4, $4
DATA order<>+8(SB)/4, $1
DATA order<>+12(SB)/4, $5
DATA order<>+16(SB)/4, $2
DATA order<>+20(SB)/4, $6
DATA order<>+24(SB)/4, $3
DATA order<>+28(SB)/4, $7
GLOBL order<>(SB), RODATA|NOPTR, $32

// func roundAVX2(q *int8, x *float32, n int, by float32, flip uint8)
// q = x * by, rounded to even, with the bits of flip turned; n is a multiple of 32.
TEXT ·roundAVX2(SB), NOSPLIT, $0-29
	MOVQ q+0(FP), DI
	MOVQ x+8(FP), AX
	MOVQ n+16(FP), CX
	VBROADCASTSS by+24(FP), Y7
	VPBROADCASTB flip+28(FP), Y6
	VMOVDQU order<>(SB), Y5
loop:
	VMULPS (AX), Y7, Y0
	VMULPS 32(AX), Y7, Y1
	VMULPS 64(AX), Y7, Y2
	VMULPS 96(AX), Y7, Y3
	VCVTPS2DQ Y0, Y0
	VCVTPS2DQ Y1, Y1
	VCVTPS2DQ Y2, Y2
	VCVTPS2DQ Y3, Y3
	VPACKSSDW Y1, Y0, Y0
	VPACKSSDW Y3, Y2, Y2
	VPACKSSWB Y2, Y0, Y0
	VPERMD Y0, Y5, Y0
	VPXOR Y6, Y0, Y0
	VMOVDQU Y0, (DI)
	ADDQ $128, AX
	ADDQ $32, DI
	SUBQ $32, CX
	JNZ loop
	VZEROUPPER
	RET

// func mixAVX2(y, a *float32, n int, m *float32)
// y[0:64] += a[i] * m[i][0:64].
TEXT ·mixAVX2(SB), NOSPLIT, $0-32
	MOVQ y+0(FP), DI
	MOVQ a+8(FP), AX
	MOVQ n+16(FP), CX
	MOVQ m+24(FP), BX
	VMOVUPS (DI), Y0
	VMOVUPS 32(DI), Y1
	VMOVUPS 64(DI), Y2
	VMOVUPS 96(DI), Y3
	VMOVUPS 128(DI), Y4
	VMOVUPS 160(DI), Y5
	VMOVUPS 192(DI), Y6
	VMOVUPS 224(DI), Y7
loop:
	VBROADCASTSS (AX), Y8
	VFMADD231PS (BX), Y8, Y0
	VFMADD231PS 32(BX), Y8, Y1
	VFMADD231PS 64(BX), Y8, Y2
	VFMADD231PS 96(BX), Y8, Y3
	VFMADD231PS 128(BX), Y8, Y4
	VFMADD231PS 160(BX), Y8, Y5
	VFMADD231PS 192(BX), Y8, Y6
	VFMADD231PS 224(BX), Y8, Y7
	ADDQ $4, AX
	ADDQ $256, BX
	DECQ CX
	JNZ loop
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	VMOVUPS Y2, 64(DI)
	VMOVUPS Y3, 96(DI)
	VMOVUPS Y4, 128(DI)
	VMOVUPS Y5, 160(DI)
	VMOVUPS Y6, 192(DI)
	VMOVUPS Y7, 224(DI)
	VZEROUPPER
	RET

#define LOADROW(p, a, b, c, d) \
	VMOVUPS (p), a; \
	VMOVUPS 64(p), b; \
	VMOVUPS 128(p), c; \
	VMOVUPS 192(p), d

#define STOREROW(p, a, b, c, d) \
	VMOVUPS a, (p); \
	VMOVUPS b, 64(p); \
	VMOVUPS c, 128(p); \
	VMOVUPS d, 192(p)

#define MIXROW(p, a, b, c, d) \
	VBROADCASTSS p, Z20; \
	VFMADD231PS Z16, Z20, a; \
	VFMADD231PS Z17, Z20, b; \
	VFMADD231PS Z18, Z20, c; \
	VFMADD231PS Z19, Z20, d

// func mixAVX512(y *float32, apart int, a *float32, stride, n int, m *float32)
// Four y's and a's: y[r][0:64] += a[r][i] * m[i][0:64].
TEXT ·mixAVX512(SB), NOSPLIT, $0-48
	MOVQ y+0(FP), DI
	MOVQ apart+8(FP), R12
	MOVQ a+16(FP), AX
	MOVQ stride+24(FP), DX
	MOVQ n+32(FP), CX
	MOVQ m+40(FP), BX
	SHLQ $2, R12
	SHLQ $2, DX
	LEAQ (DI)(R12*1), R8
	LEAQ (DI)(R12*2), R9
	LEAQ (R8)(R12*2), R10
	LEAQ (AX)(DX*1), R11
	LOADROW(DI, Z0, Z1, Z2, Z3)
	LOADROW(R8, Z4, Z5, Z6, Z7)
	LOADROW(R9, Z8, Z9, Z10, Z11)
	LOADROW(R10, Z12, Z13, Z14, Z15)
loop:
	LOADROW(BX, Z16, Z17, Z18, Z19)
	MIXROW((AX), Z0, Z1, Z2, Z3)
	MIXROW((AX)(DX*1), Z4, Z5, Z6, Z7)
	MIXROW((AX)(DX*2), Z8, Z9, Z10, Z11)
	MIXROW((R11)(DX*2), Z12, Z13, Z14, Z15)
	ADDQ $4, AX
	ADDQ $4, R11
	ADDQ $256, BX
	DECQ CX
	JNZ loop
	STOREROW(DI, Z0, Z1, Z2, Z3)
	STOREROW(R8, Z4, Z5, Z6, Z7)
	STOREROW(R9, Z8, Z9, Z10, Z11)
	STOREROW(R10, Z12, Z13, Z14, Z15)
	VZEROUPPER
	RET
