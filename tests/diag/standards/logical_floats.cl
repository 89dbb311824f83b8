// OPTIONS: -cl-std=CL1.1
// OpenCL C 1.1, 6.3 g and h; OpenCL C 1.2 allows them.
kernel void k(global int *o, float a, float4 v, int n, double d) {
    o[0] = a && n;
    o[1] = n || a;
    o[2] = !a;
    int4 r = v && v;
    r = !v;
    o[3] = !d;
    if (a) o[4] = !n && n;
}
