// SPDX-License-Identifier: Apache-2.0
#include "vulkan/device_profile_json.h"
#include "tests/support/why.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "vulkan/known_drivers.h"
#include "vulkan/runtime/device.h"
#include "vulkan/runtime/open_device.h"

namespace caldera::vulkan {
namespace {

DeviceProfile profile_of(const std::string& json) {
    Result<DeviceProfile> profile = profile_from_json(json);
    REQUIRE_MESSAGE(static_cast<bool>(profile), why(profile));
    return profile.take();
}
std::string fault(const std::string& json) {
    Result<DeviceProfile> profile = profile_from_json(json);
    return profile ? "" : profile.error().message;
}

constexpr const char* kSmall = R"({
  "capabilities": {
    "one": {"features": {"VkPhysicalDeviceFeatures": {"shaderInt16": true, "shaderInt64": false},
                         "VkPhysicalDevice8BitStorageFeaturesKHR": {"storageBuffer8BitAccess": true}}},
    "two": {"features": {"VkPhysicalDeviceVulkan12Features": {"bufferDeviceAddress": true, "shaderInt8": 1}},
            "properties": {
              "VkPhysicalDeviceProperties": {"limits": {"maxPushConstantsSize": 256, "maxComputeWorkGroupInvocations": 1024,
                                                        "maxComputeWorkGroupSize": [512, 256, 64]}},
              "VkPhysicalDeviceVulkan12Properties": {
                "denormBehaviorIndependence": "VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_32_BIT_ONLY",
                "roundingModeIndependence": "VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE",
                "shaderDenormPreserveFloat16": true, "shaderDenormPreserveFloat32": true,
                "shaderRoundingModeRTEFloat32": true}}}
  },
  "profiles": {"VP_small": {"version": 1, "api-version": "1.2.170", "label": "small device", "capabilities": ["one", "two"]}}
})";

TEST_CASE("a feature counts where one structure has it, but not another extension's of that name") {
    CHECK(profile_of(
              R"({"VkPhysicalDeviceProperties": {}, "VkPhysicalDeviceVulkan12Features": {"shaderInt8": false},
                         "VkPhysicalDeviceShaderFloat16Int8FeaturesKHR": {"shaderInt8": true}})")
              .int8);
    CHECK(!profile_of(R"({"VkPhysicalDeviceProperties": {},
                          "VkPhysicalDeviceBufferDeviceAddressFeaturesEXT": {"bufferDeviceAddress": true}})")
               .buffer_device_address);
    CHECK(profile_of(R"({"VkPhysicalDeviceProperties": {},
                         "VkPhysicalDeviceBufferDeviceAddressFeaturesKHR": {"bufferDeviceAddress": true}})")
              .buffer_device_address);
}

TEST_CASE("a profile names features in structures of core versions and of extensions, in several blocks") {
    const DeviceProfile profile = profile_of(kSmall);
    CHECK(profile.name == "small device");
    CHECK(profile.api_version_major == 1);
    CHECK(profile.api_version_minor == 2);
    CHECK(profile.int16);
    CHECK(!profile.int64);
    CHECK(profile.int8);
    CHECK(profile.storage_8bit);
    CHECK(profile.buffer_device_address);
    CHECK(!profile.vulkan_memory_model);  // not named
    CHECK(!profile.float_controls2);
    CHECK(!profile.fused_fma);
    CHECK(profile.max_push_constants_bytes == 256);
    CHECK(profile.max_local_size == std::array<uint32_t, 3>{512, 256, 64});
    CHECK(profile.max_local_invocations == 512);  // 1024 of them fit only in two dimensions
    CHECK(profile.max_local_bytes == 16384);      // the least that Vulkan allows
    CHECK(!profile.subgroups);                    // not named
    CHECK(!profile.linear_subgroups);
    CHECK(profile.float32_controls.preserve_denormals);
    CHECK(!profile.float16_controls.preserve_denormals);     // has to do as float64 does, which lacks it
    CHECK(!profile.float32_controls.round_to_nearest_even);  // all have to agree
}

