// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/wanted_features.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "vulkan/runtime/open_device.h"
#include "vulkan/runtime/profile.h"

using namespace caldera;
using namespace caldera::runtime;

namespace {

constexpr size_t index_of(Feature feature) { return static_cast<size_t>(feature); }

FeatureSet set_of(std::initializer_list<Feature> features) {
    FeatureSet set;
    for (const Feature feature : features) set.set(index_of(feature));
    return set;
}

bool has(const WantedFeatures& wanted, const char* extension) {
    return std::ranges::any_of(wanted.extensions,
                               [&](const char* each) { return std::string(each) == extension; });
}

}  // namespace

TEST_CASE("features by their names") {
    for (size_t i = 0; i < kFeatureCount; ++i) CHECK(feature_named(feature_name(i)) == i);
    CHECK(feature_named("shaderInt64") == index_of(Feature::shaderInt64));
    CHECK_FALSE(feature_named("shaderInt6"));
}

TEST_CASE("chains of features are read and filled") {
    VkPhysicalDeviceShaderFloat16Int8Features int8{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES, .shaderInt8 = VK_TRUE};
    VkPhysicalDeviceVulkan13Features v13{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                         .pNext = &int8,
                                         .computeFullSubgroups = VK_TRUE,
                                         .dynamicRendering = VK_TRUE};
    VkPhysicalDeviceFeatures2 chain{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &v13};
    chain.features.shaderFloat64 = VK_TRUE;
    using enum Feature;
    CHECK(features_in(chain) == set_of({shaderFloat64, shaderInt8, computeFullSubgroups}));
    CHECK(has_structure_of(chain, index_of(shaderFloat16)));
    CHECK_FALSE(has_structure_of(chain, index_of(bufferDeviceAddress)));
    CHECK_FALSE(set_feature(chain, index_of(bufferDeviceAddress), true));

    FeatureStructures structures;
    const FeatureSet wanted =
        set_of({shaderInt64, shaderFloat16, bufferDeviceAddress, subgroupSizeControl, vulkanMemoryModel,
                vulkanMemoryModelDeviceScope, shaderBufferFloat32AtomicAdd});
    structures.enable_in(chain, wanted);
    CHECK(features_in(chain) == (wanted | set_of({shaderFloat64, shaderInt8, computeFullSubgroups})));
    CHECK(v13.subgroupSizeControl == VK_TRUE);
    CHECK(int8.shaderFloat16 == VK_TRUE);
    size_t count = 0;  // those for addresses, the memory model and atomic operations are new
    for (auto* at = reinterpret_cast<const VkBaseInStructure*>(&chain); at; at = at->pNext) ++count;
    CHECK(count == 6);
    REQUIRE(set_feature(chain, index_of(bufferDeviceAddress), false));
    CHECK_FALSE(features_in(chain).test(index_of(bufferDeviceAddress)));
}

TEST_CASE("what is enabled limits what a device is taken for") {
    const std::unique_ptr<Device> device = open_device().take();
    using enum Feature;
    EnabledFeatures enabled{.api_version = VK_API_VERSION_1_1};
    const FeatureChain nothing(device->physical(), enabled);
    CHECK(nothing.api_version == VK_API_VERSION_1_1);
    CHECK(features_in(nothing.core).none());
    const vulkan::DeviceProfile profile = make_profile(device->physical(), nothing);
    CHECK(profile.api_version_minor == 1);
    CHECK_FALSE(profile.buffer_device_address);
    CHECK_FALSE(profile.float64);
    CHECK_FALSE(profile.int8);
    CHECK_FALSE(profile.full_subgroups);
    CHECK(profile.max_local_bytes == device->profile().max_local_bytes);

    const WantedFeatures all = usable_features(device->physical(), VK_API_VERSION_1_1);
    if (!all.features.test(index_of(shaderInt8))) return;
    CHECK(has(all, VK_KHR_SHADER_FLOAT16_INT8_EXTENSION_NAME));
    enabled.features = set_of({shaderInt8});
    const Result<Done> without = check_enabled(device->physical(), enabled);
    REQUIRE_FALSE(without);
    CHECK(without.error().message.find("the extension VK_KHR_shader_float16_int8 is not enabled") !=
          std::string::npos);
    enabled.extensions = {VK_KHR_SHADER_FLOAT16_INT8_EXTENSION_NAME};
    CHECK(check_enabled(device->physical(), enabled));
    CHECK(features_in(FeatureChain(device->physical(), enabled).core) == set_of({shaderInt8}));
}

TEST_CASE("what a module needs, by its capabilities and kernels") {
    const std::unique_ptr<Device> device = open_device().take();
    const FeatureSet there = usable_features(device->physical(), VK_API_VERSION_1_3).features;
    const auto needed = [&](const vulkan::ProgramInterface& program) {
        return needed_features(device->physical(), VK_API_VERSION_1_3, program).features;
    };
    using enum Feature;
    CHECK(needed({}).none());
    CHECK(needed({.capabilities = {"Shader", "Int64"}}) == (set_of({shaderInt64}) & there));
    CHECK(needed({.capabilities = {"VulkanMemoryModel"}}) ==
          (set_of({vulkanMemoryModel, vulkanMemoryModelDeviceScope}) & there));
    vulkan::ProgramInterface program{.kernels = {{.name = "k"}}};
    program.kernels[0].uses_sub_groups = true;
    CHECK(needed(program) ==
          (set_of({subgroupSizeControl, computeFullSubgroups, shaderSubgroupUniformControlFlow}) & there));
    const WantedFeatures old = needed_features(device->physical(), VK_API_VERSION_1_1,
                                               {.capabilities = {"PhysicalStorageBufferAddresses"}});
    CHECK(has(old, VK_KHR_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME) ==
          old.features.test(index_of(bufferDeviceAddress)));
}
