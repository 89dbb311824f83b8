// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
// OpenCL C 2.0, 6.13: arguments of a user's function convert to its parameters.
float user(float f, long l) { return f + l; }
kernel void k(global float *out, int i, char c) {
    out[0] = user(i, c);  // 1.13-3
    // CHECK: OpConvertSToF %float
    // CHECK: OpSConvert %ulong
    // CHECK: OpFunctionCall %float %user
    float4 v = out[1];
    int4 mask = i;
    uint4 unsigned_mask = (uint)i;
    v = select(v, v, mask);           // 1.13.6-9
    v = select(v, v, unsigned_mask);  // 1.13.6-9
    // CHECK: OpSelect %v4float
    // CHECK: OpSelect %v4float
    work_group_barrier(CLK_LOCAL_MEM_FENCE);                              // 1.13.8-8
    work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);     // 1.13.8-8
    // CHECK: OpControlBarrier
    // CHECK: OpControlBarrier
    float8 long_vector = shuffle(v, (uint8)(0));  // 1.13.12-4: as many as the mask has
    // CHECK: OpExtInst %v8float
    out[2] = v.x + long_vector.s7;
}