TEST_CASE("a structure may be spread over blocks, and other profiles of the file promise nothing") {
    const std::string blocks = R"({"capabilities": {
        "a": {"features": {"VkPhysicalDeviceFeatures": {"shaderInt16": true}},
              "properties": {"VkPhysicalDeviceProperties": {"limits": {"maxPushConstantsSize": 256}}}},
        "b": {"features": {"VkPhysicalDeviceFeatures": {"shaderInt64": true}},
              "properties": {"VkPhysicalDeviceProperties": {"limits": {"maxComputeSharedMemorySize": 32768}}}},
        "c": {"features": {"VkPhysicalDeviceFeatures": {"shaderFloat64": true}}}},
        "profiles": )";
    const DeviceProfile both = profile_of(blocks + R"({"VP_x_2022": {"capabilities": ["a", "b"]}}})");
    CHECK(both.int16);
    CHECK(both.int64);
    CHECK(!both.float64);
    CHECK(both.max_push_constants_bytes == 256);
    CHECK(both.max_local_bytes == 32768);
    const DeviceProfile first = profile_of(blocks + R"({
        "VP_x_2022": {"capabilities": ["a", ["b", "c"]]}, "VP_x_2024": {"capabilities": ["a", "b", "c"]}}})");
    CHECK(first.int16);
    CHECK(!first.int64);
    const DeviceProfile required = profile_of(blocks + R"({
        "VP_x_2024": {"capabilities": ["c"], "required-profiles": ["VP_x_base", "VP_y"]},
        "VP_x_base": {"capabilities": ["a"], "required-profiles": ["VP_x_2024"]}}})");
    CHECK(required.int16);
    CHECK(!required.int64);
    CHECK(required.float64);
    CHECK(profile_of(blocks + "{}}").float64);  // no profile chooses
}

TEST_CASE("numbers that no device has") {
    const DeviceProfile large = profile_of(
        R"({"VkPhysicalDeviceProperties": {"limits": {"maxComputeSharedMemorySize": 4294967296,
                "maxComputeWorkGroupSize": [4294967296, 1, 1], "maxPushConstantsSize": 8589934592,
                "maxComputeWorkGroupInvocations": -1}}})");
    CHECK(large.max_local_bytes == ~0u);
    CHECK(large.max_local_size[0] == ~0u);
    CHECK(large.max_push_constants_bytes == ~0u);
    CHECK(large.max_local_invocations == 128);
    for (const char* zero : {R"("minSubgroupSize": 0, "maxSubgroupSize": 32)", R"("maxSubgroupSize": 0)"}) {
        const DeviceProfile profile = profile_of(
            R"({"VkPhysicalDeviceProperties": {}, "VkPhysicalDeviceVulkan11Properties": {"subgroupSize": 8},
                "VkPhysicalDeviceVulkan13Properties": {)" +
            std::string(zero) + "}}");
        CHECK(profile.min_subgroup_size == 8);
    }
    CHECK(
        profile_of(
            R"({"VkPhysicalDeviceVulkan11Properties": {"subgroupSize": 0}, "VkPhysicalDeviceProperties": {}})")
            .min_subgroup_size == 1);
}

TEST_CASE("how large a buffer may be is in the structures of Vulkan 1.3 and of its extension") {
    CHECK(profile_of(kSmall).max_buffer_bytes == ~uint64_t{0});
    for (const char* structure :
         {"Vulkan13Properties", "Maintenance4Properties", "Maintenance4PropertiesKHR"})
        CHECK(profile_of(R"({"VkPhysicalDeviceFeatures": {}, "VkPhysicalDevice)" + std::string(structure) +
                         R"(": {"maxBufferSize": 4294967296}})")
                  .max_buffer_bytes == uint64_t{1} << 32);
}

TEST_CASE("structures at top level") {
    const DeviceProfile profile = profile_of(
        R"({"VkPhysicalDeviceProperties": {"deviceName": "card", "apiVersion": 4198400},
            "VkPhysicalDeviceFeatures": {"shaderFloat64": 1}})");
    CHECK(profile.name == "card");
    CHECK(profile.api_version_minor == 1);
    CHECK(profile.float64);
    CHECK(!profile.int64);
    for (const char* structure :
         {"ShaderFloatControls2Features", "ShaderFloatControls2FeaturesKHR", "Vulkan14Features"})
        CHECK(profile_of(R"({"VkPhysicalDeviceFeatures": {}, "VkPhysicalDevice)" + std::string(structure) +
                         R"(": {"shaderFloatControls2": true}})")
                  .float_controls2);
}

TEST_CASE("blocks of local memory, if they may have integers of 8 and 16 bits") {
    const auto has = [](const std::string& features) {
        return profile_of(
                   R"({"VkPhysicalDeviceFeatures": {}, "VkPhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR":
            {"workgroupMemoryExplicitLayout": true)" +
                   features + "}}")
            .workgroup_explicit_layout;
    };
    CHECK(has(
        R"(, "workgroupMemoryExplicitLayout8BitAccess": true, "workgroupMemoryExplicitLayout16BitAccess": true)"));
    CHECK_FALSE(has(R"(, "workgroupMemoryExplicitLayout16BitAccess": true)"));
    CHECK_FALSE(has(""));
}

