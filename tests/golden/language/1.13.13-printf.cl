// SPDX-License-Identifier: Apache-2.0
// printf: the format lies in constant memory, arguments have their default promotions.
// OPTIONS: --target=opencl1.2 -cl-std=CL1.2
constant char format[] = "%d\n";
kernel void print(int i, char c, ushort s, float f, double d, float4 v, char8 n, global int *p, global int *done) {
    *done = printf("%d\n", i);  // 1.13.13-1 1.13.13-5
    printf("%c %d\n", c, s);
    printf("%f %f\n", f, d);  // 1.13.13-39
    printf("%2.2v4hlf\n", v);  // 1.13.13-44
    printf("%#v8hhx\n", as_uchar8(n));  // 1.13.13-44
    printf("%s %p %%\n", "text", p);  // 1.13.13-35 1.13.13-36 1.13.13-37
    printf(format, i);
    printf("%d\n" + 1, i);
}
// CHECK: OpVariable %_ptr_UniformConstant__arr_uchar_ulong_4 UniformConstant
// CHECK: OpExtInst %uint %1 printf
// CHECK: OpStore
// CHECK: OpSConvert %uint
// CHECK: OpUConvert %uint
// CHECK: OpExtInst %uint %1 printf
// CHECK: OpFConvert %double
// CHECK: OpExtInst %uint %1 printf
// CHECK: OpExtInst %uint %1 printf
// CHECK: OpExtInst %uint %1 printf
// CHECK: OpExtInst %uint %1 printf
// CHECK: OpInBoundsAccessChain %_ptr_UniformConstant_uchar %format %ulong_0
// CHECK: OpExtInst %uint %1 printf
// CHECK: OpExtInst %uint %1 printf
