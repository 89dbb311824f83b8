// OPTIONS: -cl-std=CL1.2 -cl-ext=-cl_khr_3d_image_writes
kernel void volumes(write_only image3d_t to, read_only image3d_t from) {}
kernel void both(read_write image2d_t i) {}
