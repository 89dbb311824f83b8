// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
// OpenCL C 2.0, 6.9: what 2.0 no longer forbids, and what was never forbidden.
kernel void pointers(global int *global *p, global int *out) {  // 1.9-4: a pointer to a pointer, in 2.0
    // CHECK: %p = OpFunctionParameter %_ptr_CrossWorkgroup__ptr_CrossWorkgroup_uint
    *out = **p;
}
void deep(int **p) { **p = 1; }  // 1.9-4: in functions they are always fine
#define list(...) {__VA_ARGS__}
kernel void bytes(global char *c, global uchar2 *c2, global short *s, global ushort *us, global struct { char a; short b; } *r) {
    // CHECK: %uchar_1 Aligned 1
    c[0] = 1;  // 1.9-22: stores of less than 32 bits
    c2[0] = (uchar2)(1);
    s[0] = 1;
    us[0] = 1;
    r->a = 1;
    r->b = 2;
    int a[] = list(1, 2);  // 1.9-13: a variadic macro
    int x = a[1], *p = &x;
    deep(&p);
    constant char *name = __func__;  // 1.9-16
    c[1] = name[0];
}
kernel void qualifiers(const global int *restrict p, volatile global int *q) {  // 1.9-23
    // CHECK: Volatile
    const int n = *p;
    *q = n;
}
kernel void jumps(global int *p, int n) {
    if (n) goto inside;  // 1.9-21: into a loop
    while (n++ < 10) {
inside:
        *p += n;
    }
}
int no_parameters();  // 1.9-30: the same as (void)
kernel void calls(global int *p) { *p = no_parameters(); }
// CHECK: OpFunctionCall %uint %no_parameters
