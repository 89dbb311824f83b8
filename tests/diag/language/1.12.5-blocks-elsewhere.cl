// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
// 1.12.5-7: which block a function calls is known when it is compiled, so it must be here.
// DIFFERS 1.12.5-17: clang refuses every parameter of block type
void elsewhere(int (^f)(int));
kernel void k(void) {
    // DIFFERS 1.12.5-7: so that it has no call to refuse
    elsewhere(^(int x) { return x; });
}
