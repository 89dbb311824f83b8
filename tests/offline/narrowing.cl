// A value that is narrowed and widened again is rounded in between.
// RUN: --in=0.3,0x01000001,1e-3 --out=12
// WANT: 0.300048828 0.300048828 0.5 0.899902344 0.300048828 0.00100040436 5.96046448e-08 0 1 0 2.38418579e-07 1
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void test(global const float *in, global float *out) {
    float h = in[0];
    int i = as_int(in[1]);
    half g = (half)h;
    out[0] = (float)(half)h;
    out[1] = (float)g;
    out[2] = (float)(g + (half)1000 - (half)1000);
    out[3] = (float)(half)(h * 3.0001f);
    half2 v = convert_half2((float2)(h, in[2]));
    out[4] = convert_float2(v).x;
    out[5] = convert_float2(v).y;
    half packed[1];
    vstore_half(1e-8f + in[2] * 3e-5f, 0, packed);
    out[6] = vload_half(0, packed);
    double d = (double)h * 1.000000001;
    out[7] = (float)(d - (double)(float)d) == 0;
    out[8] = (double)(long)(double)((1L << 53) + 1 + (long)(i & 0)) == 9007199254740992.0;
    long l = ((long)i << 37) + 1;
    out[9] = (float)(l - (long)(double)l) == 0;
    out[10] = (float)((double)(float)(1.0 + 1e-7 * (i & 1) * 2) - 1.0);
    out[11] = (float)(int)(float)i == 16777216.0f;
}
