// SPDX-License-Identifier: Apache-2.0
#include "frontend/emit/emit_fixture.h"

using namespace caldera::frontend;

TEST_CASE("integer operators take their signedness from the type") {
    const std::string text = assembly(R"(kernel void k(global int *i, global uint *u, int a, uint b) {
        i[0] = i[1] / a; u[0] = u[1] / b; i[2] = i[3] % a; u[2] = u[3] % b; i[4] = a >> 3; u[4] = b >> 3;
        i[5] = a < 7; u[5] = b < 7; i[6] = ~a; i[7] = -a; i[8] = !a; i[9] = a & 3 | 4 ^ a; })");
    check_lines(text, {"OpSDiv", "OpUDiv", "OpSRem", "OpUMod", "OpShiftRightArithmetic",
                       "OpShiftRightLogical", "OpSLessThan", "OpULessThan", "OpNot", "OpSNegate"});
}

TEST_CASE("6.3.10 shift counts are taken modulo the width") {
    const std::string text =
        assembly(R"(kernel void k(global uint *p, global ulong *q, global uchar4 *v, uint n) {
        p[0] <<= n; q[0] = q[1] >> n; v[0] = v[1] << v[2]; p[1] = p[2] << 35; })");
    check_lines(text, {"OpBitwiseAnd %uint", "%uint_31", "OpShiftLeftLogical %uint", "OpBitwiseAnd %ulong",
                       "%ulong_63", "OpShiftRightLogical %ulong", "OpBitwiseAnd %v4uchar",
                       "OpShiftLeftLogical %v4uchar", "OpShiftLeftLogical %uint", "%uint_3"});
}

TEST_CASE("6.3.4 comparisons give 1 in scalars and -1 in vectors") {
    const std::string text = assembly(R"(kernel void k(global int *i, global int4 *v, global long2 *l,
                                                       global float4 *f, global double2 *d) {
        i[0] = i[1] == i[2]; v[0] = f[0] < f[1]; l[0] = d[0] != d[1]; v[1] = !f[0]; v[2] = v[3] && v[4]; })");
    check_lines(text, {"OpIEqual %bool", "OpSelect %uint", "%uint_1 %uint_0", "OpFOrdLessThan %v4bool",
                       "OpSelect %v4uint", "OpFUnordNotEqual %v2bool", "OpSelect %v2ulong", "OpLogicalNot",
                       "OpLogicalAnd %v4bool"});
}

TEST_CASE("&& and || evaluate their right side only when it decides") {
    const std::string text = assembly(R"(kernel void k(global int *p, int n) {
        if (n > 0 && p[n] > 1) p[0] = 1;
        if (n > 0 || p[n]++) p[1] = 1;
        int both = n > 3 && n < 5; p[2] = both; })");
    check_lines(text, {"OpSelectionMerge", "OpBranchConditional", "OpPhi %bool %false", "OpPhi %bool %true",
                       "OpLogicalAnd %bool"});
}

TEST_CASE("?: selects or branches") {
    const std::string text =
        assembly(R"(kernel void k(global int *p, global float4 *f, global int4 *m, int n) {
        p[0] = n > 0 ? n : 3; p[1] = n > 0 ? p[2] : p[3]; f[0] = m[0] ? f[1] : f[2]; f[3] = n ? f[4] : f[5];
        n > 3 ? (void)p[0]++ : (void)p[1]++; p[4] = n ?: 5; })");
    check_lines(text, {"OpSelect %uint", "OpPhi %uint", "OpSLessThan %v4bool", "OpSelect %v4float",
                       "OpPhi %v4float"});
}

TEST_CASE("swizzles read and write components") {
    const std::string text = assembly(R"(kernel void k(global float4 *p, global float *q, global float3 *t) {
        float4 v = p[0]; v.xy = v.wz; v.s3 = 2; v.hi.x = 1; p[1] = v; p[2].zx = v.lo; p[3].y = 5; q[0] = p[4].w;
        float8 w = (float8)(v, p[0]); w.even = v.odd.xyxy; p[5] = w.s7654; t[0] = v.xxx; t[1].z = v.x; })");
    check_lines(text, {"OpVectorShuffle %v2float", "3 2", "OpVectorShuffle %v4float", "OpCompositeInsert",
                       "OpCompositeInsert", "OpInBoundsAccessChain"});
}

TEST_CASE("vectors indexed like arrays") {
    assembly(R"(kernel void k(global float4 *p, int i) { float4 v = p[0]; v[i] = 3; p[1][i] = v[2]; })");
}

