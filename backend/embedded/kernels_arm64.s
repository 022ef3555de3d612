#include "textflag.h"

// Products of matrices of int8 with vectors, for processors with the dot product of
// ARMv8.2. Rows go by fours; w is the first row's address, columns a multiple of 64. Each
// number of a product is the exact sum of int32, as a float, times the vector's scale,
// times the row's.

// What the assembler has no names for, of registers by their numbers: sums of four
// products of int8 added to int32; floats of int32; products of floats.
#define SDOT(m, n, d) WORD $(0x4e809400 | (m)<<16 | (n)<<5 | (d))
#define SCVTF(n, d) WORD $(0x4e21d800 | (n)<<5 | (d))
#define FMUL(m, n, d) WORD $(0x6e20dc00 | (m)<<16 | (n)<<5 | (d))

// func sdotFour(w *int8, columns int, scales *float32, fours int, x *int8, xscales *float32, out *float32, stride int)
// Four vectors.
TEXT ·sdotFour(SB), NOSPLIT, $0-64
	MOVD w+0(FP), R0
	MOVD columns+8(FP), R8
	MOVD scales+16(FP), R9
	MOVD fours+24(FP), R10
	MOVD x+32(FP), R4
	MOVD xscales+40(FP), R11
	MOVD out+48(FP), R12
	MOVD stride+56(FP), R13
	LSL $2, R13, R13
	ADD R8, R4, R5
	ADD R8, R5, R6
	ADD R8, R6, R7
	ADD R13, R12, R15
	ADD R13, R15, R16
	ADD R13, R16, R17
	VLD1 (R11), [V30.S4]
	VDUP V30.S[0], V24.S4
	VDUP V30.S[1], V25.S4
	VDUP V30.S[2], V26.S4
	VDUP V30.S[3], V27.S4
rows:
	ADD R8, R0, R1
	ADD R8, R1, R2
	ADD R8, R2, R3
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16
	VEOR V4.B16, V4.B16, V4.B16
	VEOR V5.B16, V5.B16, V5.B16
	VEOR V6.B16, V6.B16, V6.B16
	VEOR V7.B16, V7.B16, V7.B16
	VEOR V8.B16, V8.B16, V8.B16
	VEOR V9.B16, V9.B16, V9.B16
	VEOR V10.B16, V10.B16, V10.B16
	VEOR V11.B16, V11.B16, V11.B16
	VEOR V12.B16, V12.B16, V12.B16
	VEOR V13.B16, V13.B16, V13.B16
	VEOR V14.B16, V14.B16, V14.B16
	VEOR V15.B16, V15.B16, V15.B16
	MOVD R8, R14
columns:
	VLD1.P 16(R0), [V16.B16]
	VLD1.P 16(R1), [V17.B16]
	VLD1.P 16(R2), [V18.B16]
	VLD1.P 16(R3), [V19.B16]
	VLD1.P 16(R4), [V20.B16]
	VLD1.P 16(R5), [V21.B16]
	VLD1.P 16(R6), [V22.B16]
	VLD1.P 16(R7), [V23.B16]
	SDOT(20, 16, 0)
	SDOT(20, 17, 1)
	SDOT(20, 18, 2)
	SDOT(20, 19, 3)
	SDOT(21, 16, 4)
	SDOT(21, 17, 5)
	SDOT(21, 18, 6)
	SDOT(21, 19, 7)
	SDOT(22, 16, 8)
	SDOT(22, 17, 9)
	SDOT(22, 18, 10)
	SDOT(22, 19, 11)
	SDOT(23, 16, 12)
	SDOT(23, 17, 13)
	SDOT(23, 18, 14)
	SDOT(23, 19, 15)
	SUBS $16, R14, R14
	BNE columns
	MOVD R3, R0
	SUB R8, R4, R4
	SUB R8, R5, R5
	SUB R8, R6, R6
	SUB R8, R7, R7
	VLD1.P 16(R9), [V28.S4]
	VADDP V1.S4, V0.S4, V0.S4
	VADDP V3.S4, V2.S4, V2.S4
	VADDP V2.S4, V0.S4, V0.S4
	SCVTF(0, 0)
	FMUL(24, 0, 0)
	FMUL(28, 0, 0)
	VADDP V5.S4, V4.S4, V4.S4
	VADDP V7.S4, V6.S4, V6.S4
	VADDP V6.S4, V4.S4, V4.S4
	SCVTF(4, 4)
	FMUL(25, 4, 4)
	FMUL(28, 4, 4)
	VADDP V9.S4, V8.S4, V8.S4
	VADDP V11.S4, V10.S4, V10.S4
	VADDP V10.S4, V8.S4, V8.S4
	SCVTF(8, 8)
	FMUL(26, 8, 8)
	FMUL(28, 8, 8)
	VADDP V13.S4, V12.S4, V12.S4
	VADDP V15.S4, V14.S4, V14.S4
	VADDP V14.S4, V12.S4, V12.S4
	SCVTF(12, 12)
	FMUL(27, 12, 12)
	FMUL(28, 12, 12)
	VST1.P [V0.S4], 16(R12)
	VST1.P [V4.S4], 16(R15)
	VST1.P [V8.S4], 16(R16)
	VST1.P [V12.S4], 16(R17)
	SUBS $1, R10, R10
	BNE rows
	RET

