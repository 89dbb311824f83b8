// The symbols of functions with enable_if, as clang mangles them. OPTIONS: --target=opencl2.0
// CHECK: "_Z6chosenUa9enable_ifIXaagtfL0p_Li10EnefL0p0_Li2EEXntmifL0p_Li12EEEif"
// CHECK: "_Z6chosenUa9enable_ifIXltfL0p_Li11EEEif"
// CHECK: "_Z6chosenif"
__attribute__((overloadable)) int chosen(int x, float y)
    __attribute__((enable_if(x > 10 && y != 2, "is large"), enable_if(!(x - 12), ""))) { return 1; }
__attribute__((overloadable)) int chosen(int x, float y) __attribute__((enable_if(x < 11, ""))) { return 2; }
__attribute__((overloadable)) int chosen(int x, float y) { return 3; }
kernel void k(global int *out, int n) { *out = chosen(12, 1) + chosen(10, 1) + chosen(n, 1); }
