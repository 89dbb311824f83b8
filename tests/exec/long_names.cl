// SPDX-License-Identifier: Apache-2.0
// Kernels with names that are longer than Vulkan's validation accepts for entry points (256 characters).
#include "assert.h"

#define JOIN(a, b) a##_##b
#define NAME_2(name) JOIN(name, name)
#define NAME_4(name) JOIN_2(NAME_2(name))
#define JOIN_2(name) NAME_2_AGAIN(name)
#define NAME_2_AGAIN(name) name##_##name
#define LONG(name) LONG_AGAIN(NAME_4(a_name_that_a_compiler_of_another_language_makes_of_all_its_types_and_templates), name)
#define LONG_AGAIN(name, end) LONG_AT_LAST(name, end)
#define LONG_AT_LAST(name, end) test_##name##_##end

kernel void LONG(first)(global uint *record, global int *in) { ASSERT(1, in[1]); }
kernel void LONG(second)(global uint *record, global int *in) { ASSERT(2, in[2]); }
