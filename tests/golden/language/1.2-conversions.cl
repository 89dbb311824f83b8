// SPDX-License-Identifier: Apache-2.0
// Implicit and written conversions, and the instructions that they become.
// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
kernel void implicit(global long *out, global float *f, global double *d, global int4 *i4, global float4 *f4, char c, uchar uc,
                     int i, uint u, float x, double y, global int *p) {
    out[0] = c;      // 1.2.1-1: the sign is kept
    out[1] = uc;     // 1.2.1-1
    f[0] = i;        // 1.2.1-1
    f[1] = u;        // 1.2.1-1
    out[2] = x;      // 1.2.1-1
    d[0] = x;        // 1.2.1-1
    f[2] = y;        // 1.2.1-1
    out[3] = (bool)x;  // 1.2.1-1: compares with 0
    i4[0] = c;       // 1.2.1-2: to the element, then to every lane
    f4[0] = i;       // 1.2.1-2
    f4[0] = f4[1] * i;  // 1.2.1-2
    global void *v = p; // 1.2.1-4
    global const int *q = p;  // 1.2.1-4
    p = v;           // 1.2.1-4
    void *g = p;     // 1.2.1-4: to the generic space
    *(int *)g = *q;
}
// CHECK: %implicit = OpFunction
// CHECK: OpSConvert %ulong
// CHECK: OpUConvert %ulong
// CHECK: OpConvertSToF %float
// CHECK: OpConvertUToF %float
// CHECK: OpConvertFToS %ulong
// CHECK: OpFConvert %double
// CHECK: OpFConvert %float
// CHECK: OpFUnordNotEqual %bool
// CHECK: OpSConvert %uint
// CHECK: 0 0 0 0
// CHECK: OpConvertSToF %float
// CHECK: 0 0 0 0
// CHECK: OpFMul %v4float
// CHECK: OpPtrCastToGeneric

kernel void written(global int *out, global uchar4 *uc4, global float4 *f4, global float *f, float x, int i) {
    out[0] = (int)x;            // 1.2.2-1
    out[1] = (uchar)i;          // 1.2.2-1
    f4[0] = (float4)i;          // 1.2.2-3
    uc4[0] = (uchar4)(x > 1);   // 1.2.2-3: an int of 0 or 1
    uc4[1] = (uchar4)(bool)i;   // 1.2.2-5: all bits of true
    out[2] = *(global int *)f;  // 1.2.5-1
    global char *bytes = (global char *)f;  // 1.2.5-1
    out[3] = bytes[1];
    out[4] = *(int *)(long)&i;  // 1.2.5-1: by way of an integer
}
// CHECK: %written = OpFunction
// CHECK: OpConvertFToS %uint
// CHECK: OpUConvert %uchar
// CHECK: OpConvertSToF %float
// CHECK: OpSelect %uint
// CHECK: OpUConvert %uchar
// CHECK: OpSelect %uchar
// CHECK: OpSNegate %uchar
// CHECK: OpBitcast %_ptr_CrossWorkgroup_uint
// CHECK: OpBitcast %_ptr_CrossWorkgroup_uchar
// CHECK: OpConvertPtrToU %ulong
// CHECK: OpConvertUToPtr
