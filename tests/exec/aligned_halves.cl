// SPDX-License-Identifier: Apache-2.0
// vloada_half and vstorea_half of one value: in every address space, with each rounding mode, as vload_half and
// vstore_half.
#include "assert.h"

constant ushort table[4] = {0x3c00, 0xc000, 0x7bff, 0x0001};

kernel void test_loads(global uint *record, global int *in) {
    private ushort mine[4];
    local ushort ours[4];
    for (int i = 0; i < 4; i++) mine[i] = ours[i] = table[i] + in[0];
    for (int i = 0; i < 4; i++) {
        const float value = vload_half(i, (const constant half *)table);
        ASSERT_BITS(as_uint(value), vloada_half(i, (const constant half *)table));
        ASSERT_BITS(as_uint(value), vloada_half(i, (const private half *)mine));
        ASSERT_BITS(as_uint(value), vloada_half(i, (const local half *)ours));
    }
}

#define STORES(suffix)                                                                                                 \
    vstorea_half##suffix(value, i, (private half *)mine);                                                              \
    vstorea_half##suffix(value, i, (local half *)ours);                                                                \
    vstore_half##suffix(value, i, (private half *)expected);                                                           \
    ASSERT(expected[i], mine[i]);                                                                                      \
    ASSERT(expected[i], ours[i]);

kernel void test_stores(global uint *record, global int *in) {
    private ushort mine[4], expected[4];
    local ushort ours[4];
    for (int i = 0; i < 4; i++) {
        const float value = (i - 1.5f) * 0.3333333f + in[0];
        STORES()
        STORES(_rte)
        STORES(_rtz)
        STORES(_rtp)
        STORES(_rtn)
    }
}
