// SPDX-License-Identifier: Apache-2.0
// Access qualifiers, written with and without underscores; read_only is the default. User functions take what their
// parameters say. 1.6-1 1.6-2
// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
typedef image2d_t image;
typedef write_only image3d_t volume;
float4 texel(__read_only image2d_t from, int2 at) { return read_imagef(from, at); }
void put(__write_only image2d_t to, int2 at, float4 value) { write_imagef(to, at, value); }
void twice(__read_write image2d_t both, int2 at) {  // 1.6-3
    write_imagef(both, at, 2 * read_imagef(both, at));  // 1.6-4
}
kernel void defaults(image2d_t a, image b) {}
kernel void qualified(read_only image2d_t a, write_only image2d_t b, read_write image2d_t c, volume d, int2 at) {
    put(b, at, texel(a, at));
    twice(c, at);
    write_imagef(d, (int4)0, (float4)0);
}
// CHECK: OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly
// CHECK: OpTypeImage %void 2D 0 0 0 0 Unknown WriteOnly
// CHECK: OpTypeImage %void 2D 0 0 0 0 Unknown ReadWrite
// CHECK: OpTypeImage %void 3D 0 0 0 0 Unknown WriteOnly
// CHECK: OpFunctionCall %v4float %texel %a
// CHECK: OpFunctionCall %void %put %b
// CHECK: OpFunctionCall %void %twice %c
// CHECK: OpImageWrite %d
// CHECK: OpImageWrite %to
// CHECK: OpImageRead %v4float %from
// CHECK: OpImageRead %v4float %both
// CHECK: OpImageWrite %both
