// Features that OpenCL C 1.0 does not have yet.
// OPTIONS: -cl-std=CL1.0
extern int elsewhere(int);
static int helper(int a) { return a; }
constant int table[2] = {1, 2};
int variable;

int words(int pipe) { return pipe; }  // not reserved yet

void f(global int *q) {
    static int kept;
    float x = 1.5;  // a double, before the pragma
    int bits = popcount(1);
    printf("1.2");
    atomic_int a;
    work_group_barrier(1);
}

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
double g(void) { return 1.5; }

#pragma OPENCL EXTENSION cl_clang_storage_class_specifiers : enable
static int later(int a) { return a; }

void g2(generic int *p) {}
kernel void k(read_write image2d_t i) {}
void blocks(void) { ^{}; }
