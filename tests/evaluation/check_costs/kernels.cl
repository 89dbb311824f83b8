// SPDX-License-Identifier: Apache-2.0
// Small kernels that do little else than access memory, for check_costs.py.

kernel void saxpy(global float *y, global const float *x, float a) {
    size_t i = get_global_id(0);
    y[i] += a * x[i];
}

kernel void bytes(global uchar *out, global const uchar *in, int n) {
    size_t i = get_global_id(0);
    out[i] = in[i] ^ (uchar)n;
}

kernel void vectors(global float4 *out, global const float4 *in, float a) {
    size_t i = get_global_id(0);
    out[i] = in[i] * a;
}

kernel void blur(global float *out, global const float *in, int n) {
    int i = get_global_id(0), sum = 0;
    for (int k = -4; k <= 4; ++k) sum += in[clamp(i + k, 0, n - 1)];
    out[i] = sum;
}

kernel void histogram(global int *bins, global const int *in, int n) {
    atomic_inc(&bins[in[get_global_id(0)] + (get_global_id(0) * n & 255)]);
}

kernel __attribute__((reqd_work_group_size(64, 1, 1))) void reduce(global float *sums, global const float *in, int n) {
    local float part[64];
    int l = get_local_id(0);
    part[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 32; s > 0; s >>= 1) {
        if (l < s) part[l] += part[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) sums[get_group_id(0)] = part[0] + n;
}

kernel void sort_of_each(global int *out, global const int *in, int n) {
    int a[8];
    for (int i = 0; i < 8; ++i) a[i] = in[get_global_id(0)] * (i + n) & 1023;
    for (int i = 0; i < 8; ++i)
        for (int k = 0; k < 7 - i; ++k)
            if (a[k] > a[k + 1]) {
                int t = a[k];
                a[k] = a[k + 1];
                a[k + 1] = t;
            }
    out[get_global_id(0)] = a[n & 7];
}

// Accesses in functions to which all calls pass an argument of the kernel.
float at(global const float *from, int i) { return from[i]; }
void set(global float *to, int i, float x) { to[i] = x; }
kernel void functions(global float *out, global const float *in, int n) {
    int i = get_global_id(0);
    set(out, i, at(in, i) + at(in, i ^ 1) + at(in, n - 1 - i));
}

// Accesses by a pointer of which it is known only when the kernel runs where it points.
kernel void chosen(global float *out, global const float *in, int n) {
    int i = get_global_id(0);
    global const float *from = in[i] > n ? out : in;
    out[i] = from[i] + from[i ^ 1] + from[n - 1 - i];
}
