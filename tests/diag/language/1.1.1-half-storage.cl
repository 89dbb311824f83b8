// SPDX-License-Identifier: Apache-2.0
// OPTIONS: -cl-ext=-cl_khr_fp16
constant half h = 0;                 // 1.1.1-20
constant half table[2] = {0};        // 1.1.1-21
half result(void);                   // 1.1.1-19
void param(half x);                  // 1.1.1-19
// DIFFERS 1.1.1-19: clang takes it
struct holds { half h; };            // 1.1.1-19
void vectors(half4 *x);              // 1.1.2-6, 1.1.4-3: no such type
kernel void k(global half *p, global float *out) {
    half x;                          // 1.1.1-20
    half array[4];                   // 1.1.1-21
    float f = *p;                    // 1.1.1-22
    f = p[3];                        // 1.1.1-22
    *p = f;                          // 1.1.1-22
    p[2] = f;                        // 1.1.1-22
    p[1] += 1;                       // 1.1.1-22
    // DIFFERS 1.3.15-7: clang forgets it
    ++*p;                            // 1.1.1-22, 1.3.15-7
    f = (half)f;                     // 1.2.2-1
    f = out[0] + *p;                 // 1.3.15-7, 1.2.1-1
    out[0] = -*p;                    // 1.3.15-7
    out[1] = *p < 1;                 // 1.3.15-7
    half *pointer;                   // 1.1.1-24: a declaration is fine
    *pointer;                        // 1.1.1-24: a dereference is not
}
