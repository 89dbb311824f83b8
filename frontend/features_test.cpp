// SPDX-License-Identifier: Apache-2.0
#include "frontend/features.h"

#include <doctest/doctest.h>

using namespace caldera::frontend;

namespace {

ExtSet changed(std::string_view list) {
    ExtSet set = ExtSet::all();
    CHECK(change_extensions(list, set).empty());
    return set;
}

}  // namespace

TEST_CASE("what a standard has does not depend on the device, what it offers does") {
    Features bare = {.device = {}};
    auto has = [&](Standard standard, Ext e) {
        bare.standard = standard;
        return bare.has(e);
    };
    using enum Standard;
    CHECK(!has(CL10, Ext::ByteAddressableStore));
    CHECK(has(CL11, Ext::ByteAddressableStore));
    CHECK(!has(CL12, Ext::GenericAddressSpace));
    CHECK(has(CL20, Ext::GenericAddressSpace));
    CHECK(!has(CL30, Ext::GenericAddressSpace));
    CHECK(has(CL12, Ext::Images));
    CHECK(!has(CL30, Ext::Images));
    CHECK(!has(CL20, Ext::Fp64));
    CHECK(!has(CL30, Ext::SubgroupShuffle));
    CHECK(has(CL31, Ext::SubgroupShuffle));
    CHECK(!has(CL31, Ext::SubgroupBallot));
    Features full = {.standard = CL12};
    CHECK(full.has(Ext::Fp64));
    CHECK(!full.has(Ext::Subgroups));  // an extension of 2.0
    CHECK(!full.has(Ext::FeatureFp64));
    CHECK(full.has(Ext::Images));
    CHECK(!full.shows(Ext::Images));  // __opencl_c_images came with 2.0's header
    full.standard = CL20;
    CHECK(full.shows(Ext::Images));
}

TEST_CASE("a row of several is on with any of them") {
    Features features = {.standard = Standard::CL20};
    CHECK(features.has(Ext::SubgroupFunctions));
    features.device = changed("-cl_khr_subgroups");
    CHECK(features.has(Ext::SubgroupFunctions));  // cl_intel_subgroups
    features.device = changed("-cl_khr_subgroups,-cl_intel_subgroups");
    CHECK(features.has(Ext::SubgroupFunctions));  // __opencl_c_subgroups
    features.device = changed("-cl_khr_subgroups,-cl_intel_subgroups,-__opencl_c_subgroups");
    CHECK(!features.has(Ext::SubgroupFunctions));
}

TEST_CASE("programs that want an extension's functions are served without its promises") {
    Features features = {.standard = Standard::CL20, .device = changed("-cl_khr_subgroups")};
    CHECK(!features.has(Ext::Subgroups));
    CHECK(!features.shows(Ext::Subgroups));
    CHECK(features.serves(Ext::Subgroups));
    features.standard = Standard::CL12;  // which does not speak of it
    CHECK(!features.serves(Ext::Subgroups));
    features = {.standard = Standard::CL20, .device = {}};
    CHECK(!features.serves(Ext::Subgroups));
}

TEST_CASE("a device has OpenCL C 3.1 only with all that 3.1 made core") {
    CHECK(lacks(ExtSet::all(), Standard::CL31).empty());
    CHECK(lacks(changed("-cl_khr_subgroup_ballot,-cl_khr_fp64"), Standard::CL31).empty());
    for (const char* const name :
         {"-cl_khr_extended_bit_ops", "-cl_khr_integer_dot_product", "-cl_khr_subgroup_extended_types",
          "-cl_khr_subgroup_rotate", "-cl_khr_subgroup_shuffle", "-cl_khr_subgroup_shuffle_relative",
          "-__opencl_c_subgroups", "-__opencl_c_integer_dot_product_input_4x8bit_packed"}) {
        CHECK(lacks(changed(name), Standard::CL31) == name + 1);
        CHECK(lacks(changed(name), Standard::CL30).empty());
    }
}

TEST_CASE("-cl-ext: in order, unknown names ignored, a sign before each") {
    CHECK(changed("-all,+cl_khr_fp64").has(Ext::Fp64));
    CHECK(!changed("-all,+cl_khr_fp64").has(Ext::Fp16));
    CHECK(!changed("+cl_khr_fp64,-all").has(Ext::Fp64));
    CHECK(changed("+cl_vendor_magic") == ExtSet::all());
    ExtSet set;
    CHECK(change_extensions("+cl_khr_fp16,cl_khr_fp64", set) == "cl_khr_fp64");
    CHECK(change_extensions("+", set) == "+");
    CHECK(change_extensions("+all,,", set) == ",");
}

