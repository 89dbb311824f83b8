// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
// cl_ext_kernel_cooperative_matrix as SPV_KHR_cooperative_matrix: types, and an instruction for each function and operator.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define MAT(rows, columns, use) \
    __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, rows, columns, CLK_COOPERATIVE_MATRIX_##use)))
typedef half MAT(16, 8, A) A;
typedef half MAT(8, 4, B) B;
typedef float MAT(16, 4, ACCUMULATOR) C;
typedef char MAT(16, 8, A) CharA;
typedef uchar MAT(8, 4, B) UCharB;
typedef int MAT(16, 4, ACCUMULATOR) IntC;
// CHECK: OpCapability CooperativeMatrixKHR
// CHECK: OpExtension "SPV_KHR_cooperative_matrix"
// CHECK: = OpTypeCooperativeMatrixKHR %half %uint_3 %uint_16 %uint_8 %uint_0
// CHECK: = OpTypeCooperativeMatrixKHR %half %uint_3 %uint_8 %uint_4 %uint_1
// CHECK: = OpTypeCooperativeMatrixKHR %float %uint_3 %uint_16 %uint_4 %uint_2
// CHECK: = OpTypeCooperativeMatrixKHR %uchar %uint_3 %uint_16 %uint_8 %uint_0
kernel void k(global half *a, local half *b, global float *c, uint stride) {
    A x = coop_mat_load(a, CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR, 24);
    // CHECK: = OpCooperativeMatrixLoadKHR
    // CHECK:  %uint_0 %uint_24 Aligned 2
    B y = coop_mat_load(b, CLK_COOPERATIVE_MATRIX_LAYOUT_COLUMN_MAJOR, stride);
    // CHECK: = OpCooperativeMatrixLoadKHR
    // CHECK:  %uint_1
    C z = coop_mat_init(2);
    // CHECK: = OpCompositeConstruct
    // CHECK:  %float_2
    z = coop_mat_mulAdd(x, y, z);
    // CHECK: = OpCooperativeMatrixMulAddKHR
    z = z + z;
    // CHECK: = OpFAdd
    z = -z * 3;
    // CHECK: = OpFNegate
    // CHECK: = OpCompositeConstruct
    // CHECK:  %float_3
    // CHECK: = OpFMul
    *c = coop_mat_length(z);
    // CHECK: = OpCooperativeMatrixLengthKHR %uint
    coop_mat_store(c, z, CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR, stride);
    // CHECK: OpCooperativeMatrixStoreKHR
    // CHECK:  %uint_0
}
kernel void integers(global int *c) {
    CharA x = coop_mat_init(-1);
    UCharB y = coop_mat_init(1);
    IntC z = coop_mat_init(1);
    z = coop_mat_mulAdd(x, y, z);
    // CHECK: MatrixASignedComponentsKHR|MatrixCSignedComponentsKHR|MatrixResultSignedComponentsKHR
    z = coop_mat_mulAdd(x, y, z, CLK_COOPERATIVE_MATRIX_OPERAND_SATURATING_ACCUMULATION);
    // CHECK: MatrixResultSignedComponentsKHR|SaturatingAccumulationKHR
    z = z / z;
    // CHECK: = OpSDiv
    coop_mat_store(c, z, CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR, 4);
}
