// SPDX-License-Identifier: Apache-2.0
// What the extensions of annex B bring.
// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#if !defined(cl_khr_fp16) || !defined(cl_khr_int64_base_atomics) || !defined(cl_khr_int64_extended_atomics) || \
    !defined(cl_khr_3d_image_writes) || !defined(cl_khr_subgroups) || !defined(cl_khr_fp64)
#error
#endif
half4 scale(half4 v, half s) { return fma(v, (half4)(s), convert_half4((float4)(0.5h))); }  // B-1
kernel void k(global half4 *h, volatile global atomic_long *l, volatile global atomic_ulong *m,  // B-2
              write_only image3d_t image, global double *d, global uint *out) {
    h[0] = scale(h[1], 2.0h) + 1;                   // B-1
    write_imagef(image, (int4)(0), (float4)(1));    // B-3
    out[0] = get_sub_group_size();                  // B-5
    d[0] = sqrt(d[1]) + 0.1;                        // B-6
}
// CHECK: OpCapability Float16
// CHECK: BuiltIn SubgroupSize
// CHECK: OpTypeImage %void 3D
// CHECK: %k = OpFunction
// CHECK: OpImageWrite
// CHECK: OpExtInst %double %1 sqrt
// CHECK: OpExtInst %v4half %1 fma
