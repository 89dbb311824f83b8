// SPDX-License-Identifier: Apache-2.0
// What the image functions do not take.
// OPTIONS: -cl-std=CL2.0 -ferror-limit=0
kernel void uses(read_only image2d_t r, write_only image2d_t w, read_write image2d_t both, sampler_t s, float f,
                 read_only image1d_buffer_t buffer, write_only image3d_t volume, read_only image2d_depth_t depth) {
    write_imagef(r, (int2)0, (float4)0);          // 1.13.14-2
    read_imagef(w, s, (int2)0);                   // 1.13.14-3
    read_imagef(w, (int2)0);                      // 1.13.14-3
    read_imagef(both, s, (int2)0);                // 1.13.14-4 1.6-4
    read_imagef(buffer, s, 0);                    // 1.13.14-34
    (void)read_imagef(r, s, (float2)0);
    read_imagef(r, s, (int4)0);
    read_imagef(r, f, (int2)0);
    read_imagei(depth, s, (int2)0);
    write_imageui(w, (int2)0, (int4)0);
    write_imagef(volume, (int2)0, (float4)0);
    get_image_depth(r);
    get_image_height(buffer);
    get_image_width();
    get_image_array_size(r);
    read_imagef(r);
    read_imaged(r, (int2)0);
}