TEST_CASE("compound assignment computes in the wider type") {
    const std::string text =
        assembly(R"(kernel void k(global char *c, global float *f, global float4 *v, int n) {
        c[0] += n; f[0] *= n; v[0] *= 2.0f; v[1].xz += v[2].yw; c[1] <<= 2; n -= 1; v[3] /= v[4]; })");
    check_lines(
        text, {"OpSConvert %uint", "OpIAdd %uint", "OpUConvert %uchar", "OpFMul %float", "OpFMul %v4float"});
    assembly(R"(kernel void k(global char *c, int n) { c[0] += n; c[0] /= 3; c[0] |= 3; })");
}

TEST_CASE("++ and -- on scalars, vectors and pointers") {
    const std::string text = assembly(R"(kernel void k(global int *p, global int4 *v, float f) {
        *p++ = 1; --p; (*p)--; v[0]++; ++f; v->x++; p[2] = p[3]++ + --p[4]; v[1].x = f; bool b = 0; b++; if (b) p[0] = 1; })");
    check_lines(text, {"OpInBoundsPtrAccessChain", "OpISub", "OpIAdd %v4uint"});
}

TEST_CASE("pointer arithmetic, differences and comparisons") {
    const std::string text = assembly(R"(kernel void k(global int *p, global int *q, long n) {
        global int *r = p + n; r -= 2; p[0] = r - q; p[1] = r < q; p[2] = r == 0; if (q) p[3] = 1; if (!q) p[4] = 2;
        p[5] = *(r - n); p[6] = (long)r; r = (global int *)n; r[0] = 3; global char *c = (global char *)r; c[1] = 2; })");
    check_lines(text, {"OpInBoundsPtrAccessChain", "OpConvertPtrToU", "OpISub %ulong", "OpSDiv %ulong",
                       "OpULessThan", "OpConvertUToPtr", "OpBitcast"});
}

TEST_CASE("casts of every kind") {
    const std::string text =
        assembly(R"(kernel void k(global float *f, global int *i, global uchar *u, double d, char c) {
        f[0] = i[0]; f[1] = u[0]; i[1] = f[2]; u[1] = f[3]; f[4] = d; d = f[5]; i[2] = c; i[3] = u[2]; u[3] = i[4];
        bool b = f[6]; i[5] = b; f[7] = b; i[6] = (bool)i[7]; f[8] = d; global float4 *v = (global float4 *)f;
        v[0] = (float4)f[0]; v[1] = f[1]; v[2] = (float4)(c); (void)i[0]; })");
    check_lines(text, {"OpConvertSToF", "OpConvertUToF", "OpConvertFToS", "OpConvertFToU",
                       "OpFConvert %float", "OpFConvert %double", "OpSConvert %uint", "OpUConvert %uint",
                       "OpUConvert %uchar", "OpFUnordNotEqual"});
}

TEST_CASE("constants are folded: no double where a float is meant") {
    const std::string text = assembly(R"(kernel void k(global float *f, global int *i) {
        f[0] = 1.5; f[1] = -2; f[2] = 3 * 4 + 1; i[0] = sizeof(float4) << 2; i[1] = -5 / 2; i[2] = (char)300; })");
    check_absent(text, "OpTypeFloat 64");
    check_lines(text, {"OpStore %", "%float_1_5", "%float_n2", "%float_13", "%uint_64", "%uint_4294967294",
                       "%uint_44"});
}

TEST_CASE("a long chain of operators does not use the stack up") {
    std::string source = "kernel void k(global int *p) { p[0] = p[1]";
    for (int i = 0; i < 20000; ++i) source += " + p[2]";
    assembly(source + "; }");
    source = "kernel void k(global int *p) { p[0] = p[1]";
    for (int i = 0; i < 2000; ++i) source += " && p[2]";
    assembly(source + "; }");
}

TEST_CASE("vector literals") {
    const std::string text = assembly(R"(kernel void k(global float4 *p, float a, float2 b) {
        p[0] = (float4)(1, 2, 3, 4); p[1] = (float4)(a, b, 1.0f); p[2] = (float4)(b, b); p[3] = (float4)(7); })");
    check_lines(text, {"OpConstantComposite %v4float", "OpCompositeInsert %v4float"});
}

TEST_CASE("statement expressions and the comma") {
    assembly(R"(kernel void k(global int *p, int n) {
        p[0] = ({ int a = n; a * a; }); p[1] = (n++, p[2]++, n); for (int i = 0, j = 9; i < j; ++i, --j) p[i] = j; })");
}
