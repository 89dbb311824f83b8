// OPTIONS: -cl-std=CL2.0
// OpenCL C 2.0, 6.5.1: the global address space.
global int baz;
constant int *global p1 = &baz;  // 1.5.1-10
local int *global p2 = &baz;     // 1.5.1-10

int run_time(void);
int source = 3;
global int copy_1 = source;      // 1.5.1-6
int copy_2 = run_time();         // 1.5.1-6
int *copy_3 = &source + source;  // 1.5.1-6

image2d_t program_image;     // 1.5.1-3, 1.5.1-11
global image2d_t global_im;  // 1.5.1-2, 1.5.1-11
event_t program_event;       // 1.5.1-3, 1.5.1-11
global event_t global_ev;    // 1.5.1-11
reserve_id_t program_id;     // 1.5.1-3
clk_event_t program_clk;     // 1.5.1-3
kernel void qualified(global image2d_t im) {}  // 1.5.1-2

void element(read_only image2d_t im) {
    im[0];  // 1.5.1-2: image elements only through built-ins
    *im;    // 1.5.1-2
}
void once(void) {
    static int from_run_time = run_time();  // 1.5.1-6
}
kernel void read_only_buffer(const global int *p, global const int *q) {
    *p = 1;    // 1.5.1-13
    q[2] = 1;  // 1.5.1-13
}
