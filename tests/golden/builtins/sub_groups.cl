// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
// The sub-group extensions become the instructions that their SPIR-V counterparts name.
// CHECK: OpCapability GroupNonUniformBallot
// CHECK: OpExtension "SPV_KHR_subgroup_rotate"
#pragma OPENCL EXTENSION cl_khr_subgroups : enable  // seed002-1, 1.10-5
kernel void sub_groups(global uint *out, global uint4 *masks, uint x, uint i) {
    // CHECK: OpGroupIAdd %uint %uint_3 Reduce
    out[0] = sub_group_reduce_add(x);
    // CHECK: OpGroupUMax %uint %uint_3 ExclusiveScan
    out[1] = sub_group_scan_exclusive_max(x);
    // CHECK: OpGroupNonUniformElect %bool %uint_3
    out[2] = sub_group_elect();
    // CHECK: OpGroupNonUniformAllEqual %bool %uint_3
    out[3] = sub_group_non_uniform_all_equal(x);
    // CHECK: OpINotEqual %bool
    // CHECK: OpGroupNonUniformBallot %v4uint %uint_3
    masks[0] = sub_group_ballot(x);
    // CHECK: OpGroupNonUniformBallotBitCount %uint %uint_3 InclusiveScan
    out[4] = sub_group_ballot_inclusive_scan(masks[0]);
    // CHECK: OpGroupNonUniformUMin %uint %uint_3 Reduce
    out[5] = sub_group_non_uniform_reduce_min(x);
    // CHECK: OpGroupNonUniformLogicalXor %bool %uint_3 InclusiveScan
    out[6] = sub_group_non_uniform_scan_inclusive_logical_xor(x);
    // CHECK: OpGroupNonUniformBitwiseAnd %uint %uint_3 ClusteredReduce
    out[7] = sub_group_clustered_reduce_and(x, 4);
    // CHECK: OpGroupNonUniformShuffleXor %uint %uint_3
    out[8] = sub_group_shuffle_xor(x, i);
    // CHECK: OpGroupNonUniformRotateKHR %uint %uint_3
    out[9] = sub_group_clustered_rotate(x, 1, 8);
    // CHECK: OpControlBarrier %uint_3 %uint_2
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    // CHECK: OpLoad %v4uint %__spirv_BuiltInSubgroupGtMask
    masks[1] = get_sub_group_gt_mask();
}
