// SPDX-License-Identifier: Apache-2.0
#pragma pack(3)
#pragma pack(4294967300)
#pragma pack 1
#pragma pack(pop)
#pragma pack(wrong)
#pragma pack(push, 4
#pragma pack(push, label, 1)
struct s {
    char c;
    int i;
};
#pragma pack(pop, label)
#pragma pack()
typedef char packed_to_one[sizeof(struct s) == 5 ? 1 : -1];
#define PRAGMA(text) _Pragma(#text)
#define BYTES 2
PRAGMA(pack(push, BYTES))
struct two {
    char c;
    int i;
#pragma unroll
#pragma OPENCL FP_CONTRACT OFF
};
PRAGMA(pack(pop))
typedef char packed_to_two[sizeof(struct two) == 6 ? 1 : -1];
kernel void k(global int *out) { *out = sizeof(packed_to_one) + sizeof(packed_to_two); }
