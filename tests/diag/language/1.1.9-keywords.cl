// SPDX-License-Identifier: Apache-2.0
// No reserved word names a variable.
// OPTIONS: -cl-std=CL2.0
kernel void k(global int *out) {
    int auto = 1;          // 1.1.9-1: C99's
    int restrict = 1;      // 1.1.9-1
    int inline = 1;        // 1.1.9-1
    int sizeof = 1;        // 1.1.9-1
    int float = 1;         // 1.1.9-1
    int half = 1;          // 1.1.9-1
    int bool = 1;          // 1.1.9-1
    int image2d_t = 1;     // 1.1.9-1
    int image1d_buffer_t;  // 1.1.9-1
    int __global = 1;      // 1.1.9-2
    int global = 1;        // 1.1.9-2
    int __local = 1;       // 1.1.9-2
    int local = 1;         // 1.1.9-2
    int __constant = 1;    // 1.1.9-2
    int constant = 1;      // 1.1.9-2
    int __private = 1;     // 1.1.9-2
    int private = 1;       // 1.1.9-2
    int __generic = 1;     // 1.1.9-2
    int generic = 1;       // 1.1.9-2
    int __kernel = 1;      // 1.1.9-3
    int kernel = 1;        // 1.1.9-3
    int __read_only = 1;   // 1.1.9-4
    int read_only = 1;     // 1.1.9-4
    int __write_only = 1;  // 1.1.9-4
    int write_only = 1;    // 1.1.9-4
    int __read_write = 1;  // 1.1.9-4
    int read_write = 1;    // 1.1.9-4
    int pipe = 1;          // 1.1.9-5
    int uniform = 1;       // 1.1.9-5: kept for later, and no fault yet
}
// The names of types are declared at file scope.
int float4 = 0;            // 1.1.9-1
void uint2(void) {}        // 1.1.9-1
typedef float event_t;     // 1.1.9-1
typedef int sampler_t;     // 1.1.9-1
typedef char size_t;       // 1.1.9-1
