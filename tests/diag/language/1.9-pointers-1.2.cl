// OPTIONS: -cl-std=CL1.2
// OpenCL C 1.2, 6.9 r1: no pointers to pointers as kernel arguments.
kernel void k(global int *global *p) {}  // 1.9-4
void function(int **p) {}
struct s { global int *p; };
kernel void record(struct s s) {}        // 1.9-4
