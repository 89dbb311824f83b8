// OPTIONS: -cl-std=CL1.2
// OpenCL C 1.2, 6.6: no read_write images.
kernel void both(read_write image2d_t a) {}  // 1.6-3
kernel void one(read_only image2d_t a, __write_only image2d_t b, image2d_t c) {}
