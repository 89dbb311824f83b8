// OPTIONS: -cl-std=CL3.0 -cl-ext=-__opencl_c_pipes,-__opencl_c_device_enqueue
// OpenCL C 3.0 without pipes and device-side enqueue: their names are free, their syntax is refused.
int queue_t, clk_event_t, reserve_id_t, ndrange_t, enqueue_kernel, read_pipe;
kernel void f(pipe int p) {}
void g(void) {
    void (^b)(void);
    ^{}();
}
int __block;
