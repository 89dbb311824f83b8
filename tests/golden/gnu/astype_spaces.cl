// SPDX-License-Identifier: Apache-2.0
// __builtin_astype moves a pointer to another address space: by way of a generic pointer, or with its bits.
// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
// CHECK: OpPtrCastToGeneric
generic int *wide(global int *x) { return __builtin_astype(x, generic int *); }
// CHECK: OpGenericCastToPtr
global float *narrow(generic int *x) { return __builtin_astype(x, global float *); }
// CHECK: OpConvertPtrToU %ulong
// CHECK: OpConvertUToPtr
global int *other(local int *x) { return __builtin_astype(x, global int *); }
kernel void k(global int *out, local int *l) {
    out[0] = *wide(out) + (int)*narrow(out) + (other(l) != 0);
}
