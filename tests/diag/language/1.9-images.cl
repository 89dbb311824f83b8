// SPDX-License-Identifier: Apache-2.0
// OPTIONS: -cl-std=CL2.0 -ferror-limit=0
image2d_t program_scope;                          // 1.9-5 1.9-6 1.5.1-11
global image2d_t in_global;                       // 1.9-7 1.5.1-2
constant image3d_t in_constant;                   // 1.9-7
struct with_image { image2d_t image; };           // 1.9-6
union with_images { int i; image1d_array_t image; };  // 1.9-6
image2d_t returned(void);                         // 1.9-6
void pointer(image2d_t *p);                       // 1.9-6
void array(image2d_t p[2]);                       // 1.9-6
void pointer_in_global(global image2d_t *p);      // 1.9-6
void in_global_param(global image2d_t p);         // 1.9-7 1.5.1-2
void in_local_param(local image2d_t p);           // 1.9-7
void in_constant_param(constant image2d_t p);     // 1.9-7
void in_private_param(private image2d_t p);       // 1.9-7, which clang takes: private is the space of every parameter
void restricted(restrict image2d_t p);            // 1.9-23
// DIFFERS 1.9-23: const and volatile change nothing for an image, and clang takes them
void constant_one(const image2d_t p, volatile image2d_t q);
typedef image2d_t alias;
typedef read_only image2d_t read_only_alias;

kernel void uses(read_only image2d_t a, image2d_t b, sampler_t s, int n) {
    image2d_t variable;                           // 1.9-6
    image2d_t copy = a;                           // 1.9-6
    local image2d_t in_local;                     // 1.9-7
    image2d_t both[2];                            // 1.9-6
    alias by_alias;                               // 1.9-6
    a = b;                                        // 1.9-5
    a == b;
    !a;
    -a;
    a + 1;
    a++;
    a, 1;
    &a;                                           // 1.9-6
    *a;
    a.x;
    a[0];                                         // 1.13.14-1
    n ? a : b;
    a ? 1 : 2;
    if (a) return;
    switch (a) { default: break; }
    (int)a;
    (image2d_t)n;
    (void)a;
    (void)sizeof(a);
}

void takes_read_only(read_only image2d_t image);
void takes_write_only(write_only image2d_t image);
void takes_3d(image3d_t image);
void takes_read_only(write_only image2d_t image);
kernel void calls(read_only image2d_t r, write_only image2d_t w, read_write image2d_t both) {
    takes_read_only(r);
    takes_read_only(w);                           // 1.6-2
    takes_read_only(both);                        // 1.6-2
    takes_write_only(w);
    takes_write_only(r);                          // 1.6-2
    takes_3d(r);
    takes_read_only(0);
}
