// OPTIONS: --target=opencl1.2
// A module without entry points is for linking (SPIR-V 2.16.1).
// CHECK: OpCapability Linkage
// CHECK-NOT: OpEntryPoint
int helper(int x) { return x; }
