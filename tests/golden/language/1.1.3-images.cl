// SPDX-License-Identifier: Apache-2.0
// Every image type with every access qualifier, and the types of samplers and events.
// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
// CHECK: OpCapability ImageBasic
// CHECK: OpCapability Sampled1D
// CHECK: OpCapability SampledBuffer
// CHECK: OpCapability ImageReadWrite
kernel void reads(
    read_only image1d_t a,  // 1.1.3-4
// CHECK: OpTypeImage %void 1D 0 0 0 0 Unknown ReadOnly
    read_only image1d_array_t b,  // 1.1.3-6
// CHECK: OpTypeImage %void 1D 0 1 0 0 Unknown ReadOnly
    read_only image1d_buffer_t c,  // 1.1.3-5
// CHECK: OpTypeImage %void Buffer 0 0 0 0 Unknown ReadOnly
    read_only image2d_t d,  // 1.1.3-1
// CHECK: OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly
    read_only image2d_array_t e,  // 1.1.3-3
// CHECK: OpTypeImage %void 2D 0 1 0 0 Unknown ReadOnly
    read_only image2d_depth_t f,  // 1.1.3-7
// CHECK: OpTypeImage %void 2D 1 0 0 0 Unknown ReadOnly
    read_only image2d_array_depth_t g,  // 1.1.3-8
// CHECK: OpTypeImage %void 2D 1 1 0 0 Unknown ReadOnly
    read_only image2d_msaa_t h,
// CHECK: OpTypeImage %void 2D 0 0 1 0 Unknown ReadOnly
    read_only image2d_array_msaa_t i,
// CHECK: OpTypeImage %void 2D 0 1 1 0 Unknown ReadOnly
    read_only image2d_msaa_depth_t j,
// CHECK: OpTypeImage %void 2D 1 0 1 0 Unknown ReadOnly
    read_only image2d_array_msaa_depth_t k,
// CHECK: OpTypeImage %void 2D 1 1 1 0 Unknown ReadOnly
    read_only image3d_t l) {}  // 1.1.3-2
// CHECK: OpTypeImage %void 3D 0 0 0 0 Unknown ReadOnly
kernel void writes(
    write_only image1d_t a,
// CHECK: OpTypeImage %void 1D 0 0 0 0 Unknown WriteOnly
    write_only image1d_array_t b,
// CHECK: OpTypeImage %void 1D 0 1 0 0 Unknown WriteOnly
    write_only image1d_buffer_t c,
// CHECK: OpTypeImage %void Buffer 0 0 0 0 Unknown WriteOnly
    write_only image2d_t d,
// CHECK: OpTypeImage %void 2D 0 0 0 0 Unknown WriteOnly
    write_only image2d_array_t e,
// CHECK: OpTypeImage %void 2D 0 1 0 0 Unknown WriteOnly
    write_only image2d_depth_t f,
// CHECK: OpTypeImage %void 2D 1 0 0 0 Unknown WriteOnly
    write_only image2d_array_depth_t g,
// CHECK: OpTypeImage %void 2D 1 1 0 0 Unknown WriteOnly
    write_only image2d_msaa_t h,
// CHECK: OpTypeImage %void 2D 0 0 1 0 Unknown WriteOnly
    write_only image2d_array_msaa_t i,
// CHECK: OpTypeImage %void 2D 0 1 1 0 Unknown WriteOnly
    write_only image2d_msaa_depth_t j,
// CHECK: OpTypeImage %void 2D 1 0 1 0 Unknown WriteOnly
    write_only image2d_array_msaa_depth_t k,
// CHECK: OpTypeImage %void 2D 1 1 1 0 Unknown WriteOnly
    write_only image3d_t l) {}
// CHECK: OpTypeImage %void 3D 0 0 0 0 Unknown WriteOnly
kernel void reads_and_writes(
    read_write image1d_t a,
// CHECK: OpTypeImage %void 1D 0 0 0 0 Unknown ReadWrite
    read_write image1d_array_t b,
// CHECK: OpTypeImage %void 1D 0 1 0 0 Unknown ReadWrite
    read_write image1d_buffer_t c,
// CHECK: OpTypeImage %void Buffer 0 0 0 0 Unknown ReadWrite
    read_write image2d_t d,
// CHECK: OpTypeImage %void 2D 0 0 0 0 Unknown ReadWrite
    read_write image2d_array_t e,
// CHECK: OpTypeImage %void 2D 0 1 0 0 Unknown ReadWrite
    read_write image2d_depth_t f,
// CHECK: OpTypeImage %void 2D 1 0 0 0 Unknown ReadWrite
    read_write image2d_array_depth_t g,
// CHECK: OpTypeImage %void 2D 1 1 0 0 Unknown ReadWrite
    read_write image2d_msaa_t h,
// CHECK: OpTypeImage %void 2D 0 0 1 0 Unknown ReadWrite
    read_write image2d_array_msaa_t i,
// CHECK: OpTypeImage %void 2D 0 1 1 0 Unknown ReadWrite
    read_write image2d_msaa_depth_t j,
// CHECK: OpTypeImage %void 2D 1 0 1 0 Unknown ReadWrite
    read_write image2d_array_msaa_depth_t k,
// CHECK: OpTypeImage %void 2D 1 1 1 0 Unknown ReadWrite
    read_write image3d_t l) {}
// CHECK: OpTypeImage %void 3D 0 0 0 0 Unknown ReadWrite
kernel void others(sampler_t s, local int *l, global int *g) {  // 1.1.3-9
// CHECK: OpTypeSampler
    event_t e = async_work_group_copy(l, g, 1, 0);  // 1.1.3-15
// CHECK: OpTypeEvent
    cl_mem_fence_flags flags = CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE | CLK_IMAGE_MEM_FENCE;  // 1.1.3-16
    *g = flags;
// CHECK: OpConstant %uint 7
    wait_group_events(1, &e);
}
