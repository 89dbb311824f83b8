// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
// OpenCL C 2.0, 6.5.6: conversions, arithmetic and comparisons between spaces that overlap.
union u1 { int a; };
union u2 { float b; };
void takes_void(void *p);
void f(global int *g, local char *lc, private float *p, int *any, const int *cany, global long *out) {
    global void *v = g;       // 1.5.6-3: void in the same space
    global int *back = v;     // 1.5.6-3
    takes_void(v);            // 1.5.6-6: a named space where generic is taken
    takes_void(lc);           // 1.5.6-6
    cany = any;               // 1.5.6-4: a qualifier added
    cany = g;                 // 1.5.6-4, 1.5.6-14: and the space enclosed
    global union u1 *one = (global union u1 *)v;  // 1.5.6-1
    global union u2 *two = (global union u2 *)one;
    out[0] = any - g;         // 1.5.6-7
    // CHECK: OpPtrCastToGeneric
    // CHECK: OpPtrCastToGeneric
    // CHECK: OpISub %ulong
    out[1] = g < any;         // 1.5.6-8: the enclosed side converts
    // CHECK: OpPtrCastToGeneric
    // CHECK: OpULessThan
    out[2] = any == g;        // 1.5.6-9
    // CHECK: OpPtrCastToGeneric
    // CHECK: OpIEqual
    out[3] = g == NULL;       // 1.5.6-12
    out[4] = any == 0;        // 1.5.6-12
    out[5] = (intptr_t)g == 0;  // 1.5.6-12
    // CHECK: OpConvertPtrToU
    any = out[6] ? g : any;   // 1.5.6-13
    // CHECK: OpPtrCastToGeneric
    out[7] = back == v && two->b > *cany + *p;
}
kernel void use(global int *g, local char *lc, global long *out) {
    float f1 = 1;
    int i = 2;
    f(g, lc, &f1, &i, &i, out);
}
