// SPDX-License-Identifier: Apache-2.0
// In 2.0 one overload takes a pointer to any space but constant. 1.13.7-14
// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
kernel void copy(global float *g, local half *l, constant int *c, global int *o) {
    float *any = g;
    vstore4(vload4(0, any), 1, any);  // 1.13.7-1 1.13.7-2
// CHECK: OpExtInst %v4float %1 vloadn
// CHECK: OpExtInst %void %1 vstoren
    vstore3(vload3(0, g), 1, g);
// CHECK: OpPtrCastToGeneric %_ptr_Generic_float
// CHECK: OpExtInst %v3float %1 vloadn
// CHECK: OpPtrCastToGeneric %_ptr_Generic_float
// CHECK: OpExtInst %void %1 vstoren
    vstore_half2(vload_half2(0, l), 1, l);  // 1.13.7-5
// CHECK: OpPtrCastToGeneric %_ptr_Generic_half
// CHECK: OpExtInst %v2float %1 vload_halfn
// CHECK: OpPtrCastToGeneric %_ptr_Generic_half
// CHECK: OpExtInst %void %1 vstore_halfn
    vstore2(vload2(0, c), 1, o);
// CHECK-NOT: OpPtrCastToGeneric %_ptr_Generic_uint
// CHECK: OpExtInst %v2uint %1 vloadn
// CHECK: OpPtrCastToGeneric %_ptr_Generic_uint
// CHECK: OpExtInst %void %1 vstoren
}
