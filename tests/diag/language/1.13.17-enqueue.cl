// OPTIONS: -cl-std=CL2.0 -cl-ext=+cl_khr_subgroups -ferror-limit=0
// Device-side enqueue (OpenCL C 2.0 6.13.17): arguments that are refused, and what its types cannot do.
int not_a_block(void);

kernel void enqueue(global int *out, int n, queue_t q) {
    ndrange_t nd = ndrange_1D(8);
    clk_event_t ev, ret, list[3];
    float f;
    enqueue_kernel();
    enqueue_kernel(q, 0, nd);
    enqueue_kernel(q, 0, nd, 1);
    enqueue_kernel(q, 0, nd, not_a_block);
    enqueue_kernel(n, 0, nd, ^{});
    enqueue_kernel(q, f, nd, ^{});
    enqueue_kernel(q, q, nd, ^{});
    enqueue_kernel(q, 0, n, ^{});
    enqueue_kernel(q, 0, nd, ^(int x) {});                                      // 1.13.17-18
    enqueue_kernel(q, 0, nd, ^(local void *a) {});                              // 1.13.17-18
    enqueue_kernel(q, 0, nd, ^(local void *a) {}, 4, 4);                        // 1.13.17-18
    enqueue_kernel(q, 0, nd, ^(local void *a) {}, f);                           // 1.13.17-18
    enqueue_kernel(q, 0, nd, ^(local void *a) {}, out);                         // 1.13.17-18
    enqueue_kernel(q, 0, nd, ^(local int *a) {}, 4);                            // 1.13.17-18
    enqueue_kernel(q, 0, nd, ^(global void *a) {}, 4);                          // 1.13.17-18
    enqueue_kernel(q, 0, nd, ^(local void *a, int b) {}, 4, 4);                 // 1.13.17-18
    enqueue_kernel(q, 0, nd, ^{}, 4);                                           // 1.13.17-18
    enqueue_kernel(q, 0, nd, f, list, &ret, ^{});
    enqueue_kernel(q, 0, nd, 1, &ev, ret, ^{});
    enqueue_kernel(q, 0, nd, 1, out, &ret, ^{});
    enqueue_kernel(q, 0, nd, 1, &ev, out, ^{});
    enqueue_kernel(q, 0, nd, 1, &ev, &ret, n);
    // DIFFERS 1.13.17-18: each block argument has its size; clang forgets to count here
    enqueue_kernel(q, 0, nd, 1, &ev, &ret, ^(local void *a) {});
    enqueue_kernel(q, 0, nd, 1, &ev, &ret, ^(local void *a) {}, 5, 6);          // 1.13.17-18
    enqueue_kernel(q, 0, nd, 1, &ev, &ret);
    enqueue_kernel(q, 0, nd, 1, &ev, ^{});
}

kernel void queries(int n) {
    ndrange_t nd = ndrange_1D(8);
    void (^of_int)(int) = ^(int a) {};
    void (^plain)(void) = ^{};
    get_kernel_work_group_size(of_int);
    get_kernel_work_group_size(n);
    get_kernel_work_group_size();
    get_kernel_work_group_size(plain, plain);
    get_kernel_preferred_work_group_size_multiple(of_int);
    get_kernel_preferred_work_group_size_multiple(1);
    get_kernel_sub_group_count_for_ndrange(n, plain);
    get_kernel_sub_group_count_for_ndrange(nd, n);
    get_kernel_sub_group_count_for_ndrange(nd);
    get_kernel_max_sub_group_size_for_ndrange(nd, of_int);
}

kernel void events(queue_t q, int n, local int *l, global int *g) {
    clk_event_t ev, ret;
    enqueue_marker(q, 1, ev, &ret);
    retain_event(n);
    capture_event_profiling_info(ev, CLK_PROFILING_COMMAND_EXEC_TIME, l);
    ndrange_2D(3);
    ndrange_1D(g);
    ndrange_1D();
    ndrange_2D((global size_t *)g);
}

// 1.9-25: not program-scope variables, not kernel arguments
clk_event_t file_event;                                                         // 1.9-25
// DIFFERS 1.9-25: clang takes a clk_event_t
kernel void event_argument(clk_event_t e) {}
kernel void range_argument(ndrange_t n) {}                                      // 1.9-25

// 1.1.3-11, 1.1.3-13: opaque
void handles(queue_t q, clk_event_t e, int n) {
    if (q) {}                                                                   // 1.1.3-11
    !q;                                                                         // 1.1.3-11
    q + 1;                                                                      // 1.1.3-11
    (int)q;                                                                     // 1.1.3-11
    q == 1;                                                                     // 1.1.3-11
    // DIFFERS 1.1.3-11: clang orders handles as the pointers that they are to it
    q < q;
    e = 0;                                                                      // 1.1.3-13
    e == 0;                                                                     // 1.1.3-13
    if (e) {}                                                                   // 1.1.3-13
    !e;                                                                         // 1.1.3-13
    e + 1;                                                                      // 1.1.3-13
    (int)e;                                                                     // 1.1.3-13
    n ? e : e;                                                                  // 1.1.3-13
}
