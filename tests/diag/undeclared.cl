kernel void k(global float *out) {
    out[0] = missing + 1;
    out[1] = sqrt(1, 2);
    flot x = 2;
}
