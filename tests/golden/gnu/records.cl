// SPDX-License-Identifier: Apache-2.0
// Unnamed unions and structs, designators of their members (GNU's old form and ranges too), #pragma pack and the
// attributes that change a layout.
// OPTIONS: --target=opencl1.2
typedef struct {
    int tag;
    union {
        int i;
        float f;
        struct {
            short low, high;
        };
    };
} value;
#pragma pack(push, 1)
struct packed {
    char c;
    int i;
};
#pragma pack(push, labelled, 2)
struct by_two {
    char c;
    long l;
};
#pragma pack(pop, labelled)
struct packed_too {
    char c;
    short s;
};
#pragma pack(pop)
struct plain {
    char c;
    int i;
} __attribute__((aligned(16)));
#define ASSERT(condition) typedef char assertion[(condition) ? 1 : -1]
ASSERT(sizeof(struct packed) == 5);
ASSERT(sizeof(struct by_two) == 10);
ASSERT(sizeof(struct packed_too) == 3);
ASSERT(sizeof(struct plain) == 16);
kernel void records(global int *out, int x) {
    value v = {.tag = 1, .f = 2.0f};
    out[0] = v.i;
    v.high = (short)x;
    out[1] = v.low;
    value w = {.high = 3, .low = 4, .tag = 2};
    out[2] = w.i;
    int t[8] = {[0 ... 3] = 1, [5] = 2};
    struct {
        int a, b;
    } old = {b: 2, a: 1};
    out[3] = t[x] + old.b;
}
// CHECK: OpTypeStruct
// CHECK: OpFunction
// CHECK: OpReturn
