// OPTIONS: -cl-std=CL3.0 -cl-ext=-cl_khr_int64_base_atomics,-cl_khr_int64_extended_atomics,-cl_khr_fp16
// A type or an overload that the standard has and the device has not is told by what it needs.
kernel void types(global atomic_long *a, global half *h) {
    local atomic_size_t count;
    atomic_uintptr_t *pointer;
    half4 halves = vload_half4(0, h);
    int8 vectors;
    half5 nothing;
}
kernel void functions(global long *a, global ulong *u, global int *i) {
    atom_add(a, 1L);
    atom_max(u, 1UL);
    atom_add(i, 1);
    atom_add(i, i);
}
