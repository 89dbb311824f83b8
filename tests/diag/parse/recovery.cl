// One error for each fault: the variables behind it are declared.
kernel void initializers(global int *out) {
    const uint lane = constant(), size = 3;
    out[lane] = size;
    int x = int y = 3, z = 4;
    out[0] = z + x;
    int q =
    int r = 3;
    out[1] = q + r;
}
constant int c = kernel, d = 3;
kernel void headers(global int *out) {
    for int i = 0; i < 3; i++) out[i] = i + d;
    for * (int j = 0; j < 3; j++) { out[j] = j; }
    int k;
    for k = 0; k < 3; k++) out[k] = k;
    for (int m = ); m < 3; m++) out[m] = m;
    for ;
}
