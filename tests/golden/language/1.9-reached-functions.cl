// SPDX-License-Identifier: Apache-2.0
// Functions that no kernel reaches are checked and forgotten while the unit is read; those that one reaches stay,
// whatever leads to them.
// OPTIONS: --target=opencl2.0 -cl-std=CL2.0

typedef struct { int first, second; } Pair;
constant int table[4] = {1, 2, 3, 4};

int unreached_before(int x) {
    int y = x * 2, z[3] = {x, y, 1};
    for (int i = 0; i < 3; ++i)
        if (z[i] > x) goto done;
    switch (y) {
        case 1: return table[x & 3];
        default: break;
    }
done:
    return y;
}
int later(Pair pair);
#define PASTE(a, b) a##_##b
int PASTE(pasted, 1)(int x) { return x + 100; }
kernel void by_prototype(global int *out);
void by_prototype(global int *out) { *out = later((Pair){1, PASTE(pasted, 1)(2)}); }
inline int unreached_between(int x) {
    struct { int member; } local_type = {x};
    static constant int local_object[] = {1, 2};
    return local_type.member + local_object[x & 1];
}
kernel void direct(global int *out) {
    int unreached_only_in_name = 3;
    *out = unreached_only_in_name;
}
int later(Pair pair) { return pair.first - pair.second; }
int unreached_after(int x) { return later((Pair){x, x}) + ({ int y = x; y; }); }
// CHECK: OpEntryPoint Kernel %by_prototype "by_prototype"
// CHECK: OpEntryPoint Kernel %direct "direct"
// CHECK: %by_prototype = OpFunction %void
// CHECK: OpFunctionCall %uint %pasted_1 %uint_2
// CHECK: %direct = OpFunction %void
// CHECK: %later = OpFunction %uint
// CHECK: %pasted_1 = OpFunction %uint
// CHECK-NOT: OpFunction %
