// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
// 1.12.5-17, 1.12.5-7: example 1 of OpenCL C 2.0 6.12.5. A function that takes a block is made once for each block.
// DIFFERS 1.12.5-17: clang refuses parameters of block type
void foo(int *x, int (^bar)(int, int)) {
    *x = bar(*x, *x);
}

// CHECK: %k = OpFunction %void
kernel void k(global int *x, global int *z) {
    int value = *x;
    // CHECK: OpFunctionCall %void %foo
    // CHECK: OpFunctionCall %void %foo_0
    if (x[1])
        foo(&value, ^int(int x, int y) { return x + y + *z; });
    else
        foo(&value, ^int(int x, int y) { return (x * y) - *z; });
    // CHECK: OpFunctionCall %void %foo_1
    int (^const again)(int, int) = ^(int x, int y) { return x; };
    foo(&value, again);
    foo(&value, again);
    *x = value;
}
// CHECK: %foo = OpFunction %void
// CHECK: OpFunctionCall %uint %__k_block_invoke
// CHECK: %foo_0 = OpFunction %void
// CHECK: OpFunctionCall %uint %__k_block_invoke_2
// CHECK: %foo_1 = OpFunction %void
// CHECK: OpFunctionCall %uint %__k_block_invoke_3
// CHECK-NOT: %foo_2
