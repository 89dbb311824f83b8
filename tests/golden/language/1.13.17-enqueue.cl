// OPTIONS: --target=opencl2.0 -cl-std=CL2.0 -cl-ext=+cl_khr_subgroups
// Device-side enqueue (OpenCL C 2.0 6.13.17).
queue_t file_queue;
struct handles { queue_t q; clk_event_t e; ndrange_t n; };          // 1.1.3-11, 1.1.3-12, 1.1.3-13

kernel void forms(global int *out, int n, queue_t q) {
    int m = 3;
    ndrange_t nd = ndrange_1D(8);
    clk_event_t wait, ret, list[2];
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, nd, ^{ out[0] = m; });                             // 1.13.17-3
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, nd, 1, &wait, &ret, ^{ out[1] = m; });         // 1.13.17-4
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, nd,
                   ^(local void *a, local void *b) { ((local int *)a)[0] = m; }, 16, n);            // 1.13.17-5
    enqueue_kernel(q, 0, nd, 2, list, &ret, ^(local void *a) { ((local int *)a)[0] = 4; }, 16L);    // 1.13.17-6
    void (^b)(void) = ^{ out[3] = 1; };
    if (enqueue_kernel(get_default_queue(), 0, nd, 0, NULL, NULL, b) != CLK_SUCCESS) out[4] = 1;
    b();
}

kernel void queries(global int *out) {
    ndrange_t nd = ndrange_1D(8);
    void (^b)(void) = ^{ out[3] = 1; };
    void (^c)(local void *) = ^(local void *p) { out[3] = 1; };
    out[0] = get_kernel_work_group_size(b);                                     // 1.13.17-25
    out[1] = get_kernel_work_group_size(c);
    out[2] = get_kernel_preferred_work_group_size_multiple(b);                  // 1.13.17-26
    out[3] = get_kernel_sub_group_count_for_ndrange(nd, b);                     // seed002-26
    out[4] = get_kernel_max_sub_group_size_for_ndrange(nd, c);                  // seed002-27
}

kernel void events(global int *out, global ulong *times, queue_t q) {
    clk_event_t e = create_user_event(), ret;                                   // 1.13.17-29
    retain_event(e);                                                            // 1.13.17-28
    out[0] = is_valid_event(e);                                                 // 1.13.17-31
    set_user_event_status(e, CL_COMPLETE);                                      // 1.13.17-30
    capture_event_profiling_info(e, CLK_PROFILING_COMMAND_EXEC_TIME, times);    // 1.13.17-32
    out[1] = enqueue_marker(q, 1, &e, &ret);                                    // 1.13.17-27
    out[2] = enqueue_marker(get_default_queue(), 1, &e, 0);                     // 1.13.17-34
    release_event(e);
    e = CLK_NULL_EVENT;                                                         // 1.13.17-2
    queue_t none = CLK_NULL_QUEUE;                                              // 1.13.17-2
    out[3] = e == ret;
    out[4] = q != CLK_NULL_QUEUE;
    out[5] = none == q;
}

kernel void ranges(queue_t q) {                                                 // 1.13.17-35
    size_t o2[2] = {1, 2}, g2[2] = {3, 4}, l2[2] = {5, 6}, g3[3] = {7, 8, 9};
    const size_t l3[3] = {1, 1, 1};
    ndrange_t nd = ndrange_1D(8);
    nd = ndrange_1D(8, 4);
    nd = ndrange_1D(1, 8, 4);
    nd = ndrange_2D(g2);
    nd = ndrange_2D(g2, l2);
    nd = ndrange_2D(o2, g2, l2);
    nd = ndrange_3D(g3);
    nd = ndrange_3D(g3, l3);
    nd = ndrange_3D(g3, g3, l3);
    enqueue_kernel(q, 0, nd, ^{});
}

// 1.13.17-36: kernels that enqueue each other through blocks are no recursion.
kernel void chain_b(global int *work, queue_t q);
kernel void chain_a(global int *work, queue_t q) {
    if (work[0]-- > 0) enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ chain_b(work, q); });
}
kernel void chain_b(global int *work, queue_t q) {
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ chain_a(work, q); });
}

// 1.13.17-16: what a block captures, handles included
kernel void captures(queue_t q, read_only pipe int p, sampler_t s, global int *out) {
    clk_event_t e = create_user_event();
    ndrange_t nd = ndrange_1D(4);
    enqueue_kernel(q, 0, nd, ^{
        int x;
        out[0] = read_pipe(p, &x);
        release_event(e);
        enqueue_kernel(q, 0, nd, ^{ out[1] = 2; });
    });
}
