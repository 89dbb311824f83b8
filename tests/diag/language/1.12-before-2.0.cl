// OPTIONS: -cl-std=CL1.2
// Before OpenCL C 2.0 there are no blocks, and pipe and its kin are ordinary identifiers (1.1.9-5 reserves the words).
constant int queue_t = 1, clk_event_t = 2, reserve_id_t = 3, ndrange_t = 4;
int f(int pipe, int enqueue_kernel) { return pipe + enqueue_kernel + queue_t; }
void g(void) {
    ^{}();
    enqueue_kernel(1);
    CLK_NULL_EVENT;
}
