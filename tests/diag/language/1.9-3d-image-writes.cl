// SPDX-License-Identifier: Apache-2.0
// Before 2.0 a 3D image is only written with the extension. 1.9-8
// OPTIONS: -cl-std=CL1.2 -cl-ext=-cl_khr_3d_image_writes
void written(write_only image3d_t image);         // 1.9-8
void read(read_only image3d_t image);
