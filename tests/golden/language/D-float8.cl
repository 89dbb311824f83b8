// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
// __fp8_e4m3 and __fp8_e5m2 as SPV_EXT_float8, which are computed with in floats.
typedef __fp8_e4m3 e4m3x4 __attribute__((ext_vector_type(4)));
typedef __fp8_e5m2 __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, 16, 8, CLK_COOPERATIVE_MATRIX_A))) A;
// CHECK: OpCapability Float8EXT
// CHECK: OpCapability Float8CooperativeMatrixEXT
// CHECK: OpExtension "SPV_EXT_float8"
// CHECK: OpName %_Z8overload10__fp8_e4m3 "_Z8overload10__fp8_e4m3"
// CHECK: OpName %_Z8overloadDv4_10__fp8_e4m3 "_Z8overloadDv4_10__fp8_e4m3"
// CHECK: OpName %_Z5takes10__fp8_e5m2S_ "_Z5takes10__fp8_e5m2S_"
// CHECK: = OpTypeFloat 8 Float8E4M3EXT
// CHECK: = OpTypeFloat 8 Float8E5M2EXT
__attribute__((overloadable)) float overload(__fp8_e4m3 x) { return x; }
__attribute__((overloadable)) e4m3x4 overload(e4m3x4 x) { return x * x; }
__attribute__((overloadable)) float takes(__fp8_e5m2 x, __fp8_e5m2 y) { return x * y; }

kernel void k(global __fp8_e4m3 *p, global e4m3x4 *v, __fp8_e4m3 x, global __fp8_e5m2 *q, global uchar *bits) {
    p[3] = overload(x) + overload(v[2]).x + takes(q[0], q[1]);
    // CHECK: = OpFAdd %float
    p[1] = x < p[0] ? x : (__fp8_e4m3)0.4375f;
    // CHECK: = OpFOrdLessThan
    p[0] = -x;
    // CHECK: = OpFNegate %float
    q[3] = x * q[2];
    // CHECK: = OpFMul %float
    *bits = as_uchar(x);
    // CHECK: = OpBitcast %uchar
    A a = coop_mat_load(q, CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR, 8);
    // CHECK: = OpCooperativeMatrixLoadKHR
    // CHECK:  Aligned 1
    coop_mat_store(q, a, CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR, 8);
}
