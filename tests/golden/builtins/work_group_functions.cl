// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
// OpenCL C 2.0, 6.13.15: work-group functions.
// seed000-17: hyphens and indices that the text lost are read as "work-items" and a(n-1).
// CHECK: OpCapability Groups
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// seed000-15: called in a function that is no kernel, with a pointer to the generic address space
// CHECK: OpFunctionCall %uint %prefix_sum
// CHECK: OpFunctionCall %uint %prefix_sum
int prefix_sum(int *p) { return work_group_scan_inclusive_add(p[get_local_id(0)]); }
kernel void example(global int *out, local int *l) { out[0] = prefix_sum(out) + prefix_sum(l); }

kernel void types(global half *h, global uint *u, global ulong *ul, global double *d) {
    // CHECK: OpGroupFAdd %half %uint_2 InclusiveScan
    h[0] = work_group_scan_inclusive_add(h[1]);   // seed000-2, seed000-3
    // CHECK: OpGroupFMin %half %uint_2 ExclusiveScan
    h[1] = work_group_scan_exclusive_min(h[1]);   // seed000-7
    // CHECK: OpGroupUMax %uint %uint_2 Reduce
    u[0] = work_group_reduce_max(u[1]);
    // CHECK: OpGroupUMin %ulong %uint_2 InclusiveScan
    ul[0] = work_group_scan_inclusive_min(ul[1]); // seed000-1
    // CHECK: OpGroupFMax %double %uint_2 InclusiveScan
    d[0] = work_group_scan_inclusive_max(d[1]);   // seed000-1
}
// CHECK: %prefix_sum = OpFunction %uint
// CHECK: OpGroupIAdd %uint %uint_2 InclusiveScan
