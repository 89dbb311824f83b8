// SPDX-License-Identifier: Apache-2.0
// One error for each fault: the variables behind it are declared.
kernel void initializers(global int *out) {
    const uint lane = constant(), size = 3;
    out[lane] = size;
    int x = int y = 3, z = 4;
    out[0] = z + x;
    int q =
    int r = 3;
    out[1] = q + r;  // DIFFERS 1-1: clang skips the declaration of r
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
kernel void conditions(global int *out, int n) {
    if ^ (n == 1) {
        int i = n;
        out[i] = i;
    } else out[0] = 1;
    if n > 3) out[1] = n;
    while !n) { out[2] = n; }
    switch n { default: out[3] = n; }  // DIFFERS 1-1: clang skips it after the fault before
    do out[4] = n; while n;
    if { out[5] = n; }
    while
}  // DIFFERS 1-1: clang skips it after the fault before
