// SPDX-License-Identifier: Apache-2.0
// What a program promises by __builtin_expect and its kin has a value and no other trace; what cannot be reached ends
// its block.
// OPTIONS: --target=opencl1.2 -Werror=return-type
int choose(int x) {
    switch (x) {
        case 0: return 1;
        case 1: return 5;
    }
    __builtin_unreachable();
}
kernel void promises(global int *out, int x) {
    __builtin_assume(x > 0);
    __builtin_prefetch(out);
    if (__builtin_expect(x > 3, 0)) out[0] = choose(x);
    if (__builtin_expect_with_probability(x > 5, 1, 0.9)) __builtin_trap();
    int folded[__builtin_constant_p(4) ? 3 : -1];
    out[1] = sizeof(folded) + __builtin_constant_p(x) + (int)__builtin_object_size(out, 0);
}
// CHECK: OpSGreaterThan %bool
// CHECK: OpFunctionCall
// CHECK: %uint_11 Aligned 4
// CHECK: %choose = OpFunction
// CHECK: OpUnreachable
