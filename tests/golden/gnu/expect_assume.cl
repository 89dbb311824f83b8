// OPTIONS: --target=opencl2.0 -cl-ext=+cl_khr_expect_assume
// cl_khr_expect_assume; without it these say nothing (builtin_promises.cl).
// CHECK: OpCapability ExpectAssumeKHR
// CHECK: OpExtension "SPV_KHR_expect_assume"
kernel void k(global int *out, int n) {
    // CHECK: OpExpectKHR %ulong
    if (__builtin_expect(n > 3, 1)) out[0] = 1;
    // CHECK: OpExpectKHR %ulong
    out[1] = __builtin_expect_with_probability(n, 4, 0.5);
    // CHECK: OpAssumeTrueKHR
    __builtin_assume(n > 0);
    // CHECK-NOT: OpAssumeTrueKHR
    __builtin_assume(n++ > 0);
    // CHECK: OpUnreachable
    if (n == 77) __builtin_unreachable();
}
