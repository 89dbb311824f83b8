// __attribute__((mode(...))) and arrays of no elements, as clang has them.
typedef int int64 __attribute__((mode(DI)));
typedef unsigned int byte __attribute__((__mode__(__QI__)));
typedef float wide __attribute__((mode(DF)));
struct tail { int count; byte bytes[0]; };
_Static_assert(sizeof(int64) == 8 && sizeof(byte) == 1 && sizeof(wide) == 8, "modes");
_Static_assert((byte)-1 > 0, "a mode keeps the sign");
_Static_assert(sizeof(struct tail) == 4 && sizeof(int[0]) == 0, "arrays of no elements");
kernel void k(global int64 *out, global struct tail *t) {
    // CHECK: OpIMul %ulong
    out[0] = out[1] * out[2];
    out[3] = t->bytes[7];
}
