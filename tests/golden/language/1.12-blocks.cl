// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
// Blocks that are accepted, and what they become (OpenCL C 2.0 6.12).
typedef float (^binary_t)(float, float);                            // 1.12.2-5
int global_int;
int (^get_global)(void) = ^{ return global_int; };                  // 1.12.3-9: a program-scope literal
static binary_t add = ^(float a, float b) { return a + b; };
int (^unary)(int) = ^int(int n) { return n + 1; };                  // 1.12.3-1: a type expression
constant int (^in_constant)(int) = ^(int n) { return n; };
// DIFFERS 1.12.2-2: clang takes an empty list as (void), and so does example 5 of 6.12.5
int (^no_void)() = ^() { return 1; };
enum colour { red };
int (^colour)(void) = ^{ return red; };

// 1.12-1, 1.12.1-1, 1.12.3-5: a literal makes an object with its size, its alignment and a copy of m.
// CHECK: OpDecorate %struct___opencl_block_literal CPacked
// CHECK: OpDecorate %block Alignment 8
// CHECK: %struct___opencl_block_literal = OpTypeStruct %uint %uint %_ptr_Generic_uchar %uint
// CHECK: %declare = OpFunction %void
kernel void declare(global int *out, int m) {
    // CHECK: %uint_20 Aligned 8
    // CHECK: %uint_8 Aligned 4
    // CHECK: = OpPtrCastToGeneric %_ptr_Generic_struct___opencl_block_literal %block
    // CHECK: = OpBitcast %_ptr_Generic_uchar
    // CHECK: OpStore %b
    int (^b)(int) = ^(int n) { return n * m; };
    // CHECK: = OpLoad %_ptr_Generic_uchar %b
    // CHECK: = OpFunctionCall %uint %__declare_block_invoke
    out[0] = b(3);
    void (^returning_void)(void) = ^(void) { out[1] = 1; };         // 1.12.2-1, 1.12.3-2: no return, void
    // CHECK: = OpFunctionCall %void %__declare_block_invoke_2
    returning_void();
    void (^shorter)(void) = ^{ out[2] = 1; };                       // 1.12.3-3
    // CHECK: = OpFunctionCall %void %__declare_block_invoke_3
    shorter();
    int (^mixed)(int, char) = ^(int i, char c) { return i + c; };   // 1.12.2-1
    // CHECK: = OpFunctionCall %uint %__declare_block_invoke_4
    out[3] = mixed(1, 2);
    // CHECK: = OpFunctionCall %float %add_block_invoke
    // CHECK: = OpFunctionCall %uint %get_global_block_invoke
    // CHECK: = OpFunctionCall %uint %unary_block_invoke
    out[4] = (int)add(1.0f, 2.0f) + get_global() + unary(1) + no_void() + colour() + in_constant(2);
    static int (^inside)(void) = ^{ return 4; };                    // 1.12.3-9: local static scope
    // CHECK: = OpFunctionCall %uint %__declare_block_invoke_5
    out[5] = inside();
}

// The body is a function whose first parameter leads to the copies.
// CHECK: %__declare_block_invoke = OpFunction %uint None
// CHECK: %_block_descriptor = OpFunctionParameter %_ptr_Generic_uchar
// CHECK: = OpBitcast %_ptr_Generic_struct___opencl_block_literal %_block_descriptor
// CHECK: = OpInBoundsAccessChain %_ptr_Generic_uint
// CHECK: OpStore %m_addr_0
