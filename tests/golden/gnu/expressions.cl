// SPDX-License-Identifier: Apache-2.0
// typeof, __auto_type, statement expressions, ?: without its middle, __extension__, choose and offsetof.
// OPTIONS: --target=opencl1.2
#define MAX(a, b)                        \
    ({                                   \
        __typeof__(a + 0) _a = (a);      \
        __auto_type _b = (b);            \
        _a > _b ? _a : _b;               \
    })
struct pair {
    char c;
    int i;
};
kernel void expressions(global int *out, int x, float y) {
    out[0] = MAX(x, 3);             // CHECK: OpSGreaterThan
    out[1] = MAX(y, 2.0f) > 1.0f;   // CHECK: OpFOrdGreaterThan
    ({ out[2] = 1; });
    out[3] = x ?: 7;                // CHECK: OpSelect %uint
    out[4] = __extension__(x - 1);  // CHECK: OpISub
    out[5] = __builtin_choose_expr(__builtin_types_compatible_p(int, __typeof(x)), 41, y) +
             (int)__builtin_offsetof(struct pair, i);  // CHECK: %uint_45 Aligned 4
    out[6] = sizeof(__func__) + sizeof(__FUNCTION__);  // CHECK: %uint_24 Aligned 4
}