// func sdotOne(w *int8, columns int, scales *float32, fours int, x *int8, xscale float32, out *float32)
// One vector.
TEXT ·sdotOne(SB), NOSPLIT, $0-56
	MOVD w+0(FP), R0
	MOVD columns+8(FP), R8
	MOVD scales+16(FP), R9
	MOVD fours+24(FP), R10
	MOVD x+32(FP), R4
	FMOVS xscale+40(FP), F30
	MOVD out+48(FP), R12
	VDUP V30.S[0], V24.S4
rows:
	ADD R8, R0, R1
	ADD R8, R1, R2
	ADD R8, R2, R3
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16
	VEOR V4.B16, V4.B16, V4.B16
	VEOR V5.B16, V5.B16, V5.B16
	VEOR V6.B16, V6.B16, V6.B16
	VEOR V7.B16, V7.B16, V7.B16
	MOVD R8, R14
columns:
	VLD1.P 32(R4), [V20.B16, V21.B16]
	VLD1.P 32(R0), [V12.B16, V13.B16]
	VLD1.P 32(R1), [V14.B16, V15.B16]
	VLD1.P 32(R2), [V16.B16, V17.B16]
	VLD1.P 32(R3), [V18.B16, V19.B16]
	SDOT(20, 12, 0)
	SDOT(20, 14, 1)
	SDOT(20, 16, 2)
	SDOT(20, 18, 3)
	SDOT(21, 13, 4)
	SDOT(21, 15, 5)
	SDOT(21, 17, 6)
	SDOT(21, 19, 7)
	SUBS $32, R14, R14
	BNE columns
	MOVD R3, R0
	SUB R8, R4, R4
	VADD V4.S4, V0.S4, V0.S4
	VADD V5.S4, V1.S4, V1.S4
	VADD V6.S4, V2.S4, V2.S4
	VADD V7.S4, V3.S4, V3.S4
	VADDP V1.S4, V0.S4, V0.S4
	VADDP V3.S4, V2.S4, V2.S4
	VADDP V2.S4, V0.S4, V0.S4
	VLD1.P 16(R9), [V28.S4]
	SCVTF(0, 0)
	FMUL(24, 0, 0)
	FMUL(28, 0, 0)
	VST1.P [V0.S4], 16(R12)
	SUBS $1, R10, R10
	BNE rows
	RET

// func mixNEON(y, a *float32, n int, m *float32)
// y[0:64] += a[i] * m[i][0:64].
TEXT ·mixNEON(SB), NOSPLIT, $0-32
	MOVD y+0(FP), R0
	MOVD a+8(FP), R1
	MOVD n+16(FP), R2
	MOVD m+24(FP), R3
	MOVD R0, R4
	VLD1.P 64(R4), [V0.S4, V1.S4, V2.S4, V3.S4]
	VLD1.P 64(R4), [V4.S4, V5.S4, V6.S4, V7.S4]
	VLD1.P 64(R4), [V8.S4, V9.S4, V10.S4, V11.S4]
	VLD1.P 64(R4), [V12.S4, V13.S4, V14.S4, V15.S4]
loop:
	FMOVS.P 4(R1), F24
	VDUP V24.S[0], V24.S4
	VLD1.P 64(R3), [V16.S4, V17.S4, V18.S4, V19.S4]
	VLD1.P 64(R3), [V20.S4, V21.S4, V22.S4, V23.S4]
	VFMLA V16.S4, V24.S4, V0.S4
	VFMLA V17.S4, V24.S4, V1.S4
	VFMLA V18.S4, V24.S4, V2.S4
	VFMLA V19.S4, V24.S4, V3.S4
	VFMLA V20.S4, V24.S4, V4.S4
	VFMLA V21.S4, V24.S4, V5.S4
	VFMLA V22.S4, V24.S4, V6.S4
	VFMLA V23.S4, V24.S4, V7.S4
	VLD1.P 64(R3), [V16.S4, V17.S4, V18.S4, V19.S4]
	VLD1.P 64(R3), [V20.S4, V21.S4, V22.S4, V23.S4]
	VFMLA V16.S4, V24.S4, V8.S4
	VFMLA V17.S4, V24.S4, V9.S4
	VFMLA V18.S4, V24.S4, V10.S4
	VFMLA V19.S4, V24.S4, V11.S4
	VFMLA V20.S4, V24.S4, V12.S4
	VFMLA V21.S4, V24.S4, V13.S4
	VFMLA V22.S4, V24.S4, V14.S4
	VFMLA V23.S4, V24.S4, V15.S4
	SUBS $1, R2, R2
	BNE loop
	VST1.P [V0.S4, V1.S4, V2.S4, V3.S4], 64(R0)
	VST1.P [V4.S4, V5.S4, V6.S4, V7.S4], 64(R0)
	VST1.P [V8.S4, V9.S4, V10.S4, V11.S4], 64(R0)
	VST1.P [V12.S4, V13.S4, V14.S4, V15.S4], 64(R0)
	RET
