// The device's version follows the target, the language's does not.
// OPTIONS: --target=opencl3.1
// DIFFERS: clang leaves __OPENCL_VERSION__ to the device
_Static_assert(__OPENCL_VERSION__ == 310 && __OPENCL_C_VERSION__ == 120, "");
kernel void k(global uint *out) { out[0] = 1; }
// CHECK: OpSource OpenCL_C 102000
