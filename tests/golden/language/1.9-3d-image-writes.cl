// SPDX-License-Identifier: Apache-2.0
// Images of 1.2 with the extension: 3D images are written, and functions are overloaded by an image's access.
// OPTIONS: --target=opencl1.2 -cl-std=CL1.2
#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable
int __attribute__((overloadable)) which(read_only image3d_t image) { return 1; }
int __attribute__((overloadable)) which(write_only image3d_t image) { return 2; }
int __attribute__((overloadable)) which(read_only image2d_t image) { return 3; }
kernel void write(write_only image3d_t image, read_only image3d_t from, read_only image2d_t plane, global int *out) {
    write_imagef(image, (int4)0, (float4)0);  // 1.9-8
    out[0] = which(from);
    out[1] = which(image);
    out[2] = which(plane);
}
// CHECK: OpTypeImage %void 3D 0 0 0 0 Unknown WriteOnly
// CHECK: OpImageWrite %image
// CHECK: OpFunctionCall %uint %_Z5which14ocl_image3d_ro %from
// CHECK: OpFunctionCall %uint %_Z5which14ocl_image3d_wo %image
// CHECK: OpFunctionCall %uint %_Z5which14ocl_image2d_ro %plane
