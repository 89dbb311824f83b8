// OPTIONS: --target=opencl3.0 -cl-std=CL3.0 -Wall
// As promoted.cl, by a pragma.
#pragma clang diagnostic error "-Wuninitialized"
int unset(void) { int x; return x; }
int again(void) { int y; return y; }
int missing(int n) { if (n) return 1; }
