#include "textflag.h"

// Products of matrices of int8 with vectors. Rows go by fours; w is the first row's
// address, columns a multiple of 64. Each number of a product is the exact sum of int32,
// as a float, times the vector's scale, times the row's.

// REDUCE adds up the dwords of four registers, lane by lane: lane i of a then has the
// sums of a, b, c and d over their lanes i.
#define REDUCE(a, b, c, d, t0, t1) \
	VPUNPCKLDQ b, a, t0; \
	VPUNPCKHDQ b, a, t1; \
	VPADDD     t1, t0, a; \
	VPUNPCKLDQ d, c, t0; \
	VPUNPCKHDQ d, c, t1; \
	VPADDD     t1, t0, c; \
	VPUNPCKLQDQ c, a, t0; \
	VPUNPCKHQDQ c, a, t1; \
	VPADDD     t1, t0, a

// func vnniFour(w *int8, columns int, sums *int32, scales *float32, fours int, x *int8, xscales *[16]float32, out *float32, stride int)
// Four vectors, biased by 128; sums are the rows' times 128. xscales has each vector's
// scale four times.
TEXT ·vnniFour(SB), NOSPLIT, $0-72
	MOVQ w+0(FP), AX
	MOVQ columns+8(FP), BX
	MOVQ sums+16(FP), R10
	MOVQ scales+24(FP), R11
	MOVQ fours+32(FP), R14
	MOVQ x+40(FP), CX
	MOVQ xscales+48(FP), DX
	MOVQ out+56(FP), DI
	MOVQ stride+64(FP), R12
	SHLQ $2, R12
	VMOVUPS (DX), Z31
	LEAQ (DI)(R12*1), R13
rows:
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	VPXORD Z2, Z2, Z2
	VPXORD Z3, Z3, Z3
	VPXORD Z4, Z4, Z4
	VPXORD Z5, Z5, Z5
	VPXORD Z6, Z6, Z6
	VPXORD Z7, Z7, Z7
	VPXORD Z8, Z8, Z8
	VPXORD Z9, Z9, Z9
	VPXORD Z10, Z10, Z10
	VPXORD Z11, Z11, Z11
	VPXORD Z12, Z12, Z12
	VPXORD Z13, Z13, Z13
	VPXORD Z14, Z14, Z14
	VPXORD Z15, Z15, Z15
	LEAQ (AX)(BX*1), R8
	LEAQ (CX)(BX*1), R9
	MOVQ BX, DX
columns:
	VMOVDQU32 (AX), Z16
	VMOVDQU32 (AX)(BX*1), Z17
	VMOVDQU32 (AX)(BX*2), Z18
	VMOVDQU32 (R8)(BX*2), Z19
	VMOVDQU32 (CX), Z20
	VMOVDQU32 (CX)(BX*1), Z21
	VMOVDQU32 (CX)(BX*2), Z22
	VMOVDQU32 (R9)(BX*2), Z23
	VPDPBUSD Z16, Z20, Z0
	VPDPBUSD Z17, Z20, Z1
	VPDPBUSD Z18, Z20, Z2
	VPDPBUSD Z19, Z20, Z3
	VPDPBUSD Z16, Z21, Z4
	VPDPBUSD Z17, Z21, Z5
	VPDPBUSD Z18, Z21, Z6
	VPDPBUSD Z19, Z21, Z7
	VPDPBUSD Z16, Z22, Z8
	VPDPBUSD Z17, Z22, Z9
	VPDPBUSD Z18, Z22, Z10
	VPDPBUSD Z19, Z22, Z11
	VPDPBUSD Z16, Z23, Z12
	VPDPBUSD Z17, Z23, Z13
	VPDPBUSD Z18, Z23, Z14
	VPDPBUSD Z19, Z23, Z15
	ADDQ $64, AX
	ADDQ $64, R8
	ADDQ $64, CX
	ADDQ $64, R9
	SUBQ $64, DX
	JNZ columns
	REDUCE(Z0, Z1, Z2, Z3, Z16, Z17)
	REDUCE(Z4, Z5, Z6, Z7, Z18, Z19)
	REDUCE(Z8, Z9, Z10, Z11, Z20, Z21)
	REDUCE(Z12, Z13, Z14, Z15, Z22, Z23)
	VSHUFI32X4 $0x88, Z4, Z0, Z16
	VSHUFI32X4 $0xDD, Z4, Z0, Z17
	VPADDD Z17, Z16, Z16
	VSHUFI32X4 $0x88, Z12, Z8, Z18
	VSHUFI32X4 $0xDD, Z12, Z8, Z19
	VPADDD Z19, Z18, Z18
	VSHUFI32X4 $0x88, Z18, Z16, Z0
	VSHUFI32X4 $0xDD, Z18, Z16, Z1
	VPADDD Z1, Z0, Z0
	VBROADCASTI32X4 (R10), Z1
	VPSUBD Z1, Z0, Z0
	VCVTDQ2PS Z0, Z0
	VMULPS Z31, Z0, Z0
	VBROADCASTF32X4 (R11), Z1
	VMULPS Z1, Z0, Z0
	VMOVUPS X0, (DI)
	VEXTRACTF32X4 $1, Z0, (DI)(R12*1)
	VEXTRACTF32X4 $2, Z0, (DI)(R12*2)
	VEXTRACTF32X4 $3, Z0, (R13)(R12*2)
	ADDQ $16, DI
	ADDQ $16, R13
	ADDQ $16, R10
	ADDQ $16, R11
	LEAQ (AX)(BX*2), AX
	ADDQ BX, AX
	SUBQ BX, CX
	DECQ R14
	JNZ rows
	VZEROUPPER
	RET

