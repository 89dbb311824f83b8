// OpenCL C 3.0 6.2.1: a device that has none of the optional features
// OPTIONS: -cl-std=CL3.0 -cl-ext=-all
int program_scope;
global int in_global;
constant int in_constant = 1;
void generic_space(generic int *p) {}
void unnamed(global int *g) { int *p = g; }
kernel void pipes(read_only pipe int p) {}
void queues(queue_t q) {}
void blocks(int (^b)(void)) {}
kernel void images(read_only image2d_t i) {}
void samplers(sampler_t s) {}
void doubles(double d) {}
void int64_atomics(atomic_long *a, atomic_int *b) {}
void local_static(void) { static int s; static constant int c = 1; }
// DIFFERS 1.13.15-1: clang 15 has work-group functions on every SPIR target
void functions(global int *p) { p[0] = work_group_reduce_add(p[0]); }
float literal(void) { return 1.0; }
#if defined __opencl_c_images || defined __opencl_c_fp64 || defined __IMAGE_SUPPORT__ || !defined __opencl_c_int64
// DIFFERS 1.10-17: clang 15 defines __IMAGE_SUPPORT__ on every SPIR target
#error a macro
#endif
