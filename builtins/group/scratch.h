// SPDX-License-Identifier: Apache-2.0
// Local memory of the group functions themselves: the translator adds it to the kernels that need it.
// `group_values` has an element for each work-item, and `group_totals` one for each sub-group, and at least
// one.
#define SCRATCH(type)                          \
    local type *group_values_##type(void);     \
    local type *group_totals_##type(void);
SCRATCH(uint)
SCRATCH(ulong)
SCRATCH(float)
SCRATCH(double)
#undef SCRATCH
#define group_values_int() ((local int *)group_values_uint())
#define group_totals_int() ((local int *)group_totals_uint())
#define group_values_long() ((local long *)group_values_ulong())
#define group_totals_long() ((local long *)group_totals_ulong())
