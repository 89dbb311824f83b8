// OPTIONS: --target=opencl2.0 -cl-std=CL2.0 -Wall
// Pointers to arrays: the qualifiers and the address space of an array are its innermost element's.
float trace(float (*m)[3]) { return m[0][0] + m[1][1]; }
float first(const float m[3][3]) { return m[0][0]; }
void valid(global long *o, global int (*plain)[3], const global int (*constant_ones)[3], int c) {
    float m[3][3] = {{1}};
    int a[2][3] = {{1}};
    const int ca[2][3] = {{1}};
    int (*p)[3] = a, (*any)[3] = plain;
    local int (*local_ones)[3] = 0;
    any = local_ones;
    o[0] = constant_ones - plain + (p - a) + (ca - a) + (constant_ones == plain) + ((c ? p : any) == a);
    o[1] = (long)(first(m) + trace(m));
}
void qualifiers(const int (*constant_ones)[3], volatile int (*changing)[2][3], const int *c, const uint *u) {
    int (*p)[3] = constant_ones;
    int (*q)[2][3] = changing;
    uint *lost = c;
    int *also = u;
    long (*longs)[3] = constant_ones;
    int (*shorter)[2] = p;
    int const *const (*strict)[3] = (int *(*)[3])p;
    p - shorter;
}
