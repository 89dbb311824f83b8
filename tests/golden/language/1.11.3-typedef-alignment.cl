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
