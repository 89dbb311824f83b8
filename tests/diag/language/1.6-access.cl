// OPTIONS: -cl-std=CL2.0
// OpenCL C 2.0, 6.6: access qualifiers.
kernel void two(read_only write_only image2d_t a) {}   // 1.6-1
kernel void scalar(read_only int a) {}                 // 1.6-1
kernel void pointer(write_only global int *a) {}       // 1.6-1
kernel void sampler(read_only sampler_t a) {}          // 1.6-1
typedef read_only image2d_t source;
kernel void again(write_only source a) {}              // 1.6-2
kernel void names(int read_only) {}                    // 1.6-6
kernel void names_2(int __write_only) {}               // 1.6-6
int read_write;                                        // 1.6-6
void writes(write_only image2d_t im);
void reads(read_only image2d_t im);
kernel void pass(read_only image2d_t a, write_only image2d_t b, read_write image2d_t c) {
    writes(a);  // 1.6-2
    reads(b);   // 1.6-2
    reads(c);   // 1.6-2
}
kernel void sampled(read_write image2d_t a, read_only image2d_t b, sampler_t s) {
    read_imagef(b, s, (int2)(0));
    read_imagef(a, s, (int2)(0));  // 1.6-4
}
kernel void pipes(read_write pipe int p) {}            // 1.6-5
