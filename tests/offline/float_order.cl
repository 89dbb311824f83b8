// Floats are computed in the order in which they are written, unless -cl-unsafe-math-optimizations allows another.
// RUN: --in=0.3,1,1e-9,0.020402,0.1 --out=9
// WANT: 0 1.0234375 9.99999972e-10 1.00000799 0 1.64300013 1.10000014 9.99999997e-07 0
kernel void test(global const float *in, global float *out) {
    float x = in[1], y = in[2];
    out[0] = (in[0] + 12582912.0f) - 12582912.0f;  // rounds to an integer
    out[1] = (in[3] + 100000.0f) - 99999.0f;
    float s = x + y, bb = s - x;
    out[2] = (x - (s - bb)) + (y - bb);  // the error of a sum (Knuth)
    float sum = x, c = 0;
    for (int i = 0; i < 1000; ++i) {  // Kahan's sum of 1 and a thousand times 8e-9
        float z = y * 8 - c, u = sum + z;
        c = (u - sum) - z;
        sum = u;
    }
    out[3] = sum;
    out[4] = (x + y) - x == y;
    out[5] = in[4] * 3.1f * 5.3f;
    out[6] = (in[4] + 1.0f) + 1e-7f;
    float4 v = (float4)(x, y, in[0], in[4]) + (float4)(1024), w = v - 1024.0f;  // vectors too
    out[7] = w.y == 0 ? 1e-6f : 2;
    float product = in[4] * in[4];  // no part of the next expression: rounded
    out[8] = product - 0.01f - (in[4] * in[4] - product) * 0 == product - 0.01f ? 0 : 1;
}
