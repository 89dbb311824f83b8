// SPDX-License-Identifier: Apache-2.0
// Macros with a variable number of arguments, named and unnamed, and the comma that goes when there are none.
// OPTIONS: --target=opencl1.2
#define CALL(f, ...) f(__VA_ARGS__)
#define WITH(x, ...) sum(x, ##__VA_ARGS__)
#define NAMED(args...) sum(args)
#define ONLY(x, rest...) only(x, ##rest)
int sum(int a, int b) { return a + b; }
int only(int a) { return -a; }
kernel void preprocessor(global int *out, int x) {
    out[0] = CALL(sum, x, 2);  // CHECK: %uint_2
    out[1] = WITH(x, 3);       // CHECK: %uint_3
    out[2] = NAMED(x, 4);      // CHECK: %uint_4
    out[3] = ONLY(x);          // CHECK: %only
}
