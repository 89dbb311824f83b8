// SPDX-License-Identifier: Apache-2.0
// Local memory of the group functions themselves: the translator makes it in the kernels that need it. `group_values` has an
// element for each work-item, `group_totals` one for each sub-group and one at least.
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
