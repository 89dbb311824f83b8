// SPDX-License-Identifier: Apache-2.0
// typedef, extern and static.
// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
typedef int number;                        // 1.8-1
typedef float4 row, *rows;                 // 1.8-1
extern constant int table[4];              // 1.8-9
constant int table[4] = {1, 2, 3, 4};
extern kernel void later(global number *out);   // 1.8-9
extern int helper(int n);                  // 1.8-3, 1.8-9
extern constant struct unknown unused;     // 1.8-9: whoever uses it completes its type
static int hidden(int n) { return n + table[1]; }  // 1.8-1, 1.8-4
static global int counter = 3;             // 1.8-4
extern global int shared_counter;          // 1.8-3
global int shared_counter = 5;
kernel void first(global number *out) {
    extern constant int table[4];          // 1.8-10
    static int calls = 7;                  // 1.8-4, 1.8-8: in the global space
    for (int i = 0; i < 2; i++) {
        static global int turns = 9;       // 1.8-7
        turns++;
    }
    out[0] = hidden(table[2]) + calls++ + counter + shared_counter + helper(2);
}
kernel void later(global number *out) { out[0] = 1; }
int helper(int n) { return n * 2; }
// CHECK: OpVariable %_ptr_CrossWorkgroup_uint CrossWorkgroup %uint_9
// CHECK: %table = OpVariable %_ptr_UniformConstant__arr_uint
// CHECK: OpVariable %_ptr_CrossWorkgroup_uint CrossWorkgroup %uint_7
// CHECK: %counter = OpVariable %_ptr_CrossWorkgroup_uint CrossWorkgroup %uint_3
// CHECK: %shared_counter = OpVariable %_ptr_CrossWorkgroup_uint CrossWorkgroup %uint_5
// CHECK: %first = OpFunction
