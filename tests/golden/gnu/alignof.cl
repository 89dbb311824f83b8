// __alignof__ of a variable or a field counts the attributes of its declaration, as for clang and gcc.
// OPTIONS: -cl-std=CL2.0
__attribute__((aligned(16))) int before;
int after __attribute__((aligned(16))), two __attribute__((aligned(8), aligned(32))), less __attribute__((aligned(2)));
int array[3] __attribute__((aligned(64)));
struct S {
    char a;
    int b __attribute__((aligned(8)));
    int c;
    int d __attribute__((packed));
};
struct __attribute__((packed)) P {
    char a;
    int b;
};
struct S s;
struct P p;
#define IS(size, what) _Static_assert(__alignof__(what) == size, #what);
IS(16, before) IS(16, after) IS(16, (after)) IS(32, two) IS(2, less) IS(64, array) IS(4, array[0]) IS(4, *&before)
IS(4, before + 1) IS(8, s) IS(1, s.a) IS(8, s.b) IS(4, s.c) IS(1, s.d) IS(1, p.a) IS(1, p.b) IS(16, int3) IS(4, int)
// CHECK: OpEntryPoint
kernel void k(void) {}
