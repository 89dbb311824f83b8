// SPDX-License-Identifier: Apache-2.0
// Zero is a null pointer of any space; as a void * it is so only when it names none. 1.5.6-12, 1.9-2
kernel void nulls(global int *g, local int *l, constant int *c) {
    g = 0;
    c = (void *)0;
    c = (global void *)0;
    g = (local void *)0;
    g = (global void *)0;
    bool same = g == (void *)0 || l == 0;
    bool other = g == (local void *)0;
    local int one;
    local int *constant kept = &one;
}
