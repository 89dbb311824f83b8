// Images are descriptors in memory, samplers numbers; what a function needs of an image it loads.
// OPTIONS: -cl-std=CL2.0
// CHECK-NOT: OpTypeImage
// CHECK-NOT: OpTypeSampler
constant sampler_t repeat = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;  // 1.13.14-8

float4 read(read_only image2d_t image, sampler_t sampler, float2 at) { return read_imagef(image, sampler, at); }

// CHECK: OpEntryPoint GLCompute %k "k"
// CHECK: OpName %image_sample_2d_f "image_sample_2d_f"
kernel void k(read_only image2d_t in, write_only image2d_t out, sampler_t sampler) {
    // CHECK: %k = OpFunction
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    // CHECK: %uint_39 %
    float4 color = read(in, repeat, convert_float2(at));  // 1.13.14-9
    // CHECK: OpFunctionCall %v4float %image_sample_2d_f
    color += read_imagef(in, sampler, convert_float2(at));  // 1.13.14-7
    if (at.x < get_image_width(out)) write_imagef(out, at, color);
}
