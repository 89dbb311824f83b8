// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
// OpenCL C 2.0, 6.6: access qualifiers of images.
// CHECK: OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly
// CHECK: OpTypeImage %void 2D 0 0 0 0 Unknown WriteOnly
// CHECK: OpTypeImage %void 2D 0 0 0 0 Unknown ReadWrite
kernel void k(read_only image2d_t a, write_only image2d_t b, read_write image2d_t c) {}  // 1.6-1, 1.6-3
kernel void prefixed(__read_only image2d_t a, __write_only image2d_t b, __read_write image2d_t c) {}  // 1.6-1
kernel void unqualified(image2d_t a) {}  // 1.6-1: read_only
