// OPTIONS: -cl-std=CL2.0
// OpenCL C 2.0, 6.5.3: the constant address space.
int run_time(void);
global int variable;
constant int fine = 1 + 2;
constant int without;                // 1.5.3-6
constant int from_call = run_time(); // 1.5.3-6
constant int from_global = variable; // 1.5.3-6
constant float many[2] = {1, run_time()};  // 1.5.3-6
void helper(void) {
    constant int in_function = 1;  // 1.5.3-5
}
kernel void k(int n, constant int *p, global int *out) {
    constant int inner = 1;
    constant int from_argument = n;  // 1.5.3-6
    constant int nothing;            // 1.5.3-6
    if (n) {
        constant int in_block = 1;  // 1.5.3-5
    }
    inner = 2;       // 1.5.3-7
    fine = 2;        // 1.5.3-7
    fine++;          // 1.5.3-7
    *p = 3;          // 1.5.3-7
    p[1] += 3;       // 1.5.3-7
    many[0] = 1;     // 1.5.3-7
    "text"[0] = 'c'; // 1.5.3-3, 1.5.3-7
    char *text = "text";           // 1.5.3-3
    global char *other = "text";   // 1.5.3-3
}
