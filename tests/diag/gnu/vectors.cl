// OPTIONS: -cl-std=CL2.0
kernel void k(float4 f, int4 i, uint4 u, global int *n, char c) {
    f = __builtin_elementwise_abs(u);
    f = __builtin_elementwise_max(f, i);
    f = __builtin_elementwise_ceil(i);
    f = __builtin_elementwise_ceil(f, f);
    f = __builtin_elementwise_cube(f);
    i = __builtin_elementwise_add_sat(f, f);
    i = __builtin_elementwise_max(i);
    i = __builtin_elementwise_max(n, n);
    n[0] = __builtin_reduce_max(n[0]);
    n[0] = __builtin_reduce_add(f);
    i = __builtin_shufflevector(i, f, 0, 1, 2, 3);
    i = __builtin_shufflevector(i, i, 0, 1, 2, 9);
    i = __builtin_shufflevector(i, i, 0, 1, 2, n[0]);
    i = __builtin_shufflevector(n[0], n[1], 0, 1, 2, 3);
    i = __builtin_shufflevector(i);
    i = __builtin_shufflevector(i, i, 0, 1, 2, 3, 4);
}
