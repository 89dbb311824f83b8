// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
// CHECK: OpExtension "SPV_INTEL_subgroups"
kernel void intel(global uint *data, global ushort *shorts, uint i) {
    // CHECK: OpSubgroupBlockReadINTEL %v4uint
    uint4 v = intel_sub_group_block_read4(data);
    // CHECK: OpSubgroupShuffleDownINTEL %v4uint
    v = intel_sub_group_shuffle_down(v, v, i);
    // CHECK: OpSubgroupBlockWriteINTEL
    intel_sub_group_block_write4(data, v);
    local uint near[64];
    // CHECK: OpSubgroupBlockReadINTEL %uint
    near[0] = intel_sub_group_block_read((const local uint *)near);
    // CHECK: OpGroupUMax %ushort %uint_3 Reduce
    shorts[0] = intel_sub_group_reduce_max(shorts[0]);
}
