// SPDX-License-Identifier: Apache-2.0
// Kernels that call kernels, inline functions without a definition elsewhere, and the function attributes of gcc.
// OPTIONS: --target=opencl1.2
inline int plain_inline(int a) { return a + 1; }
static inline int declared(int a);
__attribute__((always_inline)) inline int always(int a) { return a - 1; }
__attribute__((noinline)) int never(int a) { return a * 3; }
__attribute__((const, cold, unused)) int pure_one(int a) { return a ^ 5; }
int old(int a) __attribute__((deprecated("use another")));
kernel void inner(global int *out, int x) { out[x] = 1; }
kernel void outer(global int *out, int x) {
    inner(out, x);
    inner(out + 1, plain_inline(declared(always(x))));
    out[2] = never(pure_one(x));
}
static inline int declared(int a) { return a; }
// CHECK: OpEntryPoint Kernel %inner_0 "inner"
// CHECK: OpEntryPoint Kernel %outer "outer"
// CHECK: %inner = OpFunction %void None
// CHECK: OpFunctionCall %void %inner
// CHECK: %plain_inline = OpFunction
// CHECK: %declared = OpFunction
// CHECK: %always = OpFunction %uint Inline
// CHECK: %never = OpFunction %uint DontInline
// CHECK: %pure_one = OpFunction %uint Const
