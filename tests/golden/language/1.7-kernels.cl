// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
// OpenCL C 2.0, 6.7: kernels and their attributes.
// CHECK: OpEntryPoint Kernel %plain
// CHECK: OpEntryPoint Kernel %prefixed "prefixed"
// CHECK: OpEntryPoint Kernel %required "required"
// CHECK: OpEntryPoint Kernel %svm "svm"
// CHECK-NOT: OpEntryPoint
// CHECK: OpExecutionMode %required LocalSize 8 4 2
// CHECK: OpExecutionMode %hinted LocalSizeHint 16 1 1
// CHECK: OpExecutionMode %vector_hint VecTypeHint 262149
// CHECK: OpExecutionMode %scalar_hint VecTypeHint 65538
void helper(global int *p) { *p = 1; }
kernel void plain(global int *p) { helper(p); }      // 1.7.1-1
__kernel void prefixed(global int *p) { plain(p); }  // 1.7.1-1, 1.7.1-2
__attribute__((reqd_work_group_size(8, 4, 2))) kernel void required(global int *p) { *p = 2; }     // 1.7.2-4
kernel __attribute__((work_group_size_hint(16, 1, 1))) void hinted(global int *p) { *p = 2; }      // 1.7.2-3
kernel __attribute__((vec_type_hint(float4))) void vector_hint(global int *p) { *p = 2; }          // 1.7.2-1
kernel void __attribute__((__vec_type_hint__(int))) scalar_hint(global int *p) { *p = 2; }         // 1.7.2-1
kernel void svm(global int *__attribute__((nosvm)) p) { *p = 3; }                                  // 1.7.2-6
