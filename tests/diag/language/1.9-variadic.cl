// SPDX-License-Identifier: Apache-2.0
// Functions with variable arguments: 1.9-13
int printf(constant const char *format, ...) __attribute__((format(printf, 1, 2)));
int sum(int count, ...);
int __sum(int count, ...);
kernel void variadic(global int *out, half2 two, size_t n) {
    printf("%d %s\n", out[0]);
    out[0] = __sum(1, 2);  // DIFFERS 1.9-13: clang's extension, of which SPIR-V has no form
}
typedef unsigned long size_t;
typedef size_t extent;
struct sized { extent e; };
struct pointers { global float *rows[2]; };
kernel void wrong(size_t n, extent e, struct sized s, struct pointers p) {}
