// SPDX-License-Identifier: Apache-2.0
// printf is told as clspv tells it: formats by number with the sizes of their arguments, literals likewise, the buffer's place.
// OPTIONS: --abi=descriptors -cl-std=CL2.0
kernel void prints(global int *x) { printf("%d %s %v4hhd\n", x[0], "text", (char4)(1)); }
kernel void silent(global int *x) { x[0] = 1; }
// CHECK-NOT: OpCapability Float64
// CHECK: Kernel %prints
// CHECK: Kernel %silent
// CHECK: PrintfInfo %uint_0
// CHECK: PrintfInfo %uint_1
// CHECK: %uint_4 %uint_4 %uint_4
// CHECK: PrintfBufferStorageBuffer %uint_1 %uint_1 %uint_1048576
