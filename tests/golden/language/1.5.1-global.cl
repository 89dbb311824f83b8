// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
// OpenCL C 2.0, 6.5.1: program-scope variables, their types and initialisers.
struct node { int value; global struct node *next; };  // 1.5.1-1: a user's struct
global int baz = 7;
global int *global address = &baz;              // 1.5.1-6
global int *inner = &baz + 1;
static int internal;                            // 1.5.1-8
int external;                                   // 1.5.1-8
global float4 vector = (float4)(1, 2, 3, 4);    // 1.5.1-3
struct node first = {1, 0}, second = {2, &first};  // 1.5.1-6
double table[2][2] = {{1}, {2, 3}};
global int *bad_ptr;  // 1.5.1-12: fine, a pointer in global memory
constant char *text = "text";  // 1.5.3-3
// CHECK: %baz = OpVariable %_ptr_CrossWorkgroup_uint CrossWorkgroup %uint_7
// CHECK: %address = OpVariable %_ptr_CrossWorkgroup__ptr_CrossWorkgroup_uint CrossWorkgroup %baz
// CHECK: InBoundsPtrAccessChain
// CHECK: %inner = OpVariable %_ptr_CrossWorkgroup__ptr_CrossWorkgroup_uint CrossWorkgroup
// CHECK: %internal = OpVariable %_ptr_CrossWorkgroup_uint CrossWorkgroup
// CHECK: %external = OpVariable %_ptr_CrossWorkgroup_uint CrossWorkgroup
// CHECK: %second = OpVariable %_ptr_CrossWorkgroup_struct_node CrossWorkgroup
// CHECK: %bad_ptr = OpVariable %_ptr_CrossWorkgroup__ptr_CrossWorkgroup_uint CrossWorkgroup
// CHECK: OpVariable %_ptr_UniformConstant__arr_uchar_ulong_5 UniformConstant
// CHECK: %vector = OpVariable %_ptr_CrossWorkgroup_v4float CrossWorkgroup
global int *constant parts[2] = {&baz, 0};  // an address among the parts of a constant is a constant, too
// CHECK: OpSpecConstantOp %_ptr_CrossWorkgroup_uint InBoundsPtrAccessChain %baz %ulong_0
// CHECK: %parts = OpVariable
kernel void k(global int *out, global float4 *vectors, global struct node *nodes) {  // 1.5.1-1
    int *in_function = &baz;  // 1.5.1-9: a generic pointer in private memory
    // CHECK: %in_function = OpVariable %_ptr_Function__ptr_Generic_uint Function
    // CHECK: OpPtrCastToGeneric %_ptr_Generic_uint %baz
    *out = *address + *inner + internal + external + second.next->value + (int)table[1][1] + *bad_ptr + text[0];
    *vectors = vector;
    nodes[1].next = nodes;
    *in_function = 1;
}
kernel void p(global int *out) { *out = *parts[out[1]]; }
