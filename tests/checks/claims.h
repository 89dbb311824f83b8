// SPDX-License-Identifier: Apache-2.0
// The extensions and feature macros that a device or a target claims to support, each with a kernel that
// needs it. A claim that has no row here fails the tests that use this table.
#pragma once

#include <string>
#include <string_view>

namespace caldera::claims {

/// An argument that the kernel `test` takes besides its first one. The first one is 16 global ints that are
/// 0; the kernel stores 1 to the first int if the claim holds.
enum class Argument { None, Image3DWritten, DepthImage, ImageReadAndWritten, Pipes, ImageFromBuffer };

struct Claim {
    std::string_view name;
    /// Statements that make `result` 1. They may use `in`, which is 0 without any compiler knowing it, and
    /// `out`. Alternatively this is the whole program, with the kernel.
    std::string_view body;
    Argument argument = Argument::None;
    bool is_macro = true;
};

/// In OpenCL C 3.0.
constexpr Claim kClaims[] = {
    // ---- Types and conversions ----
    {"cl_khr_fp16", "half h = (half)(1 + in); result = (float)(h + 0.5h) == 1.5f;"},
    {"cl_khr_fp64", "double d = 1 + in; result = d + 0x1p-52 > d;"},
    {"__opencl_c_fp64", "double d = 1 + in; result = sqrt(d * 4) == 2;"},
    {"__opencl_c_int64", "long l = (long)(in + 3) << 40; result = l / 3 == 1L << 40;"},
    {"cles_khr_int64", "long l = (long)(in + 3) << 40; result = l / 3 == 1L << 40;"},
    {"cl_khr_byte_addressable_store",
     "global uchar *bytes = (global uchar *)(out + 2); bytes[0] = 1; bytes[1] = 2; result = out[2] == "
     "0x201;"},
    {"cl_clang_storage_class_specifiers",
     "#pragma OPENCL EXTENSION cl_clang_storage_class_specifiers : enable\n"
     "static int one(void) { return 1; } kernel void test(global int *out) { *out = one(); }"},

    // ---- Atomics ----
    {"cl_khr_global_int32_base_atomics",
     "result = atom_add(out, 5) == 0 && atom_sub(out, 4) == 5 && *out == 1;"},
    {"cl_khr_global_int32_extended_atomics",
     "result = atom_max(out, 5) == 0 && atom_and(out, 4) == 5 && *out == 4;"},
    {"cl_khr_local_int32_base_atomics",
     "local int l; l = 0; result = atom_add(&l, 5) == 0 && atom_xchg(&l, 4) == 5 && l == 4;"},
    {"cl_khr_local_int32_extended_atomics",
     "local int l; l = 0; result = atom_or(&l, 5) == 0 && atom_min(&l, 4) == 5 && l == 4;"},
    {"cl_khr_int64_base_atomics",
     "local long l; l = 0; result = atom_add(&l, 1L << 40) == 0 && atom_cmpxchg(&l, 1L << 40, 3L) == 1L << "
     "40;"},
    {"cl_khr_int64_extended_atomics",
     "local ulong l; l = 0; result = atom_max(&l, 1ul << 40) == 0 && atom_xor(&l, 1ul << 40) == 1ul << 40;"},
    {"cl_ext_float_atomics",
     "local atomic_float f; atomic_init(&f, 1); result = atomic_exchange_explicit(&f, 2.0f, "
     "memory_order_relaxed) == 1;"},
    {"__opencl_c_atomic_order_acq_rel",
     "result = atomic_fetch_add_explicit((global atomic_int *)(out + 2), 1, memory_order_acq_rel, "
     "memory_scope_work_group) == 0 && out[2] == 1;"},
    {"__opencl_c_atomic_order_seq_cst",
     "result = atomic_fetch_add((global atomic_int *)(out + 2), 1) == 0 && out[2] == 1;"},
    {"__opencl_c_atomic_scope_device",
     "result = atomic_fetch_add_explicit((global atomic_int *)(out + 2), 1, memory_order_relaxed, "
     "memory_scope_device) == 0 && out[2] == 1;"},
    {"__opencl_c_atomic_scope_all_devices",
     "result = atomic_fetch_add_explicit((global atomic_int *)(out + 2), 1, memory_order_relaxed, "
     "memory_scope_all_svm_devices) == 0 && out[2] == 1;"},
#define CALDERA_FLOAT_ATOMIC(name, space, pointer, type, function, operand, expected)               \
    {                                                                                               \
        "__opencl_c_ext_" name,                                                                     \
            "local atomic_" type " l; local int i; " pointer " p = (" pointer ")(" space            \
            "); atomic_init(p, 1); "                                                                \
            "result = " function "(p, (" type ")(" operand                                          \
            "), memory_order_relaxed, memory_scope_device) == 1 && atomic_load(p) == " expected ";" \
    }
// The global ones are behind the result.
#define CALDERA_FLOAT_ATOMICS(bits, type)                                                               \
    CALDERA_FLOAT_ATOMIC("fp" bits "_global_atomic_add", "out + 4", "global atomic_" type " *", type,   \
                         "atomic_fetch_add_explicit", "0.5f", "1.5f"),                                  \
        CALDERA_FLOAT_ATOMIC("fp" bits "_global_atomic_min_max", "out + 4", "global atomic_" type " *", \
                             type, "atomic_fetch_max_explicit", "2", "2"),                              \
        CALDERA_FLOAT_ATOMIC("fp" bits "_local_atomic_add", "&l", "local atomic_" type " *", type,      \
                             "atomic_fetch_add_explicit", "0.5f", "1.5f"),                              \
        CALDERA_FLOAT_ATOMIC("fp" bits "_local_atomic_min_max", "&l", "local atomic_" type " *", type,  \
                             "atomic_fetch_min_explicit", "-2", "-2")
    CALDERA_FLOAT_ATOMICS("32", "float"),
    CALDERA_FLOAT_ATOMICS("64", "double"),
    CALDERA_FLOAT_ATOMICS("16", "half"),
#undef CALDERA_FLOAT_ATOMICS
#undef CALDERA_FLOAT_ATOMIC
    {"__opencl_c_ext_fp16_global_atomic_load_store",
     "global atomic_half *p = (global atomic_half *)(out + 4); atomic_store_explicit(p, 2.0h, "
     "memory_order_relaxed); result = atomic_load_explicit(p, memory_order_relaxed) == 2;"},
    {"__opencl_c_ext_fp16_local_atomic_load_store",
     "local atomic_half l; atomic_store_explicit(&l, 2.0h, memory_order_relaxed); result = "
     "atomic_load_explicit(&l, memory_order_relaxed) == 2;"},

    // ---- Functions ----
    {"cl_khr_suggested_local_work_size", "result = 1;"},  // the API's: nothing in the language needs it
    {"cl_khr_async_work_group_copy_fence",
     "local int l[2]; event_t e = async_work_group_copy(l, out + 4, 2, 0); wait_group_events(1, &e); "
     "async_work_group_copy_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); e = async_work_group_copy(out "
     "+ "
     "6, l, 2, 0); wait_group_events(1, &e); result = 1 + out[6];"},
    {"cl_khr_extended_async_copies",
     "local int l[4]; out[8] = 3; out[12] = 4; barrier(CLK_GLOBAL_MEM_FENCE); event_t e = "
     "async_work_group_copy_2D2D(l, 1, out, 8, 4, 1, 2, 4, 2, 0); wait_group_events(1, &e); result = l[1] == "
     "3 "
     "&& l[3] == 4;"},
    {"cl_ext_kernel_cooperative_matrix",
     "kernel void test(global int *out) {\n"
     "float __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, 1, 1, CLK_COOPERATIVE_MATRIX_A))) "
     "a;\n"
     "float __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, 1, 1, CLK_COOPERATIVE_MATRIX_B))) "
     "b;\n"
     "float __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, 1, 1, "
     "CLK_COOPERATIVE_MATRIX_ACCUMULATOR))) c;\n"
     "a = coop_mat_init(*out + 2); b = coop_mat_init(3); c = coop_mat_init(1); c = coop_mat_mulAdd(a, b, "
     "c);\n"
     "local float results[1]; coop_mat_store(results, c, CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR, 1);\n"
     "barrier(CLK_LOCAL_MEM_FENCE); *out = results[0] == 7; }"},
    {"cl_khr_kernel_clock",
     "kernel void test(global int *out) {\n"
     "#ifdef __opencl_c_kernel_clock_scope_device\n*out = clock_read_device() + 1 != 0;\n"
     "#else\n*out = clock_read_sub_group() + 1 != 0;\n#endif\n}"},
    {"__opencl_c_kernel_clock_scope_device",
     "ulong before = clock_read_device(); uint2 after = clock_read_hilo_device(); result = as_ulong(after) - "
     "before < 1ul << 60;"},
    {"__opencl_c_kernel_clock_scope_work_group",
     "ulong before = clock_read_work_group(); uint2 after = clock_read_hilo_work_group(); result = "
     "as_ulong(after) - before < 1ul << 60;"},
    {"__opencl_c_kernel_clock_scope_sub_group",
     "ulong before = clock_read_sub_group(); uint2 after = clock_read_hilo_sub_group(); result = "
     "as_ulong(after) - before < 1ul << 60;"},
    {"cl_khr_expect_assume", "__builtin_assume(in >= 0); result = __builtin_expect(in, 0) == 0;"},
    {"cl_khr_extended_bit_ops",
     "result = bitfield_insert(0u, 5u, 4, 4) == 0x50 && bitfield_extract_signed(-1 ^ in, 3, 4) == -1 && "
     "bit_reverse(1u) == 0x80000000;"},
    {"cl_khr_integer_dot_product",
     "result = dot((char4)(1, -2, 3, -4), (char4)(5 + in)) == -10 && dot_acc_sat((uchar4)(255), "
     "(uchar4)(255), 0xffffffffu) == 0xffffffffu;"},
    {"__opencl_c_integer_dot_product_input_4x8bit",
     "result = dot((uchar4)(1, 2, 3, 4), (uchar4)(5 + in)) == 50 && dot((uchar4)(200), (char4)(-1)) == "
     "-800;"},
    {"__opencl_c_integer_dot_product_input_4x8bit_packed",
     "result = dot_4x8packed_ss_int(0xff01ff01u, 0x01010101u + in) == 0 && "
     "dot_acc_sat_4x8packed_uu_uint(0xffffffffu, 0xffffffffu, 0xffffffffu) == 0xffffffffu;"},
    {"cl_arm_integer_dot_product_int8",
     "result = arm_dot((char4)(1, -2, 3, -4), (char4)(5 + in)) == -10 && arm_dot((uchar4)(255), "
     "(uchar4)(255)) == "
     "260100;"},
    {"cl_arm_integer_dot_product_accumulate_int8",
     "result = arm_dot_acc((char4)(-128), (char4)(-128 + in), 0x7fffffff) == (int)0x8000ffff && "
     "arm_dot_acc((uchar4)(255), (uchar4)(255), 1u) == 260101;"},
    {"cl_arm_integer_dot_product_accumulate_int16",
     "result = arm_dot_acc((short2)(-300, 2), (short2)(300, 7 + in), 1) == -89985 && "
     "arm_dot_acc((ushort2)(65535), (ushort2)(65535), 3u) == 0xfffc0005u;"},
    {"cl_arm_integer_dot_product_accumulate_saturate_int8",
     "result = arm_dot_acc_sat((char4)(-128), (char4)(-128 + in), 0x7fffffff) == 0x7fffffff && "
     "arm_dot_acc_sat((uchar4)(255), (uchar4)(255), 0xffffffffu) == 0xffffffffu;"},
    {"__opencl_c_work_group_collective_functions",
     "result = work_group_reduce_add(1) == (int)get_local_size(0);"},

    {"cl_khr_work_group_uniform_arithmetic",
     "result = work_group_reduce_mul(1) == 1 && work_group_reduce_and(3) == 3 && "
     "work_group_scan_inclusive_or(1u) == 1 && work_group_scan_exclusive_logical_and(1) != 0;"},

    // ---- Sub-groups ----
    {"cl_khr_subgroups", "result = sub_group_reduce_add(1) == (int)get_sub_group_size();"},
    {"__opencl_c_subgroups", "result = sub_group_broadcast((int)get_sub_group_local_id() + 1, 0);"},
    {"cl_khr_subgroup_ballot",
     "result = sub_group_ballot_bit_count(sub_group_ballot(1)) == get_sub_group_size();"},
    {"cl_khr_subgroup_clustered_reduce", "result = sub_group_clustered_reduce_add(1, 1);"},
    {"cl_khr_subgroup_extended_types",
     "result = sub_group_broadcast((char4)(1, 2, 3, 4), 0).w == 4 && "
     "sub_group_reduce_max((short)get_sub_group_local_id()) == (short)(get_sub_group_size() - 1);"},
    {"cl_khr_subgroup_non_uniform_arithmetic",
     "int all = sub_group_non_uniform_reduce_add(1); result = all == (int)get_sub_group_size();"},
    {"cl_khr_subgroup_non_uniform_vote",
     "result = sub_group_non_uniform_all(1) && !sub_group_non_uniform_any(0);"},
    {"cl_khr_subgroup_rotate",
     "result = sub_group_rotate((int)get_sub_group_local_id(), (int)get_sub_group_size()) == "
     "(int)get_sub_group_local_id();"},
    {"cl_khr_subgroup_shuffle", "result = sub_group_shuffle((int)get_sub_group_local_id() + 1, 0);"},
    {"cl_khr_subgroup_shuffle_relative",
     "result = sub_group_shuffle_up((int)get_sub_group_local_id() + 1, 0) == (int)get_sub_group_local_id() + "
     "1;"},
    // Intel's and AMD's devices have this size.
    {"cl_intel_required_subgroup_size",
     "__attribute__((intel_reqd_sub_group_size(32))) kernel void test(global int *out) { *out = "
     "get_max_sub_group_size() == 32; }"},
    {"cl_intel_bfloat16_conversions",
     "result = intel_convert_bfloat16_as_ushort(in + 1.0f) == 0x3f80 && "
     "intel_convert_as_bfloat162_float2((ushort2)(0x4000, in)).x == 2;"},
    {"cl_intel_subgroups", "result = intel_sub_group_shuffle((int)get_sub_group_local_id() + 1, 0);"},
    {"cl_intel_subgroups_char",
     "result = intel_sub_group_shuffle((char)(get_sub_group_local_id() + 1), 0) == 1 && "
     "intel_sub_group_reduce_min((uchar)(5 + get_sub_group_local_id())) == 5;"},
    {"cl_intel_subgroups_long",
     "ulong both = 0; if (get_max_sub_group_size() <= 8) both = intel_sub_group_block_read_ul((global ulong "
     "*)out);"
     "result = in == 0 || both == 0;"},
    {"cl_intel_subgroup_local_block_io",
     "local uint moved[128]; for (uint i = 0; i < 128; ++i) moved[i] = 0; "
     "intel_sub_group_block_write(moved, get_sub_group_local_id() + 1); "
     "result = moved[0] == 1 && intel_sub_group_block_read(moved) == get_sub_group_local_id() + 1;"},
    {"cl_intel_subgroups_short",
     "result = intel_sub_group_shuffle((short)(get_sub_group_local_id() + 1), 0);"},

    // ---- Memory ----
    {"__opencl_c_generic_address_space",
     "int p = 1; local int l; l = 1; int *either = *out == 0 ? &p : (int *)&l; result = *either;"},
    {"__opencl_c_program_scope_global_variables",
     "global int one = 1; kernel void test(global int *out) { *out = one; }"},
    {"__opencl_c_pipes",
     "kernel void test(global int *out, write_only pipe int to) { int one = 1; *out = write_pipe(to, &one) "
     "== 0; }",
     Argument::Pipes},
    {"__opencl_c_device_enqueue",
     "kernel void test(global int *out) { *out = get_kernel_work_group_size(^{ *out = 2; }) > 0; }"},

    // ---- Images ----
    {"__opencl_c_images",
     "kernel void test(global int *out, read_only image2d_t image) { *out = get_image_width(image) == 4; }",
     Argument::ImageFromBuffer},
    {"cl_khr_image2d_from_buffer",
     "kernel void test(global int *out, read_only image2d_t image) { *out = read_imageui(image, (int2)(1, "
     "1)).x == 21; }",
     Argument::ImageFromBuffer, /*is_macro=*/false},
    {"__opencl_c_ext_image_unorm_int_2_101010",
     "kernel void test(global int *out, read_only image2d_t image) { *out = "
     "get_image_channel_data_type(image) != CLK_UNORM_INT_2_101010_EXT && CLK_UNORM_INT_2_101010_EXT == "
     "0x10e5; }",
     Argument::ImageFromBuffer},
    {"__opencl_c_ext_image_raw10_raw12",
     "kernel void test(global int *out, read_only image2d_t image) { int type = "
     "get_image_channel_data_type(image); *out = type != CLK_UNSIGNED_INT_RAW10_EXT && type != "
     "CLK_UNSIGNED_INT_RAW12_EXT && CLK_UNSIGNED_INT_RAW10_EXT == 0x10e3 && CLK_UNSIGNED_INT_RAW12_EXT == "
     "0x10e4; }",
     Argument::ImageFromBuffer},
    {"cl_khr_3d_image_writes",
     "kernel void test(global int *out, write_only image3d_t image) { write_imageui(image, (int4)(1, 1, 1, "
     "0), (uint4)(1)); *out = 1; }",
     Argument::Image3DWritten},
    {"__opencl_c_3d_image_writes",
     "kernel void test(global int *out, write_only image3d_t image) { write_imageui(image, (int4)(1, 1, 1, "
     "0), (uint4)(1)); *out = 1; }",
     Argument::Image3DWritten},
    {"__opencl_c_read_write_images",
     "kernel void test(global int *out, read_write image2d_t image) { write_imageui(image, (int2)(1, 1), "
     "(uint4)(7)); *out = read_imageui(image, (int2)(1, 1)).x == 7; }",
     Argument::ImageReadAndWritten},
    {"cl_khr_depth_images",
     "kernel void test(global int *out, read_only image2d_depth_t image) { *out = read_imagef(image, "
     "(int2)(1, 1)) == 0.5f; }",
     Argument::DepthImage},
    {"cl_khr_mipmap_image",
     "kernel void test(global int *out, read_only image2d_t image) { const sampler_t s = "
     "CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST; *out = "
     "get_image_num_mip_levels(image) == 1 && read_imageui(image, s, (float2)(0.3f, 0.3f), 2.0f).x == 21; }",
     Argument::ImageFromBuffer},
    {"cl_khr_mipmap_image_writes",
     "kernel void test(global int *out, write_only image2d_t image) { write_imageui(image, (int2)(1, 1), 0, "
     "(uint4)(1)); *out = 1; }",
     Argument::ImageReadAndWritten},
    {"cl_khr_gl_msaa_sharing",
     "kernel void test(global int *out, read_only image2d_msaa_t image) { *out = "
     "get_image_num_samples(image) > 0; }",
     Argument::ImageFromBuffer},
    {"cl_khr_srgb_image_writes",
     "kernel void test(global int *out, write_only image2d_t image) { write_imagef(image, (int2)(1, 1), "
     "(float4)(1)); *out = 1; }",
     Argument::ImageReadAndWritten},
};

/// The claim's program: it has the macro, or is an error.
inline std::string source(const Claim& claim) {
    const std::string name(claim.name);
    std::string text;
    if (claim.is_macro) text = "#ifndef " + name + "\n#error \"" + name + " is no macro\"\n#endif\n";
    for (const char* extension : {"cl_khr_fp16", "cl_khr_fp64"})
        text += "#ifdef " + std::string(extension) + "\n#pragma OPENCL EXTENSION " + extension +
                " : enable\n#endif\n";
    if (claim.body.find("kernel void test") != std::string_view::npos)
        return text + std::string(claim.body) + "\n";
    return text + "kernel void test(global int *out) {\nint in = out[1], result = 0;\n" +
           std::string(claim.body) + "\nif (get_global_id(0) == 0 && result != 0) *out = result;\n}\n";
}

}  // namespace caldera::claims