TEST_CASE("-cl-ext: unknown names, and which of them are misspelt") {
    using Names = std::vector<std::string_view>;
    CHECK(unknown_extensions("+all,-cl_khr_fp64,+cl_kr_fp64,+cl_vendor_magic") ==
          Names{"cl_kr_fp64", "cl_vendor_magic"});
    CHECK(unknown_extensions("-cl_kr_fp64,-cl_vendor_magic").empty());
    CHECK(nearest_extension("cl_kr_fp64") == "cl_khr_fp64");
    CHECK(nearest_extension("cl_khr_fp61") == "cl_khr_fp64");
    CHECK(nearest_extension("cl_khr_subgroup_balot") == "cl_khr_subgroup_ballot");
    CHECK(nearest_extension("cl_khr_int64_base_atomic") == "cl_khr_int64_base_atomics");
    CHECK(nearest_extension("__opencl_c_generic_adress_space") == "__opencl_c_generic_address_space");
    CHECK(nearest_extension("cl_vendor_magic").empty());
}

TEST_CASE("-cl-ext: names of host extensions and of other vendors are not misspelt") {
    constexpr std::string_view kOthers[] = {
        "cl_altera_compiler_mode",
        "cl_amd_fp64",
        "cl_amd_media_ops",
        "cl_amd_media_ops2",
        "cl_amd_printf",
        "cl_arm_printf",
        "cl_arm_thread_limit_hint",
        "cl_ext_fp16",
        "cl_ext_image_from_buffer",
        "cl_ext_image_raw10_raw12",
        "cl_ext_image_unorm_int_2_101010",
        "cl_img_mem_properties",
        "cl_intel_accelerator",
        "cl_intel_packed_yuv",
        "cl_intel_planar_yuv",
        "cl_intel_spirv_subgroups",
        "cl_intel_subgroup_local_block_io",
        "cl_intel_subgroups_int",
        "cl_intel_unified_shared_memory",
        "cl_khr_command_buffer",
        "cl_khr_create_command_queue",
        "cl_khr_d3d10_sharing",
        "cl_khr_d3d11_sharing",
        "cl_khr_device_uuid",
        "cl_khr_dx9_media_sharing",
        "cl_khr_egl_event",
        "cl_khr_egl_image",
        "cl_khr_extended_versioning",
        "cl_khr_external_memory",
        "cl_khr_external_semaphore",
        "cl_khr_gl_depth_images",
        "cl_khr_gl_event",
        "cl_khr_gl_sharing",
        "cl_khr_icd",
        "cl_khr_il_program",
        "cl_khr_image2d_from_buffer",
        "cl_khr_initialize_memory",
        "cl_khr_pci_bus_info",
        "cl_khr_priority_hints",
        "cl_khr_select_fprounding_mode",
        "cl_khr_semaphore",
        "cl_khr_spir",
        "cl_khr_subgroup_clock",
        "cl_khr_subgroup_named_barrier",
        "cl_khr_terminate_context",
        "cl_khr_throttle_hints",
        "cl_khr_unified_svm",
        "cl_nv_compiler_options",
        "cl_nv_fp16",
        "cl_nv_pragma_unroll",
        "cl_qcom_perf_hint",
        "cl_qcom_subgroup_shuffle",
    };
    for (const std::string_view name : kOthers) {
        CAPTURE(name);
        CHECK(nearest_extension(name).empty());
    }
}

TEST_CASE("OpenCL C 3.0 6.2.1: features and extensions that go together") {
    auto faults = [](std::string_view list, Standard standard = Standard::CL30) {
        std::string text;
        for (const std::string& fault : contradictions({.standard = standard, .device = changed(list)}))
            text += fault + "\n";
        return text;
    };
    CHECK(faults("+all").empty());
    CHECK(faults("-all").empty());
    CHECK(faults("-cl_khr_fp64") == "options cl_khr_fp64 and __opencl_c_fp64 are set to different values\n");
    CHECK(faults("-cl_khr_fp64", Standard::CL20).empty());
    CHECK(faults("-cl_khr_3d_image_writes,-__opencl_c_images") ==
          "feature __opencl_c_read_write_images requires support of __opencl_c_images feature\n"
          "feature __opencl_c_3d_image_writes requires support of __opencl_c_images feature\n"
          "options cl_khr_3d_image_writes and __opencl_c_3d_image_writes are set to different values\n");
    CHECK(faults("-__opencl_c_generic_address_space,-__opencl_c_pipes") ==
          "feature __opencl_c_device_enqueue requires support of __opencl_c_generic_address_space feature\n");
    CHECK(faults("-__opencl_c_program_scope_global_variables") ==
          "feature __opencl_c_device_enqueue requires support of __opencl_c_program_scope_global_variables "
          "feature\n");
}
