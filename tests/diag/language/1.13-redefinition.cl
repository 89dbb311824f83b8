// OPTIONS: -cl-std=CL2.0
// The names of built-in functions are taken at file scope, as in clang, unless it is a function that has one.
int clamp;
constant float fabs = 1;
typedef int dot;
int enqueue_kernel_;
int length(int x);
struct max { int min; };
kernel void k(global int *p, int sin) {
    int mad = *p + sin;
    *p = mad;
}
