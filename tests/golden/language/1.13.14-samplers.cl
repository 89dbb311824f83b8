// SPDX-License-Identifier: Apache-2.0
// Samplers: each field, and each place where one may be written.
// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
// CHECK: OpCapability LiteralSampler
extern constant sampler_t in_constant;
constant sampler_t in_constant = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;  // 1.13.14-8
const sampler_t is_const = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;  // 1.13.14-8
__constant sampler_t underscored = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;  // 1.13.14-8
enum { kRepeat = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR };
float4 sample(read_only image2d_t image, sampler_t s) { return read_imagef(image, s, (float2)0); }
kernel void all(read_only image2d_t image, sampler_t argument, global float4 *out) {  // 1.13.14-7
    const sampler_t outermost = kRepeat;  // 1.9-9, 1.13.14-8
    out[0] = read_imagef(image, in_constant, (float2)0);  // 1.13.14-9
    out[1] = read_imagef(image, is_const, (float2)0);
    out[2] = read_imagef(image, underscored, (float2)0);
    out[3] = read_imagef(image, outermost, (float2)0);
    out[4] = sample(image, CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_NEAREST);
    out[5] = sample(image, argument);
    out[6] = sample(image, outermost);
}
// CHECK: OpConstantSampler
// CHECK: None 0 Nearest
// CHECK: ClampToEdge 1 Linear
// CHECK: Clamp 1 Nearest
// CHECK: Repeat 1 Linear
// CHECK: RepeatMirrored 1 Nearest
// CHECK: OpFunctionCall %v4float %sample %image
// CHECK: OpFunctionCall %v4float %sample %image %argument
// CHECK: OpFunctionCall %v4float %sample %image
// CHECK: %image_0 %s
