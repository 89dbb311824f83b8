// SPDX-License-Identifier: Apache-2.0
// Each work-item adds its weight to its cell: with the device's own float addition where OpenCL C has it.
#ifdef __opencl_c_ext_fp32_global_atomic_add
void add(global float* cell, float weight) {
    atomic_fetch_add_explicit((volatile global atomic_float*)cell, weight, memory_order_relaxed, memory_scope_device);
}
#else
void add(volatile global float* cell, float weight) {
    volatile global uint* bits = (volatile global uint*)cell;
    for (uint old = *bits, seen;; old = seen) {
        seen = atomic_cmpxchg(bits, old, as_uint(as_float(old) + weight));
        if (seen == old) return;
    }
}
#endif

kernel void float_atomics(global const uint* restrict cells, global const float* restrict weights, global float* restrict sums) {
    const size_t i = get_global_id(0);
    add(&sums[cells[i]], weights[i]);
}
