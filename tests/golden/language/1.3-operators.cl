// SPDX-License-Identifier: Apache-2.0
// The operators, and the instructions that they become.
// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
kernel void arithmetic(global int *i, global uint *u, global float *f, global int4 *i4, global float4 *f4) {
    i[0] = i[1] + i[2];    // 1.3.1-1
    i[0] = i[1] - i[2];    // 1.3.1-1
    i[0] = i[1] * i[2];    // 1.3.1-1
    i[0] = i[1] / i[2];    // 1.3.1-1
    i[0] = i[1] % i[2];    // 1.3.1-1
    u[0] = u[1] / u[2];    // 1.3.1-1
    u[0] = u[1] % u[2];    // 1.3.1-1
    f[0] = f[1] + f[2];    // 1.3.1-1
    f[0] = f[1] - f[2];    // 1.3.1-1
    f[0] = f[1] * f[2];    // 1.3.1-1
    f[0] = f[1] / f[2];    // 1.3.1-1
    i4[0] = i4[1] % i4[2];  // 1.3.1-1
    f4[0] = f4[1] / f[0];  // 1.3.1-1
    i[0] = -i[1];          // 1.3.2-1
    f4[0] = -f4[1];        // 1.3.2-1
    f4[0] = +f4[1];        // 1.3.2-1
    i[0]++;                // 1.3.3-1
    --i4[0];               // 1.3.3-1
}
// CHECK: %arithmetic = OpFunction
// CHECK: OpIAdd %uint
// CHECK: OpISub %uint
// CHECK: OpIMul %uint
// CHECK: OpSDiv %uint
// CHECK: OpSRem %uint
// CHECK: OpUDiv %uint
// CHECK: OpUMod %uint
// CHECK: OpFAdd %float
// CHECK: OpFSub %float
// CHECK: OpFMul %float
// CHECK: OpFDiv %float
// CHECK: OpSRem %v4uint
// CHECK: OpFDiv %v4float
// CHECK: OpSNegate %uint
// CHECK: OpFNegate %v4float
// CHECK: OpIAdd %uint
// CHECK: %v4uint

kernel void relations(global int *i, global uint *u, global float *f, global int4 *i4, global float4 *f4, global long2 *l2,
                      global double2 *d2) {
    i[0] = i[1] < i[2];       // 1.3.4-1
    i[0] = u[1] > u[2];       // 1.3.4-1
    i[0] = f[1] <= f[2];      // 1.3.4-1
    i4[0] = f4[1] >= f4[2];   // 1.3.4-1
    i[0] = i[1] == i[2];      // 1.3.5-1
    i[0] = f[1] != f[2];      // 1.3.5-1
    l2[0] = d2[1] == d2[2];   // 1.3.5-1
}
// CHECK: %relations = OpFunction
// CHECK: OpSLessThan %bool
// CHECK: OpUGreaterThan %bool
// CHECK: OpFOrdLessThanEqual %bool
// CHECK: OpFOrdGreaterThanEqual %v4bool
// CHECK: OpSelect %v4uint
// CHECK: OpIEqual %bool
// CHECK: OpFUnordNotEqual %bool
// CHECK: OpFOrdEqual %v2bool
// CHECK: OpSelect %v2ulong

kernel void bits(global int *i, global uint *u, global int4 *i4, global float4 *f4, global uint4 *u4) {
    i[0] = i[1] & i[2];        // 1.3.6-1
    i[0] = i[1] | i[2];        // 1.3.6-1
    i4[0] = i4[1] ^ i[2];      // 1.3.6-1
    i4[0] = ~i4[1];            // 1.3.6-1
    i4[0] = f4[1] && f4[2];    // 1.3.7-1
    i4[0] = i4[1] || 0;        // 1.3.7-1
    i[0] = !i[1];              // 1.3.8-1
    i4[0] = !f4[1];            // 1.3.8-1
    i[0] = i[1] << i[2];       // 1.3.10-1
    i[0] = i[1] >> i[2];       // 1.3.10-1
    u[0] = u[1] >> u[2];       // 1.3.10-1
    i4[0] = i4[1] << i4[2];    // 1.3.10-1
    u4[0] = u4[1] >> 3;        // 1.3.10-1
}
// CHECK: %bits = OpFunction
// CHECK: OpBitwiseAnd %uint
// CHECK: OpBitwiseOr %uint
// CHECK: OpBitwiseXor %v4uint
// CHECK: OpNot %v4uint
// CHECK: OpLogicalAnd %v4bool
// CHECK: OpLogicalOr %v4bool
// CHECK: OpSelect %uint
// CHECK: OpSelect %v4uint
// CHECK: OpShiftLeftLogical %uint
// CHECK: OpShiftRightArithmetic %uint
// CHECK: OpShiftRightLogical %uint
// CHECK: OpShiftLeftLogical %v4uint
// CHECK: OpShiftRightLogical %v4uint

struct pair { int a; float b; };
kernel void rest(global int *i, global float4 *f4, global int4 *i4, global struct pair *p, local int *scratch) {
    i[0] = i[1] ? i[2] : i[3];           // 1.3.9-1
    f4[0] = i4[0] ? f4[1] : f4[2];       // 1.3.9-1
    i[0] = (i[4] = 5, i[6]);             // 1.3.12-1
    *i = 7;                              // 1.3.13-1
    global int *q = &i[9];               // 1.3.14-1
    *&*q = 1;                            // 1.3.14-1
    p[0] = p[1];                         // 1.3.15-1, 1.3.15-3: a whole struct
    (p->a) = 1;                          // 1.3.15-3
    f4[3] = 2;                           // 1.3.15-1
    f4[3].zx = (float2)(1);              // 1.3.15-3
    scratch[1] = 3;                      // 1.3.15-3
    i[0] += 1; i[0] -= 2; i[0] *= 3; i[0] /= 4; i[0] %= 5; i[0] <<= 6; i[0] >>= 7; i[0] &= 8; i[0] |= 9; i[0] ^= 10;  // 1.3.15-5
}
// CHECK: %rest = OpFunction
// CHECK: OpPhi %uint
// CHECK: OpSelect %v4float
// CHECK: %uint_5
// CHECK: OpInBoundsPtrAccessChain
// CHECK: OpIAdd %uint
// CHECK: OpISub %uint
// CHECK: OpIMul %uint
// CHECK: OpSDiv %uint
// CHECK: OpSRem %uint
// CHECK: OpShiftLeftLogical %uint
// CHECK: OpShiftRightArithmetic %uint
// CHECK: OpBitwiseAnd %uint
// CHECK: OpBitwiseOr %uint
// CHECK: OpBitwiseXor %uint
