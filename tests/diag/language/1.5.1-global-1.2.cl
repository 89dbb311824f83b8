// OPTIONS: -cl-std=CL1.2
// OpenCL C 1.2, 6.5.1: no program-scope variables in global memory before 2.0.
int program;                // 1.5-4
global int program_global;  // 1.5-4
private int program_private;
local int program_local;
global int *bad_ptr;  // 1.5.1-12: an error in 1.2, whose variables need constant
constant int fine = 1;
kernel void k(global int *p) {
    static int in_kernel;            // 1.5-4
    static global int in_global;     // 1.5-4
    global int automatic;
    generic int *word;  // 1.5-5: no generic space before 2.0
    int *q = p;         // 1.5.4-3: an unqualified pointer leads to private memory
    *q = 1;
}
