// Words in front of a type that mean nothing: misspelt keywords, whose place the keywords take, and undefined macros.
kernal void first(global float *o) { o[0] = 1; }
__kernal void second(__globl float *o, unsinged int n, constnt float *p) { o[n] = p[n]; }
MACRO float *nothing(MACRO float *o) { return o; }
typedef struct { int a; } record;
kernel void third(__gobal record *r, MACRO record *s, __read_olny image2d_t i) {
    unsinged int k = 3;
    __locl float buffer[4];
    const unsinged int m = 4;
    MACRO record q;
    for (unsinged int j = 0; j < k; ++j) buffer[j] = m;
    // DIFFERS 1.9-1: clang has lost the parameters by now
    r->a = buffer[k] + q.a + s->a + get_image_width(i);
}
struct { unsinged int a; } members;
MACRO
// DIFFERS 1.9-1: clang also says that the kernel must have void return type
kernel void fourth(global int *o) { o[0] = 1; }
MACRO static inline int helper(int a) { return a; }
