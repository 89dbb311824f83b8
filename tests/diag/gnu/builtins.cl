// SPDX-License-Identifier: Apache-2.0
// Faulty arguments of clang's __builtin_ functions and of its names for atomics.
// OPTIONS: -cl-std=CL2.0
kernel void k(global int *p, const global int *q, float f, float4 v, int i, uint u, uchar c, global atomic_int *a,
              const global atomic_int *ca, global atomic_float *af) {
    i = __builtin_add_overflow(i, f, p);
    i = __builtin_add_overflow(i, u, q);
    i = __builtin_mul_overflow(i, u, i);
    i = __builtin_sub_overflow(i, u);
    i = __builtin_align_up(f, 4);
    i = __builtin_align_up(i, 3);
    i = __builtin_align_down(c, 256);
    i = __builtin_is_aligned(p, 0);
    i = __builtin_isfpclass(f, i);
    i = __builtin_isfpclass(f, 1024);
    i = __builtin_popcountg(i);
    v = __builtin_elementwise_ldexp(v, i);
    v = __builtin_elementwise_fma(v, v, f);
    i = __builtin_elementwise_clzg(u, u, u);
    f = __builtin_nanf(p);  // DIFFERS GNU: clang warns of the pointer's type, and calls the host's function
    i = __opencl_atomic_load(ca, memory_order_relaxed, memory_scope_device);
    __opencl_atomic_store(ca, 0, memory_order_relaxed, memory_scope_device);
    __opencl_atomic_init(p, 0);
    i = __opencl_atomic_load(i, memory_order_relaxed, memory_scope_device);
    i = __opencl_atomic_fetch_and(af, 1, memory_order_relaxed, memory_scope_device);
    i = __opencl_atomic_load(a, memory_order_relaxed, memory_scope_work_item);
}
