// SPDX-License-Identifier: Apache-2.0
// What an image is: sizes, channel order and data type; of every image type, whatever its access qualifier.
// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
#define QUERY(access, image_t, body) \
    kernel void access##_##image_t(access image_t image, global int *o, global int2 *d, global size_t *n) { \
        o[0] = get_image_width(image);               \
        o[1] = get_image_channel_data_type(image);   \
        o[2] = get_image_channel_order(image);       \
        body                                         \
    }
#define EACH_ACCESS(image_t, body)      \
    QUERY(read_only, image_t, body)     \
    QUERY(write_only, image_t, body)    \
    QUERY(read_write, image_t, body)
#define PLANE o[3] = get_image_height(image); d[0] = get_image_dim(image);
#define LAYERS n[0] = get_image_array_size(image);
EACH_ACCESS(image1d_t, )  // 1.13.14-46 1.13.14-47 1.13.14-48
// CHECK: %read_only_image1d_t = OpFunction
// CHECK: OpImageQuerySizeLod %uint %image
// CHECK: OpImageQueryFormat %uint %image
// CHECK: %uint_4304
// CHECK: OpImageQueryOrder %uint %image
// CHECK: %uint_4272
// CHECK: %write_only_image1d_t = OpFunction
// CHECK: OpImageQuerySizeLod %uint %image
// CHECK: OpImageQueryFormat %uint %image
// CHECK: %uint_4304
// CHECK: OpImageQueryOrder %uint %image
// CHECK: %uint_4272
// CHECK: %read_write_image1d_t = OpFunction
// CHECK: OpImageQuerySizeLod %uint %image
// CHECK: OpImageQueryFormat %uint %image
// CHECK: %uint_4304
// CHECK: OpImageQueryOrder %uint %image
// CHECK: %uint_4272
EACH_ACCESS(image1d_buffer_t, )  // 1.13.14-46 1.13.14-47 1.13.14-48
// CHECK: %read_only_image1d_buffer_t = OpFunction
// CHECK: OpImageQuerySize %uint %image
// CHECK: OpImageQueryFormat %uint %image
// CHECK: %uint_4304
// CHECK: OpImageQueryOrder %uint %image
// CHECK: %uint_4272
// CHECK: %write_only_image1d_buffer_t = OpFunction
// CHECK: OpImageQuerySize %uint %image
// CHECK: OpImageQueryFormat %uint %image
// CHECK: %uint_4304
// CHECK: OpImageQueryOrder %uint %image
// CHECK: %uint_4272
// CHECK: %read_write_image1d_buffer_t = OpFunction
// CHECK: OpImageQuerySize %uint %image
// CHECK: OpImageQueryFormat %uint %image
// CHECK: %uint_4304
// CHECK: OpImageQueryOrder %uint %image
// CHECK: %uint_4272
EACH_ACCESS(image1d_array_t, LAYERS)  // 1.13.14-46 1.13.14-47 1.13.14-48 1.13.14-50
// CHECK: %read_only_image1d_array_t = OpFunction
// CHECK: OpImageQuerySizeLod %v2uint %image
// CHECK: OpImageQueryFormat %uint %image
// CHECK: %uint_4304
// CHECK: OpImageQueryOrder %uint %image
// CHECK: %uint_4272
// CHECK: OpImageQuerySizeLod %v2ulong %image
// CHECK: %write_only_image1d_array_t = OpFunction
// CHECK: OpImageQuerySizeLod %v2uint %image
// CHECK: OpImageQueryFormat %uint %image
// CHECK: %uint_4304
// CHECK: OpImageQueryOrder %uint %image
// CHECK: %uint_4272
// CHECK: OpImageQuerySizeLod %v2ulong %image
// CHECK: %read_write_image1d_array_t = OpFunction
// CHECK: OpImageQuerySizeLod %v2uint %image
// CHECK: OpImageQueryFormat %uint %image
// CHECK: %uint_4304
// CHECK: OpImageQueryOrder %uint %image
// CHECK: %uint_4272
// CHECK: OpImageQuerySizeLod %v2ulong %image
EACH_ACCESS(image2d_t, PLANE)  // 1.13.14-46 1.13.14-47 1.13.14-48 1.13.14-49
// CHECK: %read_only_image2d_t = OpFunction
// CHECK: OpImageQuerySizeLod %v2uint %image
// CHECK: OpImageQueryFormat %uint %image
// CHECK: %uint_4304
// CHECK: OpImageQueryOrder %uint %image
// CHECK: %uint_4272
// CHECK: OpImageQuerySizeLod %v2uint %image
// CHECK: OpCompositeExtract %uint
// CHECK: OpImageQuerySizeLod %v2uint %image
// CHECK: %write_only_image2d_t = OpFunction
// CHECK: OpImageQuerySizeLod %v2uint %image
// CHECK: OpImageQueryFormat %uint %image
// CHECK: %uint_4304
// CHECK: OpImageQueryOrder %uint %image
// CHECK: %uint_4272
// CHECK: OpImageQuerySizeLod %v2uint %image
// CHECK: OpCompositeExtract %uint
// CHECK: OpImageQuerySizeLod %v2uint %image
// CHECK: %read_write_image2d_t = OpFunction
// CHECK: OpImageQuerySizeLod %v2uint %image
// CHECK: OpImageQueryFormat %uint %image
// CHECK: %uint_4304
// CHECK: OpImageQueryOrder %uint %image
// CHECK: %uint_4272
// CHECK: OpImageQuerySizeLod %v2uint %image
// CHECK: OpCompositeExtract %uint
// CHECK: OpImageQuerySizeLod %v2uint %image
EACH_ACCESS(image2d_array_t, PLANE LAYERS)  // 1.13.14-46 1.13.14-47 1.13.14-48 1.13.14-49 1.13.14-50
// CHECK: %read_only_image2d_array_t = OpFunction
// CHECK: OpImageQuerySizeLod %v3uint %image
// CHECK: OpImageQueryFormat %uint %image
// CHECK: %uint_4304
// CHECK: OpImageQueryOrder %uint %image
// CHECK: %uint_4272
// CHECK: OpImageQuerySizeLod %v3uint %image
// CHECK: OpCompositeExtract %uint
// CHECK: OpImageQuerySizeLod %v3uint %image
// CHECK: OpImageQuerySizeLod %v3ulong %image
// CHECK: %write_only_image2d_array_t = OpFunction
// CHECK: OpImageQuerySizeLod %v3uint %image
// CHECK: OpImageQueryFormat %uint %image
// CHECK: %uint_4304
// CHECK: OpImageQueryOrder %uint %image
// CHECK: %uint_4272
// CHECK: OpImageQuerySizeLod %v3uint %image
// CHECK: OpCompositeExtract %uint
// CHECK: OpImageQuerySizeLod %v3uint %image
// CHECK: OpImageQuerySizeLod %v3ulong %image
// CHECK: %read_write_image2d_array_t = OpFunction
// CHECK: OpImageQuerySizeLod %v3uint %image
// CHECK: OpImageQueryFormat %uint %image
// CHECK: %uint_4304
// CHECK: OpImageQueryOrder %uint %image
// CHECK: %uint_4272
// CHECK: OpImageQuerySizeLod %v3uint %image
// CHECK: OpCompositeExtract %uint
// CHECK: OpImageQuerySizeLod %v3uint %image
// CHECK: OpImageQuerySizeLod %v3ulong %image
EACH_ACCESS(image2d_depth_t, PLANE)  // 1.13.14-46 1.13.14-47 1.13.14-48 1.13.14-49
// CHECK: %read_only_image2d_depth_t = OpFunction
// CHECK: OpImageQuerySizeLod %v2uint %image
// CHECK: OpImageQueryFormat %uint %image
// CHECK: %uint_4304
// CHECK: OpImageQueryOrder %uint %image
// CHECK: %uint_4272
// CHECK: OpImageQuerySizeLod %v2uint %image
// CHECK: OpCompositeExtract %uint
// CHECK: OpImageQuerySizeLod %v2uint %image
// CHECK: %write_only_image2d_depth_t = OpFunction
// CHECK: OpImageQuerySizeLod %v2uint %image
// CHECK: OpImageQueryFormat %uint %image
// CHECK: %uint_4304
// CHECK: OpImageQueryOrder %uint %image
// CHECK: %uint_4272
// CHECK: OpImageQuerySizeLod %v2uint %image
// CHECK: OpCompositeExtract %uint
// CHECK: OpImageQuerySizeLod %v2uint %image
// CHECK: %read_write_image2d_depth_t = OpFunction
// CHECK: OpImageQuerySizeLod %v2uint %image
// CHECK: OpImageQueryFormat %uint %image
// CHECK: %uint_4304
// CHECK: OpImageQueryOrder %uint %image
// CHECK: %uint_4272
// CHECK: OpImageQuerySizeLod %v2uint %image
// CHECK: OpCompositeExtract %uint
// CHECK: OpImageQuerySizeLod %v2uint %image
EACH_ACCESS(image2d_array_depth_t, PLANE LAYERS)  // 1.13.14-46 1.13.14-47 1.13.14-48 1.13.14-49 1.13.14-50
// CHECK: %read_only_image2d_array_depth_t = OpFunction
// CHECK: OpImageQuerySizeLod %v3uint %image
// CHECK: OpImageQueryFormat %uint %image
// CHECK: %uint_4304
// CHECK: OpImageQueryOrder %uint %image
// CHECK: %uint_4272
// CHECK: OpImageQuerySizeLod %v3uint %image
// CHECK: OpCompositeExtract %uint
// CHECK: OpImageQuerySizeLod %v3uint %image
// CHECK: OpImageQuerySizeLod %v3ulong %image
// CHECK: %write_only_image2d_array_depth_t = OpFunction
// CHECK: OpImageQuerySizeLod %v3uint %image
// CHECK: OpImageQueryFormat %uint %image
// CHECK: %uint_4304
// CHECK: OpImageQueryOrder %uint %image
// CHECK: %uint_4272
// CHECK: OpImageQuerySizeLod %v3uint %image
// CHECK: OpCompositeExtract %uint
// CHECK: OpImageQuerySizeLod %v3uint %image
// CHECK: OpImageQuerySizeLod %v3ulong %image
// CHECK: %read_write_image2d_array_depth_t = OpFunction
// CHECK: OpImageQuerySizeLod %v3uint %image
// CHECK: OpImageQueryFormat %uint %image
// CHECK: %uint_4304
// CHECK: OpImageQueryOrder %uint %image
// CHECK: %uint_4272
// CHECK: OpImageQuerySizeLod %v3uint %image
// CHECK: OpCompositeExtract %uint
// CHECK: OpImageQuerySizeLod %v3uint %image
// CHECK: OpImageQuerySizeLod %v3ulong %image
EACH_ACCESS(image2d_msaa_t, PLANE)  // 1.13.14-46 1.13.14-47 1.13.14-48 1.13.14-49
// CHECK: %read_only_image2d_msaa_t = OpFunction
// CHECK: OpImageQuerySize %v2uint %image
// CHECK: OpImageQueryFormat %uint %image
// CHECK: %uint_4304
// CHECK: OpImageQueryOrder %uint %image
// CHECK: %uint_4272
// CHECK: OpImageQuerySize %v2uint %image
// CHECK: OpCompositeExtract %uint
// CHECK: OpImageQuerySize %v2uint %image
// CHECK: %write_only_image2d_msaa_t = OpFunction
// CHECK: OpImageQuerySize %v2uint %image
// CHECK: OpImageQueryFormat %uint %image
// CHECK: %uint_4304
// CHECK: OpImageQueryOrder %uint %image
// CHECK: %uint_4272
// CHECK: OpImageQuerySize %v2uint %image
// CHECK: OpCompositeExtract %uint
// CHECK: OpImageQuerySize %v2uint %image
// CHECK: %read_write_image2d_msaa_t = OpFunction
// CHECK: OpImageQuerySize %v2uint %image
// CHECK: OpImageQueryFormat %uint %image
// CHECK: %uint_4304
// CHECK: OpImageQueryOrder %uint %image
// CHECK: %uint_4272
// CHECK: OpImageQuerySize %v2uint %image
// CHECK: OpCompositeExtract %uint
// CHECK: OpImageQuerySize %v2uint %image
EACH_ACCESS(image2d_array_msaa_t, PLANE LAYERS)  // 1.13.14-46 1.13.14-47 1.13.14-48 1.13.14-49 1.13.14-50
// CHECK: %read_only_image2d_array_msaa_t = OpFunction
// CHECK: OpImageQuerySize %v3uint %image
// CHECK: OpImageQueryFormat %uint %image
// CHECK: %uint_4304
// CHECK: OpImageQueryOrder %uint %image
// CHECK: %uint_4272
// CHECK: OpImageQuerySize %v3uint %image
// CHECK: OpCompositeExtract %uint
// CHECK: OpImageQuerySize %v3uint %image
// CHECK: OpImageQuerySize %v3ulong %image
// CHECK: %write_only_image2d_array_msaa_t = OpFunction
// CHECK: OpImageQuerySize %v3uint %image
// CHECK: OpImageQueryFormat %uint %image
// CHECK: %uint_4304
// CHECK: OpImageQueryOrder %uint %image
// CHECK: %uint_4272
// CHECK: OpImageQuerySize %v3uint %image
// CHECK: OpCompositeExtract %uint
// CHECK: OpImageQuerySize %v3uint %image
// CHECK: OpImageQuerySize %v3ulong %image
// CHECK: %read_write_image2d_array_msaa_t = OpFunction
// CHECK: OpImageQuerySize %v3uint %image
// CHECK: OpImageQueryFormat %uint %image
// CHECK: %uint_4304
// CHECK: OpImageQueryOrder %uint %image
// CHECK: %uint_4272
// CHECK: OpImageQuerySize %v3uint %image
// CHECK: OpCompositeExtract %uint
// CHECK: OpImageQuerySize %v3uint %image
// CHECK: OpImageQuerySize %v3ulong %image
EACH_ACCESS(image2d_msaa_depth_t, PLANE)  // 1.13.14-46 1.13.14-47 1.13.14-48 1.13.14-49
// CHECK: %read_only_image2d_msaa_depth_t = OpFunction
// CHECK: OpImageQuerySize %v2uint %image
// CHECK: OpImageQueryFormat %uint %image
// CHECK: %uint_4304
// CHECK: OpImageQueryOrder %uint %image
// CHECK: %uint_4272
// CHECK: OpImageQuerySize %v2uint %image
// CHECK: OpCompositeExtract %uint
// CHECK: OpImageQuerySize %v2uint %image
// CHECK: %write_only_image2d_msaa_depth_t = OpFunction
// CHECK: OpImageQuerySize %v2uint %image
// CHECK: OpImageQueryFormat %uint %image
// CHECK: %uint_4304
// CHECK: OpImageQueryOrder %uint %image
// CHECK: %uint_4272
// CHECK: OpImageQuerySize %v2uint %image
// CHECK: OpCompositeExtract %uint
// CHECK: OpImageQuerySize %v2uint %image
// CHECK: %read_write_image2d_msaa_depth_t = OpFunction
// CHECK: OpImageQuerySize %v2uint %image
// CHECK: OpImageQueryFormat %uint %image
// CHECK: %uint_4304
// CHECK: OpImageQueryOrder %uint %image
// CHECK: %uint_4272
// CHECK: OpImageQuerySize %v2uint %image
// CHECK: OpCompositeExtract %uint
// CHECK: OpImageQuerySize %v2uint %image
EACH_ACCESS(image2d_array_msaa_depth_t, PLANE LAYERS)  // 1.13.14-46 1.13.14-47 1.13.14-48 1.13.14-49 1.13.14-50
// CHECK: %read_only_image2d_array_msaa_depth_t = OpFunction
// CHECK: OpImageQuerySize %v3uint %image
// CHECK: OpImageQueryFormat %uint %image
// CHECK: %uint_4304
// CHECK: OpImageQueryOrder %uint %image
// CHECK: %uint_4272
// CHECK: OpImageQuerySize %v3uint %image
// CHECK: OpCompositeExtract %uint
// CHECK: OpImageQuerySize %v3uint %image
// CHECK: OpImageQuerySize %v3ulong %image
// CHECK: %write_only_image2d_array_msaa_depth_t = OpFunction
// CHECK: OpImageQuerySize %v3uint %image
// CHECK: OpImageQueryFormat %uint %image
// CHECK: %uint_4304
// CHECK: OpImageQueryOrder %uint %image
// CHECK: %uint_4272
// CHECK: OpImageQuerySize %v3uint %image
// CHECK: OpCompositeExtract %uint
// CHECK: OpImageQuerySize %v3uint %image
// CHECK: OpImageQuerySize %v3ulong %image
// CHECK: %read_write_image2d_array_msaa_depth_t = OpFunction
// CHECK: OpImageQuerySize %v3uint %image
// CHECK: OpImageQueryFormat %uint %image
// CHECK: %uint_4304
// CHECK: OpImageQueryOrder %uint %image
// CHECK: %uint_4272
// CHECK: OpImageQuerySize %v3uint %image
// CHECK: OpCompositeExtract %uint
// CHECK: OpImageQuerySize %v3uint %image
// CHECK: OpImageQuerySize %v3ulong %image
#define VOLUME o[3] = get_image_height(image); o[4] = get_image_depth(image); *(global int4 *)d = get_image_dim(image);
EACH_ACCESS(image3d_t, VOLUME)  // 1.13.14-46 1.13.14-47 1.13.14-48 1.13.14-49
// CHECK: %read_only_image3d_t = OpFunction
// CHECK: OpImageQuerySizeLod %v3uint %image
// CHECK: OpImageQuerySizeLod %v3uint %image
// CHECK: OpImageQuerySizeLod %v3uint %image
// CHECK: OpImageQuerySizeLod %v3uint %image
// CHECK: OpVectorShuffle %v4uint
// CHECK: 0 1 2 3
// CHECK: %write_only_image3d_t = OpFunction
// CHECK: OpImageQuerySizeLod %v3uint %image
// CHECK: OpImageQuerySizeLod %v3uint %image
// CHECK: OpImageQuerySizeLod %v3uint %image
// CHECK: OpImageQuerySizeLod %v3uint %image
// CHECK: OpVectorShuffle %v4uint
// CHECK: 0 1 2 3
// CHECK: %read_write_image3d_t = OpFunction
// CHECK: OpImageQuerySizeLod %v3uint %image
// CHECK: OpImageQuerySizeLod %v3uint %image
// CHECK: OpImageQuerySizeLod %v3uint %image
// CHECK: OpImageQuerySizeLod %v3uint %image
// CHECK: OpVectorShuffle %v4uint
// CHECK: 0 1 2 3
kernel void names(global int *o) {  // 1.13.14-47 1.13.14-48 1.13.14-52
    o[0] = CLK_SNORM_INT8 + CLK_SNORM_INT16 + CLK_UNORM_INT8 + CLK_UNORM_INT16 + CLK_UNORM_SHORT_565 +
           // DIFFERS 1.13.14-52: the specification's name of CLK_UNORM_INT_101010, which clang has not
           CLK_UNORM_SHORT_101010 +
           CLK_UNORM_SHORT_555 + CLK_UNORM_INT_101010 + CLK_UNORM_INT24 + CLK_SIGNED_INT8 + CLK_SIGNED_INT16 +
           CLK_SIGNED_INT32 + CLK_UNSIGNED_INT8 + CLK_UNSIGNED_INT16 + CLK_UNSIGNED_INT32 + CLK_HALF_FLOAT + CLK_FLOAT;
    o[1] = CLK_A + CLK_R + CLK_Rx + CLK_RG + CLK_RGx + CLK_RA + CLK_RGB + CLK_RGBx + CLK_RGBA + CLK_ARGB + CLK_BGRA +
           CLK_INTENSITY + CLK_LUMINANCE + CLK_ABGR + CLK_DEPTH + CLK_sRGB + CLK_sRGBx + CLK_sRGBA + CLK_sBGRA;
}
// CHECK: %uint_73294
// CHECK: %uint_81344
