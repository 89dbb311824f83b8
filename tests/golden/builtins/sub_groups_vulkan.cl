// OPTIONS: -cl-std=CL2.0
// Sub-group functions for Vulkan are the device's, in work-groups that have one dimension there (cl_khr_subgroups).
// CHECK: OpCapability GroupNonUniformArithmetic
// CHECK: OpCapability GroupNonUniformBallot
// CHECK: OpCapability GroupNonUniformClustered
// CHECK: OpDecorate %gl_WorkGroupSize BuiltIn WorkgroupSize
// CHECK: %gl_WorkGroupSize = OpSpecConstantComposite %v3uint
#pragma OPENCL EXTENSION cl_khr_subgroups : enable

kernel void sums(global int *out) {
    // CHECK: OpGroupNonUniformSMax %uint %uint_3 ClusteredReduce
    out[get_global_id(0)] += sub_group_clustered_reduce_max(out[get_global_id(0)], 4);
    // CHECK: OpGroupNonUniformIAdd %uint %uint_3 Reduce
    out[get_global_id(0)] = sub_group_reduce_add(out[get_global_id(0)]);
    // CHECK: OpGroupNonUniformBallot %v4uint %uint_3
    out[get_global_id(0)] += sub_group_ballot(out[get_global_id(0)] != 0).x;
}