TEST_CASE("sub-groups of several sizes, if a pipeline can require one") {
    const auto with = [](const std::string& stages, const std::string& features) {
        return profile_of(R"({"VkPhysicalDeviceProperties": {"deviceName": "card", "apiVersion": 4202496},
            "VkPhysicalDeviceSubgroupProperties": {
                "subgroupSize": 16, "supportedStages": ["VK_SHADER_STAGE_COMPUTE_BIT"],
                "supportedOperations": ["VK_SUBGROUP_FEATURE_BASIC_BIT", "VK_SUBGROUP_FEATURE_VOTE_BIT",
                                        "VK_SUBGROUP_FEATURE_BALLOT_BIT", "VK_SUBGROUP_FEATURE_SHUFFLE_BIT"]},
            "VkPhysicalDeviceSubgroupSizeControlPropertiesEXT": {
                "minSubgroupSize": 8, "maxSubgroupSize": 32, "maxComputeWorkgroupSubgroups": 64,
                "requiredSubgroupSizeStages": [)" +
                          stages + "]}" + features + "}");
    };
    const std::string feature =
        R"(, "VkPhysicalDeviceSubgroupSizeControlFeaturesEXT": {"subgroupSizeControl": true})";
    const DeviceProfile several = with("\"VK_SHADER_STAGE_COMPUTE_BIT\"", feature);
    CHECK(required_subgroup_sizes(several) == std::vector<uint32_t>{8, 16, 32});
    CHECK(several.max_required_subgroups == 64);
    CHECK(required_subgroup_sizes(with("\"VK_SHADER_STAGE_COMPUTE_BIT\"", "")).empty());
    CHECK(required_subgroup_sizes(with("", feature)).empty());
}

TEST_CASE("integer dot products that are faster than products and sums") {
    const std::string properties =
        R"("VkPhysicalDeviceProperties": {"deviceName": "card"},
           "VkPhysicalDeviceShaderIntegerDotProductPropertiesKHR": {
               "integerDotProduct4x8BitPackedSignedAccelerated": true,
               "integerDotProduct16BitUnsignedAccelerated": 1,
               "integerDotProductAccumulatingSaturating8BitMixedSignednessAccelerated": true})";
    const DeviceProfile profile = profile_of(
        "{\"VkPhysicalDeviceVulkan13Features\": {\"shaderIntegerDotProduct\": true}, " + properties + "}");
    CHECK(profile.dot_4x8_packed == DotProducts{.of_signed = true});
    CHECK(profile.dot_16 == DotProducts{.of_unsigned = true});
    CHECK(profile.dot_8 == DotProducts{.saturating_both = true});
    CHECK(profile_of("{" + properties + "}").dot_16 == DotProducts{});  // of no use without the feature
}

TEST_CASE("storage buffers are as many as both limits allow") {
    const auto most = [](const std::string& limits) {
        return profile_of(R"({"VkPhysicalDeviceProperties": {"deviceName": "card", "limits": {)" + limits +
                          "}}}")
            .max_storage_buffers;
    };
    CHECK(most(R"("maxPerStageDescriptorStorageBuffers": 16, "maxDescriptorSetStorageBuffers": 96)") == 16);
    CHECK(most(R"("maxPerStageDescriptorStorageBuffers": 1048576, "maxDescriptorSetStorageBuffers": 24)") ==
          24);
    CHECK(most(R"("maxPerStageDescriptorStorageBuffers": 35)") == 35);
    CHECK(most(R"("maxPushConstantsSize": 128)") == ~0u);
}

TEST_CASE("the driver's faults, by its id and version") {
    const auto of = [](const std::string& id, const std::string& number, const std::string& info) {
        return profile_of(R"({"VkPhysicalDeviceProperties": {"deviceName": "card", "driverVersion": )" +
                          number + R"(}, "VkPhysicalDeviceDriverPropertiesKHR": {"driverID": ")" + id +
                          R"(", "driverInfo": ")" + info + R"("}})")
            .quirks;
    };
    CHECK(of("VK_DRIVER_ID_MESA_LLVMPIPE", "1", "Mesa 25.0.7-2 (LLVM 19.1.7)") ==
          quirks_of(Driver::MesaLlvmpipe, DriverVersion{25, 0, 7}));
    CHECK(of("VK_DRIVER_ID_MESA_LLVMPIPE", "109060102", "") ==
          quirks_of(Driver::MesaLlvmpipe, DriverVersion{26, 2, 6}));
    CHECK(of("VK_DRIVER_ID_MESA_LLVMPIPE", "\"26.2.6\"", "") ==
          quirks_of(Driver::MesaLlvmpipe, std::nullopt));
    CHECK(of("VK_DRIVER_ID_NVIDIA_PROPRIETARY", "2435301568", "580.159.03") ==
          quirks_of(Driver::Nvidia, DriverVersion{580, 159, 3}));
    CHECK(of("VK_DRIVER_ID_MESA_RADV", "1", "Mesa 22.3.6") ==
          quirks_of(Driver::MesaRadv, DriverVersion{22, 3, 6}));
    CHECK(of("VK_DRIVER_ID_OF_TOMORROW", "1", "") == quirks_of(Driver::Unknown, std::nullopt));
    CHECK(profile_of(kSmall).quirks == quirks_of(Driver::Unknown, std::nullopt));
}

