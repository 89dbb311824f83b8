// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
// What clang has for vectors: vector_size, __builtin_shufflevector, functions of each element and over all.
typedef int int_pair __attribute__((vector_size(8)));
typedef float float_quad __attribute__((__vector_size__(4 * sizeof(float))));
// CHECK: OpTypeFunction %v2uint
int_pair add(int_pair a, int2 b) { return a + b; }
kernel void shuffles(global int4 *out, int4 a, int4 b, int3 c, int3 d, global float_quad *f) {
    f[0] += f[1];
    // CHECK: OpVectorShuffle %v4uint
    // CHECK: 3 2 1 0
    out[0] = __builtin_shufflevector(a, b, 3, 2, 1, 0);
    // CHECK: OpVectorShuffle %v4uint
    // CHECK: 0 1 2 3
    out[1] = __builtin_shufflevector(a, b, 4, 5, 6, 7);
    out[2] = __builtin_shufflevector(a, b, 0, 5, -1, 7);
    out[3].xyz = __builtin_shufflevector(c, d, 5, 0, 3);
    out[4].xy = add(out[5].xy, out[6].zw);
    out[5] = __builtin_convertvector(f[2], int4);
}
kernel void elements(global float4 *f, global int4 *i, global uint4 *u, global int *n, int x, char y) {
    // CHECK: fabs %
    f[0] = __builtin_elementwise_abs(f[0]);
    // CHECK: s_abs %
    i[0] = __builtin_elementwise_abs(i[0]);
    // CHECK: trunc
    // CHECK: rint
    // CHECK: floor
    // CHECK: ceil
    f[1] = __builtin_elementwise_ceil(__builtin_elementwise_floor(
        __builtin_elementwise_roundeven(__builtin_elementwise_trunc(f[1]))));
    // CHECK: fmax %
    f[2] = __builtin_elementwise_max(f[2], f[3]);
    // CHECK: u_min %
    u[0] = __builtin_elementwise_min(u[0], u[1]);
    // CHECK: s_max %
    n[0] = __builtin_elementwise_max(x, y);
    // CHECK: u_sub_sat %
    // CHECK: u_add_sat %
    u[1] = __builtin_elementwise_add_sat(u[0], __builtin_elementwise_sub_sat(u[1], u[2]));
    // CHECK: OpIAdd %uint
    // CHECK: OpIAdd %uint
    // CHECK: OpIAdd %uint
    n[1] = __builtin_reduce_add(i[1]);
    // CHECK: u_max %
    n[2] = __builtin_reduce_max(u[2]);
    // CHECK: fmin %
    f[3].x = __builtin_reduce_min(f[4]);
    // CHECK: OpBitwiseXor %uint
    n[3] = __builtin_reduce_xor(i[1]) + __builtin_reduce_and(i[1]) + __builtin_reduce_or(i[1]) + __builtin_reduce_mul(i[1]);
}
