// OPTIONS: --target=opencl2.0
// OpenCL C 2.0, 6.11.3: aligned(N) of a typedef raises or lowers the alignment of what is declared by it. // 1.11.3-2
typedef float4 loose __attribute__((aligned(1)));
typedef int strict __attribute__((aligned(64)));
struct raised { char c; strict x; };
struct lowered { char c; loose x; };
_Static_assert(sizeof(struct raised) == 128 && __builtin_offsetof(struct raised, x) == 64, "raised");
_Static_assert(sizeof(struct lowered) == 17 && __builtin_offsetof(struct lowered, x) == 1, "lowered");
_Static_assert(__alignof(strict) == 64 && __alignof(loose) == 1, "of the types");
kernel void k(global float *out, global struct lowered *p, global struct raised *r) {
    // CHECK: OpLoad %v4float
    // CHECK: Aligned 1
    float4 v = p->x;
    // CHECK: OpLoad %uint
    // CHECK: Aligned 64
    out[0] = v.x + r->x;
}
typedef int even __attribute__((aligned(2)));
typedef struct thing { char a[2]; short b; int c; } even_thing __attribute__((aligned(2)));
typedef float4 even_vector __attribute__((aligned(2)));
typedef even evens[2];
// Accesses through a pointer to such a typedef have the alignment that it specifies. // 1.11.3-2
// CHECK: %pointers = OpFunction %void
kernel void pointers(global char *bytes, global even *p, global even_thing *t, global even_vector *v, int n) {
    // CHECK: %uint_1 Aligned 2
    *(global even *)bytes = 1;
    // CHECK: %uint_2 Aligned 2
    p[n] = 2;
    // CHECK: %float_3 Aligned 2
    v->y = 3;
    // CHECK: %uint_4 Aligned 2
    t->c = 4;
    // CHECK: OpLoad %struct_thing
    // CHECK: Aligned 2
    struct thing copy = *t;
    // CHECK: %uint_5 Aligned 2
    (*(global evens *)bytes)[n] = 5;
    // CHECK: %uint_6 Aligned 2
    *(n ? p : (global int *)bytes) = 6;
    // CHECK: %uint_7 Aligned 4
    ((global strict *)bytes)[n] = 7;
    // CHECK: %uint_8 Aligned 64
    ((global strict *)bytes)[0] = 8;
    // CHECK: %uint_9 Aligned 4
    global int *natural = p;
    *natural = 9;
    // CHECK: %uint_10 Aligned 2
    even x;
    *&x = 10;
}