TEST_CASE("what is no profile") {
    CHECK(fault("") == "it is not JSON");
    CHECK(fault("{\"capabilities\":") == "it is not JSON");
    CHECK(fault(std::string("\xff\xfe{\0}\0", 6)) ==
          "it is UTF-16 text, which must be UTF-8 (as 'vulkaninfo --json=0 -o FILE' writes it)");
    for (const char* text : {"{}", "[]", "3", R"({"capabilities": {}, "profiles": {}})",
                             R"({"capabilities": [1, "x"], "profiles": 3})"})
        CHECK_MESSAGE(fault(text).starts_with("it describes no device"), text);
    // Values of the wrong type say nothing.
    CHECK(!profile_of(R"({"VkPhysicalDeviceFeatures": {"shaderInt64": "yes"},
        "VkPhysicalDeviceProperties": {"limits": 4, "deviceName": 3, "apiVersion": -1}})")
               .int64);
    Result<DeviceProfile> missing = load_profile("no/such.json");
    REQUIRE(!missing);
    CHECK(missing.error().message ==
          "cannot read the device profile 'no/such.json': No such file or directory");
}

TEST_CASE("what vulkaninfo 1.3.239 wrote of lavapipe") {
    Result<DeviceProfile> read = load_profile(PROFILES "/lavapipe.json");
    REQUIRE(static_cast<bool>(read));
    const DeviceProfile& profile = *read;
    CHECK(profile.name == "llvmpipe (LLVM 15.0.6, 256 bits)");
    CHECK(profile.api_version_minor == 3);
    CHECK(profile.int64);
    CHECK(profile.float16);
    CHECK(profile.vulkan_memory_model);
    CHECK(profile.buffer_float32_atomic_add);
    CHECK(profile.local_size_id);
    CHECK(profile.quirks == quirks_of(Driver::MesaLlvmpipe, DriverVersion{22, 3, 6}));
    CHECK(!profile.float32_controls.preserve_denormals);
    CHECK(profile.float32_controls.round_to_nearest_even);
    CHECK(profile.max_local_bytes == 32768);
    CHECK(profile.subgroups);
    CHECK(profile.subgroup_arithmetic);
    CHECK(!profile.subgroup_clustered);
    CHECK(profile.subgroup_extended_types);
    CHECK(profile.linear_subgroups);
    CHECK(profile.min_subgroup_size == 8);
    CHECK(profile.max_required_subgroup_size == 8);
}

TEST_CASE("a device's own profile and that of vulkaninfo's JSON are equal but for the probes") {
    Result<std::vector<runtime::DeviceInfo>> devices = runtime::list_devices();
    REQUIRE(static_cast<bool>(devices));
    for (size_t i = 0; i < devices->size(); ++i) {
        if (!(*devices)[i].usable) continue;
        const std::string index = std::to_string(i);
        const std::filesystem::path file =
            std::filesystem::temp_directory_path() /
            ("caldera_vulkaninfo_" + std::to_string(std::random_device()()) + ".json");
        const std::string command =
            std::string(VULKANINFO) + " --json=" + index + " -o " + file.string() + " >/dev/null 2>&1";
        REQUIRE(std::system(command.c_str()) == 0);
        Result<DeviceProfile> written = load_profile(file.string());
        REQUIRE(static_cast<bool>(written));
        std::filesystem::remove(file);
        auto device = runtime::open_device({.select = index});
        REQUIRE(static_cast<bool>(device));
        DeviceProfile own = (*device)->profile();
        own.fused_fma = written->fused_fma;
        own.fused_half_fma = written->fused_half_fma;
        own.keeps_float_denormals = written->keeps_float_denormals;
        own.exact_exp2_sqrt = written->exact_exp2_sqrt;
        own.exact_half_packing = written->exact_half_packing;
        own.linear_subgroups = written->linear_subgroups;
        own.quirks.rounds_doubles_as_floats =
            written->quirks.rounds_doubles_as_floats;  // the processor's, which JSON does not name
        CHECK_MESSAGE(own == *written, own.name);
    }
}

}  // namespace
}  // namespace caldera::vulkan
