// SPDX-License-Identifier: Apache-2.0
// OPTIONS: -fspell-checking-limit=4
// After so many misspelt names nobody looks for what they mean; a name without meaning counts once.
struct pair { int first; };
kernel void k(global int *out, struct pair pair) {
    int counter = 1;
    out[0] = countr;
    out[1] = nothing_like_it;
    out[2] = nothing_like_it;
    out[3] = get_globl_id(0);
    out[4] = pair.frst;
    out[5] = countr;
    out[6] = get_globl_id(0) + pair.frst;
    unsigend x;
}
