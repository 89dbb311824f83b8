// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
// OpenCL C 2.0, 6.5.2: variables that a work-group shares.
kernel void k(local float *argument, global float *out) {  // 1.5.2-2
    local float one;         // 1.5.2-1, 1.5.2-3: at a kernel's function scope
    local float many[16];
    local struct { int a; float b; } record;
    // CHECK: %k_one = OpVariable %_ptr_Workgroup_float Workgroup
    // CHECK: %k_many = OpVariable %_ptr_Workgroup__arr_float_ulong_16 Workgroup
    // CHECK: %k_record = OpVariable %_ptr_Workgroup_struct
    // CHECK: %argument = OpFunctionParameter %_ptr_Workgroup_float
    one = argument[0];
    many[get_local_id(0)] = one;
    record.b = one;
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[0] = many[1] + record.b;
}
