// OPTIONS: --target=opencl2.0 -Wall -cl-std=CL2.0
// Results of built-in functions that only look: at values (const), or at memory and images too (pure). Operations of
// sub-groups and work-groups also give other work-items a value, and get no warning.
kernel void images(read_only image2d_t image, read_write image2d_t both, read_only image2d_array_t layers, sampler_t s) {
    read_imagef(image, s, (float2)(0));
    read_imagei(image, s, (int2)(0));
    read_imageui(layers, (int4)(0));
    read_imagef(both, (int2)(0));
    get_image_width(image);
    get_image_dim(both);
    get_image_array_size(layers);
    get_image_channel_order(image);
    write_imagef(both, (int2)(0), (float4)(0));
    (void)read_imagef(image, (int2)(0));
}
kernel void memory(global float *f, global half *h, float4 v, char4 c) {
    vload4(0, f);
    vload_half(0, h);
    vloada_half4(0, h);
    vstore4(v, 0, f);
    dot(v, v);
    dot(c, c);
    fract(v.x, f);
    atomic_inc((global int *)f);
    is_valid_event(create_user_event());
}
kernel void groups(uint u, float f) {
    intel_sub_group_shuffle(u, 0);
    intel_sub_group_shuffle_xor(f, 1u);
    intel_sub_group_shuffle_down(u, u, 1u);
    intel_sub_group_shuffle_up(f, f, 1u);
    sub_group_shuffle(u, 0);
    sub_group_broadcast(f, 0);
    sub_group_rotate(f, 1);
    sub_group_ballot(1);
    sub_group_reduce_add(u);
    sub_group_non_uniform_reduce_add(u);
    sub_group_any(1);
    work_group_broadcast(f, 0);
    work_group_scan_inclusive_max(u);
}