// func vnniOne(w *int8, columns int, sums *int32, scales *float32, fours int, x *int8, xscale float32, out *float32)
// One vector, biased by 128.
TEXT ·vnniOne(SB), NOSPLIT, $0-64
	MOVQ w+0(FP), AX
	MOVQ columns+8(FP), BX
	MOVQ sums+16(FP), R10
	MOVQ scales+24(FP), R11
	MOVQ fours+32(FP), R14
	MOVQ x+40(FP), CX
	VBROADCASTSS xscale+48(FP), X31
	MOVQ out+56(FP), DI
rows:
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	VPXORD Z2, Z2, Z2
	VPXORD Z3, Z3, Z3
	LEAQ (AX)(BX*1), R8
	MOVQ BX, DX
columns:
	VMOVDQU32 (CX), Z20
	VPDPBUSD (AX), Z20, Z0
	VPDPBUSD (AX)(BX*1), Z20, Z1
	VPDPBUSD (AX)(BX*2), Z20, Z2
	VPDPBUSD (R8)(BX*2), Z20, Z3
	ADDQ $64, AX
	ADDQ $64, R8
	ADDQ $64, CX
	SUBQ $64, DX
	JNZ columns
	REDUCE(Z0, Z1, Z2, Z3, Z16, Z17)
	VEXTRACTI64X4 $1, Z0, Y1
	VPADDD Y1, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPADDD X1, X0, X0
	VMOVDQU (R10), X1
	VPSUBD X1, X0, X0
	VCVTDQ2PS X0, X0
	VMULPS X31, X0, X0
	VMULPS (R11), X0, X0
	VMOVUPS X0, (DI)
	ADDQ $16, DI
	ADDQ $16, R10
	ADDQ $16, R11
	LEAQ (AX)(BX*2), AX
	ADDQ BX, AX
	SUBQ BX, CX
	DECQ R14
	JNZ rows
	VZEROUPPER
	RET

// ROW2 multiplies 32 columns of a row, at w, with two vectors: Y10 and Y12, whose
// absolute values are Y9 and Y11. The sums of two products fit 16 bits.
#define ROW2(w, a, b) \
	VMOVDQU    w, Y13; \
	VPSIGNB    Y10, Y13, Y14; \
	VPMADDUBSW Y14, Y9, Y14; \
	VPSIGNB    Y12, Y13, Y15; \
	VPMADDUBSW Y15, Y11, Y15; \
	VPMADDWD   Y8, Y14, Y14; \
	VPMADDWD   Y8, Y15, Y15; \
	VPADDD     Y14, a, a; \
	VPADDD     Y15, b, b

