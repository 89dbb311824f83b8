// SPDX-License-Identifier: Apache-2.0
// The macros of each standard, and the list of them.
#include <doctest/doctest.h>

#include <sstream>

#include "frontend/preprocess/preprocess_fixture.h"

using namespace caldera::frontend;

namespace {

/// Which of the names are no macros.
std::string undefined(std::string_view names, CompileOptions options) {
    std::string source;
    std::istringstream words{std::string(names)};
    for (std::string name; words >> name;) source += "#ifndef " + name + "\n" + name + "\n#endif\n";
    return preprocess_text(source, std::move(options)).text;
}

constexpr std::string_view kEverywhere =
    "__OPENCL_VERSION__ __OPENCL_C_VERSION__ CL_VERSION_1_0 CL_VERSION_1_1 CL_VERSION_1_2 CL_VERSION_2_0 "
    "CL_VERSION_3_0 __ENDIAN_LITTLE__ __IMAGE_SUPPORT__ NULL __kernel_exec kernel_exec __opencl_c_int64 "
    "cl_khr_byte_addressable_store cl_khr_fp16 cl_khr_fp64 cl_khr_global_int32_base_atomics "
    "cl_khr_global_int32_extended_atomics cl_khr_local_int32_base_atomics "
    "cl_khr_local_int32_extended_atomics cl_khr_int64_base_atomics cl_khr_int64_extended_atomics "
    "cl_khr_3d_image_writes cl_khr_expect_assume cl_khr_suggested_local_work_size "
    "cl_clang_storage_class_specifiers __SPIR__ __SPIR64__ __INT64_TYPE__ __FLT_MAX__ __UINT32_MAX__ "
    "__SIZE_WIDTH__ CLK_ADDRESS_MIRRORED_REPEAT CLK_Rx";
constexpr std::string_view kSince12 =
    "cles_khr_int64 cl_khr_depth_images cl_khr_gl_msaa_sharing cl_intel_required_subgroup_size "
    "cl_intel_subgroups cl_intel_subgroups_short __opencl_subgroup_builtins "
    // clang: from 2.0 on
    "cl_khr_extended_bit_ops cl_khr_integer_dot_product __opencl_c_integer_dot_product_input_4x8bit "
    "__opencl_c_integer_dot_product_input_4x8bit_packed "
    "__opencl_c_ext_image_unorm_int_2_101010 CLK_UNORM_INT_2_101010_EXT "
    "__opencl_c_ext_image_raw10_raw12 CLK_UNSIGNED_INT_RAW10_EXT CLK_UNSIGNED_INT_RAW12_EXT";
constexpr std::string_view kSince20 =
    "__opencl_c_images __opencl_c_read_write_images __opencl_c_atomic_order_acq_rel "
    "__opencl_c_atomic_order_seq_cst __opencl_c_atomic_scope_device __opencl_c_atomic_scope_all_devices "
    "__opencl_c_device_enqueue __opencl_c_generic_address_space __opencl_c_pipes "
    "__opencl_c_program_scope_global_variables __opencl_c_work_group_collective_functions "
    "__opencl_c_ext_fp16_global_atomic_add __opencl_c_ext_fp16_local_atomic_load_store "
    "__opencl_c_ext_fp32_global_atomic_min_max __opencl_c_ext_fp64_local_atomic_add cl_ext_float_atomics "
    "cl_khr_mipmap_image cl_khr_mipmap_image_writes "
    "cl_khr_srgb_image_writes cl_khr_subgroup_ballot cl_khr_subgroup_clustered_reduce "
    "cl_khr_subgroup_extended_types cl_khr_subgroup_non_uniform_arithmetic cl_khr_subgroup_non_uniform_vote "
    "cl_khr_subgroup_rotate cl_khr_subgroup_shuffle cl_khr_subgroup_shuffle_relative cl_khr_subgroups "
    "__opencl_c_subgroups "  // clang: from 3.0 on
    "ATOMIC_VAR_INIT ATOMIC_FLAG_INIT CLK_IMAGE_MEM_FENCE CLK_sRGB CLK_ABGR MAX_WORK_DIM __BLOCKS__";
constexpr std::string_view kSince30 = "__opencl_c_3d_image_writes __opencl_c_fp64";

std::string lines(std::string_view names) {
    std::string text;
    std::istringstream words{std::string(names)};
    for (std::string name; words >> name;) text += (text.empty() ? "" : "\n") + name;
    return text;
}

}  // namespace

TEST_CASE("the macros that clang 15 has in each standard") {
    for (Standard standard :
         {Standard::CL10, Standard::CL11, Standard::CL12, Standard::CL20, Standard::CL30, Standard::CL31})
        CHECK(undefined(kEverywhere, {.standard = standard}).empty());
    CHECK(undefined(kSince12, {.standard = Standard::CL10}) == lines(kSince12));
    CHECK(undefined(kSince12, {.standard = Standard::CL12}).empty());
    CHECK(undefined(kSince20, {.standard = Standard::CL12}) == lines(kSince20));
    CHECK(undefined(kSince20, {.standard = Standard::CL20}).empty());
    CHECK(undefined(kSince20, {.standard = Standard::CL30}).empty());
    CHECK(undefined(kSince30, {.standard = Standard::CL20}) == lines(kSince30));
    CHECK(undefined(kSince30, {.standard = Standard::CL30}).empty());
}

TEST_CASE("OpenCL C 3.1: its number, and the macros of what it made core") {
    CHECK(
        undefined(std::string(kSince30) + " " + std::string(kSince20), {.standard = Standard::CL31}).empty());
    CHECK(undefined("cl_khr_extended_bit_ops cl_khr_integer_dot_product cl_khr_subgroup_extended_types "
                    "cl_khr_subgroup_rotate cl_khr_subgroup_shuffle cl_khr_subgroup_shuffle_relative "
                    "__opencl_c_subgroups __opencl_c_integer_dot_product_input_4x8bit_packed",
                    {.standard = Standard::CL31, .extensions = {}})
              .empty());
}

TEST_CASE("what the device lacks is no macro; what the standard has is one on any device") {
    CHECK(undefined("cl_khr_fp64 M_PI __DBL_MAX__ cl_khr_byte_addressable_store", {.extensions = {}}) ==
          "cl_khr_fp64\nM_PI\n__DBL_MAX__");
    CHECK(undefined("__opencl_c_pipes __opencl_c_images cl_khr_subgroups",
                    {.standard = Standard::CL20, .extensions = {}}) == "cl_khr_subgroups");
    CHECK(undefined("__opencl_c_pipes __IMAGE_SUPPORT__ __BLOCKS__ __opencl_c_int64",
                    {.standard = Standard::CL30, .extensions = {}}) ==
          "__opencl_c_pipes\n__IMAGE_SUPPORT__\n__BLOCKS__");
}

TEST_CASE("-D and -U in their order") {
    CompileOptions options;
    options.macros = {{.name = "A", .text = "1"},      {.name = "A", .undefine = true},
                      {.name = "A", .text = "2"},      {.name = "B", .text = "1"},
                      {.name = "B", .undefine = true}, {.name = "NULL", .undefine = true}};
    CHECK(preprocess_text("A B NULL", options).text == "2 B NULL");
}
