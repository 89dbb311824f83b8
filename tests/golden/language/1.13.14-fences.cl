// SPDX-License-Identifier: Apache-2.0
// A work-item reads what it wrote, and what others of its group wrote.
// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
kernel void exchange(read_write image1d_t image, int at, global float4 *out) {
    write_imagef(image, at, (float4)1);
    atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);  // 1.13.14-63
    out[0] = read_imagef(image, at);
    work_group_barrier(CLK_IMAGE_MEM_FENCE);  // 1.13.14-64
    out[1] = read_imagef(image, at + 1);
}
// CHECK: OpImageWrite %image
// CHECK: OpMemoryBarrier %uint_4 %uint_2056
// CHECK: OpImageRead %v4float %image
// CHECK: OpControlBarrier %uint_2 %uint_2 %uint_2064
// CHECK: OpImageRead %v4float %image