// func avx2Two(w *int8, columns int, scales *float32, fours int, x *int8, xscales *float32, out *float32, stride int)
// Two vectors.
TEXT ·avx2Two(SB), NOSPLIT, $0-64
	MOVQ w+0(FP), AX
	MOVQ columns+8(FP), BX
	MOVQ scales+16(FP), R11
	MOVQ fours+24(FP), R14
	MOVQ x+32(FP), CX
	MOVQ xscales+40(FP), R10
	MOVQ out+48(FP), DI
	MOVQ stride+56(FP), R12
	VPCMPEQW Y8, Y8, Y8
	VPABSW Y8, Y8
rows:
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7
	LEAQ (AX)(BX*1), R8
	MOVQ BX, DX
columns:
	VMOVDQU (CX), Y10
	VMOVDQU (CX)(BX*1), Y12
	VPABSB Y10, Y9
	VPABSB Y12, Y11
	ROW2((AX), Y0, Y4)
	ROW2((AX)(BX*1), Y1, Y5)
	ROW2((AX)(BX*2), Y2, Y6)
	ROW2((R8)(BX*2), Y3, Y7)
	ADDQ $32, AX
	ADDQ $32, R8
	ADDQ $32, CX
	SUBQ $32, DX
	JNZ columns
	VPHADDD Y1, Y0, Y0
	VPHADDD Y3, Y2, Y2
	VPHADDD Y2, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPADDD X1, X0, X0
	VPHADDD Y5, Y4, Y4
	VPHADDD Y7, Y6, Y6
	VPHADDD Y6, Y4, Y4
	VEXTRACTI128 $1, Y4, X5
	VPADDD X5, X4, X4
	VCVTDQ2PS X0, X0
	VCVTDQ2PS X4, X4
	VBROADCASTSS (R10), X1
	VBROADCASTSS 4(R10), X5
	VMULPS X1, X0, X0
	VMULPS X5, X4, X4
	VMOVUPS (R11), X1
	VMULPS X1, X0, X0
	VMULPS X1, X4, X4
	VMOVUPS X0, (DI)
	VMOVUPS X4, (DI)(R12*4)
	ADDQ $16, DI
	ADDQ $16, R11
	LEAQ (AX)(BX*2), AX
	ADDQ BX, AX
	SUBQ BX, CX
	DECQ R14
	JNZ rows
	VZEROUPPER
	RET

// ROW1 is ROW2 with one vector.
#define ROW1(w, a) \
	VMOVDQU    w, Y13; \
	VPSIGNB    Y10, Y13, Y14; \
	VPMADDUBSW Y14, Y9, Y14; \
	VPMADDWD   Y8, Y14, Y14; \
	VPADDD     Y14, a, a

// func avx2One(w *int8, columns int, scales *float32, fours int, x *int8, xscale float32, out *float32)
// One vector.
TEXT ·avx2One(SB), NOSPLIT, $0-56
	MOVQ w+0(FP), AX
	MOVQ columns+8(FP), BX
	MOVQ scales+16(FP), R11
	MOVQ fours+24(FP), R14
	MOVQ x+32(FP), CX
	MOVQ out+48(FP), DI
	VPCMPEQW Y8, Y8, Y8
	VPABSW Y8, Y8
rows:
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	LEAQ (AX)(BX*1), R8
	MOVQ BX, DX
columns:
	VMOVDQU (CX), Y10
	VPABSB Y10, Y9
	ROW1((AX), Y0)
	ROW1((AX)(BX*1), Y1)
	ROW1((AX)(BX*2), Y2)
	ROW1((R8)(BX*2), Y3)
	ADDQ $32, AX
	ADDQ $32, R8
	ADDQ $32, CX
	SUBQ $32, DX
	JNZ columns
	VPHADDD Y1, Y0, Y0
	VPHADDD Y3, Y2, Y2
	VPHADDD Y2, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPADDD X1, X0, X0
	VCVTDQ2PS X0, X0
	VBROADCASTSS xscale+40(FP), X1
	VMULPS X1, X0, X0
	VMULPS (R11), X0, X0
	VMOVUPS X0, (DI)
	ADDQ $16, DI
	ADDQ $16, R11
	LEAQ (AX)(BX*2), AX
	ADDQ BX, AX
	SUBQ BX, CX
	DECQ R14
	JNZ rows
	VZEROUPPER
	RET
