// SPDX-License-Identifier: Apache-2.0
// gcc's bit functions: an int comes out whatever they count in.
// OPTIONS: --target=opencl1.2
kernel void bits(global int *out, uint x, ulong y) {
    out[0] = __builtin_clz(x);         // CHECK: OpExtInst %uint %1 clz
    out[1] = __builtin_clzl(y);        // CHECK: OpExtInst %ulong %1 clz
                                       // CHECK: OpUConvert %uint
    out[2] = __builtin_popcountll(y);  // CHECK: OpExtInst %ulong %1 popcount
    out[3] = __builtin_ctz(x);         // CHECK: OpNot %uint
                                       // CHECK: OpExtInst %uint %1 popcount
    out[4] = __builtin_ffs(x);         // CHECK: OpSelect %uint
    out[5] = __builtin_parity(x);      // CHECK: OpBitwiseAnd %uint
    out[6] = __builtin_bswap32(x);     // CHECK: OpVectorShuffle %v4uchar
    out[7] = __builtin_rotateright32(x, 3);  // CHECK: OpExtInst %uint %1 rotate
    int sum;
    out[8] = __builtin_add_overflow(out[0], out[1], &sum);  // CHECK: OpSLessThan %bool
    out[9] = sum;
    uint product;
    out[10] = __builtin_umul_overflow(x, 3u, &product);  // CHECK: OpExtInst %uint %1 u_mul_hi
    out[11] = product;
}
