// SPDX-License-Identifier: Apache-2.0
// What combines the values of a group's work-items, and the value that changes nothing (1.13.15-7).
#define OVERLOADABLE __attribute__((overloadable))

#define COMBINE_add(a, b) ((a) + (b))
#define COMBINE_mul(a, b) ((a) * (b))
#define COMBINE_min(a, b) min(a, b)
#define COMBINE_max(a, b) max(a, b)
#define COMBINE_and(a, b) ((a) & (b))
#define COMBINE_or(a, b) ((a) | (b))
#define COMBINE_xor(a, b) ((a) ^ (b))

// DEFINE(operation, type, neutral value) for what work-group functions have in OpenCL C 2.0. Sums do not know
// signs.
#define FOR_EACH_WORK_GROUP_OPERATION(DEFINE) \
    DEFINE(add, uint, 0)                      \
    DEFINE(add, ulong, 0)                     \
    DEFINE(add, float, 0)                     \
    DEFINE(add, double, 0)                    \
    DEFINE(min, int, INT_MAX)                 \
    DEFINE(min, uint, UINT_MAX)               \
    DEFINE(min, long, LONG_MAX)               \
    DEFINE(min, ulong, ULONG_MAX)             \
    DEFINE(min, float, INFINITY)              \
    DEFINE(min, double, INFINITY)             \
    DEFINE(max, int, INT_MIN)                 \
    DEFINE(max, uint, 0)                      \
    DEFINE(max, long, LONG_MIN)               \
    DEFINE(max, ulong, 0)                     \
    DEFINE(max, float, -INFINITY)             \
    DEFINE(max, double, -INFINITY)

// And what extensions add (cl_khr_work_group_uniform_arithmetic, cl_khr_subgroup_non_uniform_arithmetic).
#define FOR_EACH_OTHER_OPERATION(DEFINE) \
    DEFINE(mul, uint, 1)                 \
    DEFINE(mul, ulong, 1)                \
    DEFINE(mul, float, 1)                \
    DEFINE(mul, double, 1)               \
    DEFINE(and, uint, UINT_MAX)          \
    DEFINE(and, ulong, ULONG_MAX)        \
    DEFINE(or, uint, 0)                  \
    DEFINE(or, ulong, 0)                 \
    DEFINE(xor, uint, 0)                 \
    DEFINE(xor, ulong, 0)
