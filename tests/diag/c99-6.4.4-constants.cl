kernel void k(global int *p, global float *f) {
    p[0] = 09;
    p[1] = 12abc;
    p[2] = 0x;
    f[0] = 1.0fx;
    f[1] = 1e;
    f[2] = 0x1.8;
    f[3] = 1e50f;
    f[4] = 1.0L;  // DIFFERS 1.1.4-10: long double is reserved; SPIR-V has no type for it
    p[3] = 'ab' + '\q';
    p[4] = '\400';
    p[5] = 0b12;
    p[6] = '';
}
