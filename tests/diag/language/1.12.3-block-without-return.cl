// OPTIONS: -cl-std=CL2.0
// 1.12.3-2: a path without a value where other paths return one.
void f(void) {
    int (^always)(int) = ^(int x) {
        if (x < 0)
            return -1;
        else
            return 1;
    };
    int (^sometimes)(int) = ^(int x) {
        if (x < 0) return -1;
        // DIFFERS 1.12.3-2: clang finds this while it looks for warnings, and not with -w
    };
}
