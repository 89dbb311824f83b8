// OPTIONS: --target=opencl3.0 -cl-std=CL3.0 -Wall -Werror
// Warnings that are errors do not hide what else is found, be it by an option or by a pragma.
int missing(int n) { int a; if (n) return 1; }
int unset(int n) { int x; return x + n; }
int again(int n) {
    int x;
    return x + n;
}
