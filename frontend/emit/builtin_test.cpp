// SPDX-License-Identifier: Apache-2.0
#include "frontend/emit/emit_fixture.h"

using namespace caldera::frontend;

TEST_CASE("work-item functions load Input variables") {
    const std::string text = assembly(R"(kernel void k(global ulong *p, uint d) {
        p[get_global_id(0)] = get_local_id(1) + get_global_size(d) + get_work_dim() + get_num_groups(7); })");
    check_lines(text, {"OpEntryPoint Kernel %k \"k\" %", "BuiltIn GlobalInvocationId", "OpLoad %v3ulong",
                       "OpCompositeExtract", "OpULessThan", "OpVectorExtractDynamic", "OpSelect %ulong"});
}

TEST_CASE("math functions are OpenCL.std instructions; scalars beside vectors are splatted") {
    const std::string text =
        assembly(R"(kernel void k(global float4 *v, global float *f, global int4 *i, global uint *u) {
        v[0] = sin(v[1]); v[2] = fmax(v[3], 0.5f); v[4] = clamp(v[5], 0.0f, f[0]); i[0] = abs_diff(i[1], i[2]) == 0;
        u[0] = max(u[1], u[2]); i[1] = max(i[2], i[3]); f[1] = fract(f[2], f + 3); v[6] = ldexp(v[7], 3);
        f[4] = dot(v[0], v[1]); f[5] = dot(f[6], f[7]); v[8] = mix(v[0], v[1], f[0]); v[9] = cross(v[0], v[1]);
        f[8] = length(v[0]); v[10] = fma(v[0], v[1], v[2]); f[9] = native_sin(f[9]); u[3] = rotate(u[4], 3u); })");
    check_lines(text, {" sin ", " fmax ", " fclamp ", " s_abs_diff ", " u_max ", " s_max ", " fract ",
                       " ldexp ", "OpDot", "OpFMul %float", " mix ", " cross ", " length ", " fma ",
                       " native_sin ", " rotate "});
}

TEST_CASE("conversions") {
    const std::string text =
        assembly(R"(kernel void k(global float4 *f, global uchar4 *u, global int4 *i, global double *d) {
        u[0] = convert_uchar4_sat(f[0]); f[1] = convert_float4_rtz(i[0]); i[1] = convert_int4_rte(f[2]);
        u[1] = convert_uchar4_sat(i[2]); i[3] = convert_int4(u[2]); f[3] = convert_float4(f[4]); f[5].x = convert_float_rtp(d[0]);
        i[4] = as_int4(f[6]); f[7] = as_float4(i[5]); f[8].xyz = as_float3(i[6]); i[7] = as_int4(f[9].xyz); u[3] = as_uchar4(i[0].x); })");
    check_lines(text,
                {"SaturatedConversion", "FPRoundingMode RTZ", "FPRoundingMode RTE", "FPRoundingMode RTP",
                 "OpConvertFToU", "OpConvertSToF", "OpSatConvertSToU", "OpUConvert", "OpBitcast %v4uint"});
}

TEST_CASE("relational functions and select") {
    const std::string text =
        assembly(R"(kernel void k(global float4 *f, global int4 *i, global int *n, float a) {
        i[0] = isless(f[0], f[1]); n[0] = isnan(a); n[1] = any(i[1]) + all(i[2]) + any(n[2]); f[2] = select(f[3], f[4], i[3]);
        n[3] = select(n[4], n[5], n[6]); f[5] = bitselect(f[6], f[7], f[8]); n[7] = signbit(a); i[4] = isequal(f[0], f[1]); })");
    check_lines(
        text, {"OpFOrdLessThan %v4bool", "OpSelect %v4uint", "OpIsNan", "OpAny", "OpAll",
               "OpSLessThan %v4bool", "OpSelect %v4float", "OpSelect %uint", " bitselect ", "OpSignBitSet"});
}

TEST_CASE("vload and vstore") {
    const std::string text = assembly(R"(kernel void k(global float *f, global half *h, local uchar *u) {
        vstore4(vload4(1, f), 2, f); vstore3(vload3(0, u), 1, u); f[0] = vload_half(3, h); vstore_half(f[1], 4, h);
        vstore_half_rtz(f[1], 4, h); vstore_half4_rte(vload_half4(0, h), 1, h); vstorea_half3(vloada_half3(0, h), 1, h); })");
    check_lines(
        text, {"vloadn", " 4", "vstoren", "vloadn", " 3", "vload_half", "vstore_half", "vstore_half_r", "RTZ",
               "vload_halfn", "vstore_halfn_r", "RTE", "vloada_halfn", "vstorea_halfn"});
    check_absent(text, "OpCapability Float16\n");
}

TEST_CASE("barriers, fences and atomics") {
    const std::string text = assembly(R"(kernel void k(global int *p, local uint *l, global float *f) {
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_add(p, 3); atomic_inc(l); p[1] = atomic_cmpxchg(p, 1, 2); atomic_min(l, 4u); atomic_max(p, 4); atomic_xchg(f, 1.0f);
        atom_or(p, 5); })");
    check_lines(text, {"OpControlBarrier %uint_2 %uint_2 %uint_784", "OpMemoryBarrier", "OpAtomicIAdd",
                       "OpAtomicIIncrement", "OpAtomicCompareExchange", "%uint_2 %uint_1", "OpAtomicUMin",
                       "OpAtomicSMax", "OpAtomicExchange %float", "OpAtomicOr"});
}

TEST_CASE("atomics and group functions of OpenCL C 2.0") {
    const std::string text = assembly(
        R"(kernel void k(global atomic_int *a, global int *p, local atomic_uint *l, global atomic_float *f) {
        atomic_init(a, 3); p[0] = atomic_load(a); atomic_store_explicit(a, 4, memory_order_release, memory_scope_work_group);
        p[1] = atomic_fetch_add_explicit(a, 2, memory_order_relaxed); p[2] = atomic_fetch_max(l, 7u);
        int expected = 3; if (atomic_compare_exchange_strong(a, &expected, 4)) p[3] = expected; atomic_exchange(f, 2.0f);
        work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_device); p[4] = work_group_reduce_add(p[5]);
        p[6] = work_group_all(p[7]); p[8] = work_group_scan_exclusive_max(p[9]); p[10] = work_group_broadcast(p[11], 0, 1);
        atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device); })",
        standard(Standard::CL20));
    check_lines(text, {"OpAtomicLoad", "OpAtomicStore", "OpAtomicIAdd", "OpAtomicUMax",
                       "OpAtomicCompareExchange", "OpAtomicExchange", "OpControlBarrier %uint_2 %uint_1",
                       "OpGroupIAdd", "OpGroupAll", "OpGroupSMax", "OpGroupBroadcast", "OpMemoryBarrier"});
}

TEST_CASE("shuffles, async copies, printf") {
    const std::string text =
        assembly(R"(kernel void k(global float4 *v, global int *g, local int *l, uint4 m) {
        v[0] = shuffle(v[1], m); v[2] = shuffle2(v[3], v[4], (uint4)(0, 5, 2, 7));
        event_t e = async_work_group_copy(l, g, 16, 0); e = async_work_group_strided_copy(g, l, 4, 2, e); wait_group_events(1, &e);
        prefetch(g, 4); printf("%d %f\n", g[0], v[0].x); })");
    check_lines(text, {" shuffle ", " shuffle2 ", "OpGroupAsyncCopy", "OpGroupAsyncCopy", "OpGroupWaitEvents",
                       " prefetch ", " printf "});
}
