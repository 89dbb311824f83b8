// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
// __bf16 as SPV_KHR_bfloat16, which is computed with in floats.
typedef __bf16 bf16x4 __attribute__((ext_vector_type(4)));
typedef __bf16 __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, 16, 8, CLK_COOPERATIVE_MATRIX_A))) A;
// CHECK: OpCapability BFloat16TypeKHR
// CHECK: OpCapability BFloat16CooperativeMatrixKHR
// CHECK: OpExtension "SPV_KHR_bfloat16"
// CHECK: OpName %_Z8overloadDF16b "_Z8overloadDF16b"
// CHECK: OpName %_Z8overloadDv4_DF16b "_Z8overloadDv4_DF16b"
// CHECK: = OpTypeFloat 16 BFloat16KHR
__attribute__((overloadable)) float overload(__bf16 x) { return x; }
__attribute__((overloadable)) bf16x4 overload(bf16x4 x) { return x * x; }

kernel void k(global __bf16 *p, global bf16x4 *v, __bf16 x, int i, global ushort *bits) {
    p[3] = overload(x) + overload(v[2]).x;
    // CHECK: = OpFAdd %float
    p[1] = x < p[0] ? i : (__bf16)1.5f;
    // CHECK: = OpFOrdLessThan
    // CHECK: = OpConvertSToF
    p[0] = -x + 0x1.81p0f;
    // CHECK: = OpFNegate %float
    // CHECK: = OpFAdd %float
    *bits = as_ushort(x);
    // CHECK: = OpBitcast %ushort
    p[2] = __builtin_astype(bits[1], __bf16);
    // CHECK: = OpBitcast
    A a = coop_mat_load(p, CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR, 8);
    // CHECK: = OpCooperativeMatrixLoadKHR
    // CHECK:  Aligned 2
    a = a * 2 - a;
    // CHECK: = OpFMul
    // CHECK: = OpFSub
    coop_mat_store(p, a, CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR, 8);
}
// the other functions
// CHECK: = OpFConvert %float
// CHECK: = OpFMul %v4float
// CHECK: = OpFConvert %v4
