// Even if the device's Fma may round twice, fma(), quotients and roots are rounded only once.
// OPTIONS: --no-fused-fma
// RUN: --in=1.00024414,-1.00048828,3,1e-30 --out=8
// WANT: 5.96046448e-08 5.96046448e-08 -5.96046448e-08 1 1 1 1 1
kernel void test(global const float *in, global float *out) {
    float a = in[0], c = in[1];
    out[0] = fma(a, a, c);
    out[1] = fma((float4)(a), (float4)(a), (float4)(c)).w;
    out[2] = fma(-a, a, -c);
    double d = in[2];
    out[3] = 1 / d == 0x1.5555555555555p-2;
    out[4] = sqrt(d) == 0x1.bb67ae8584caap+0;
    double wide = 1 + ldexp(d, -31);
    out[5] = fma(wide, wide, -(1 + ldexp(d, -30))) == ldexp(d * d, -62);
    out[6] = 1 / fma(in[3], -in[3], 0.0f) < 0;
    out[7] = 1 / fma(0.0f, -in[3], 0.0f) > 0;
}
