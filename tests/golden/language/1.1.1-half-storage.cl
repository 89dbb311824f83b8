// SPDX-License-Identifier: Apache-2.0
// Without cl_khr_fp16 half is what pointers lead to, and nothing more.
// OPTIONS: --target=opencl1.2 -cl-ext=-cl_khr_fp16
float second(global half *p) { return vload_half(1, p); }  // 1.1.1-19, 1.1.1-23: a parameter

kernel void pointers(global half *in, local half *tile, constant half *table, global float *out) {  // 1.1.1-23
    half *p;                    // 1.1.1-24: the declaration is fine
    global half *end = in + 8;  // 1.1.1-23: arithmetic
    end -= 2;
    out[0] = vload_half(0, end) + second(&in[3]);  // 1.1.1-22: an address is no access
    out[1] = end - in;
    vstore_half(out[2], 0, tile);  // 1.1.1-22: the functions may
    out[3] = vload_half(0, table) + (end == in) + sizeof(half) + sizeof(*p);
}
// CHECK: OpCapability Float16Buffer
// CHECK: %half = OpTypeFloat 16
// CHECK: %_ptr_CrossWorkgroup_half = OpTypePointer CrossWorkgroup %half
// CHECK: %pointers = OpFunction
// CHECK: OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_half
// CHECK: OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_half
// CHECK: OpExtInst %float %1 vload_half
// CHECK: OpFunctionCall %float %second
// CHECK: OpExtInst %void %1 vstore_half
// CHECK-NOT: OpLoad %half
