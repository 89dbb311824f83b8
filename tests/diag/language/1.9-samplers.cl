// SPDX-License-Identifier: Apache-2.0
// OPTIONS: -cl-std=CL2.0 -ferror-limit=0
constant sampler_t good = CLK_ADDRESS_CLAMP;
const sampler_t good_too = CLK_FILTER_LINEAR;
sampler_t not_constant = 0;                       // 1.13.14-8
global sampler_t in_global = 0;                   // 1.9-10
constant sampler_t uninitialised;                 // 1.13.14-9
constant sampler_t braces = {1};
constant sampler_t unknown_mode = 10;             // no CLK_ADDRESS_ is 10
constant sampler_t floating = 1.0f;               // 1.13.14-9
constant sampler_t wide = 1L;                     // 1.13.14-9
constant sampler_t narrow = (uchar)1;             // 1.13.14-9
constant sampler_t other = good;                  // 1.13.14-9
constant sampler_t several[2] = {0, 1};           // 1.9-10
constant sampler_t *to_constant;                  // 1.9-10
struct with_sampler { sampler_t s; };             // 1.9-10
union with_samplers { int i; sampler_t s; };      // 1.9-10
sampler_t returned(void);                         // 1.9-10
void pointer(sampler_t *s);                       // 1.9-10
void array(sampler_t s[2]);                       // 1.9-10
void in_global_param(global sampler_t s);         // 1.9-10
void takes(sampler_t s);
void helper(void) {
    const sampler_t fine = 1;                     // 1.9-9
    constant sampler_t not_in_kernel = 1;
}
kernel void uses(sampler_t s, read_only image2d_t image, int n) {
    const sampler_t fine = CLK_FILTER_NEAREST;
    constant sampler_t fine_too = CLK_FILTER_NEAREST;
    local sampler_t in_local;                     // 1.9-10
    sampler_t both[2];                            // 1.9-10
    sampler_t from_sampler = s;
    // DIFFERS 1.13.14-9: a sampler in the source is a constant; clang reads n when the kernel runs
    sampler_t run_time = n;
    { const sampler_t nested = 1; takes(nested); }
    s = good;                                     // 1.9-9
    s = 0;                                        // 1.9-9
    s == good;
    !s;
    s + 1;
    s, 1;
    &s;                                           // 1.9-10
    *s;
    n ? s : good;
    if (s) return;
    (int)s;
    (sampler_t)1;
    takes(1);
    takes(fine_too);
    takes(from_sampler);
    // DIFFERS 1.13.14-9: as above
    takes(n);
    takes(1.0f);
    takes(image);
}
constant sampler_t two_filters = CLK_FILTER_NEAREST | CLK_FILTER_LINEAR;
constant sampler_t nothing_wrong = CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR | CLK_NORMALIZED_COORDS_TRUE;
