// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/profile.h"

#include <algorithm>

#include "vulkan/float_controls.h"
#include "vulkan/known_drivers.h"
#include "vulkan/runtime/buffer_parts.h"
#include "vulkan/runtime/device_properties.h"
#include "vulkan/runtime/settings.h"

namespace caldera::runtime {

namespace {

vulkan::WidthIndependence independence_of(VkShaderFloatControlsIndependence independence) {
    switch (independence) {
        case VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_32_BIT_ONLY: return vulkan::WidthIndependence::Float32Only;
        case VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_ALL: return vulkan::WidthIndependence::All;
        default: return vulkan::WidthIndependence::None;
    }
}

void without_float_controls(vulkan::DeviceProfile& profile) {
    profile.float16_controls = profile.float32_controls = profile.float64_controls = {};
}
void offer_float_controls(VkPhysicalDevice physical, const FeatureChain& features,
                          vulkan::DeviceProfile& profile) {
    if (!features.has_core_or_extension(VK_API_VERSION_1_2, VK_KHR_SHADER_FLOAT_CONTROLS_EXTENSION_NAME))
        return without_float_controls(profile);
    const auto found = properties_of<VkPhysicalDeviceFloatControlsProperties>(
        physical, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES);
    using Controls = vulkan::FloatControls;
    auto widths = [](VkBool32 f16, VkBool32 f32, VkBool32 f64) {
        return vulkan::OfferedByWidth{f16 == VK_TRUE, f32 == VK_TRUE, f64 == VK_TRUE};
    };
    offer(profile, &Controls::preserve_denormals,
          widths(found.shaderDenormPreserveFloat16, found.shaderDenormPreserveFloat32,
                 found.shaderDenormPreserveFloat64),
          independence_of(found.denormBehaviorIndependence));
    offer(profile, &Controls::preserve_special,
          widths(found.shaderSignedZeroInfNanPreserveFloat16, found.shaderSignedZeroInfNanPreserveFloat32,
                 found.shaderSignedZeroInfNanPreserveFloat64),
          vulkan::WidthIndependence::All);
    offer(profile, &Controls::round_to_nearest_even,
          widths(found.shaderRoundingModeRTEFloat16, found.shaderRoundingModeRTEFloat32,
                 found.shaderRoundingModeRTEFloat64),
          independence_of(found.roundingModeIndependence));
}

void offer_dot_products(VkPhysicalDevice physical, vulkan::DeviceProfile& profile) {
    const auto offered = properties_of<VkPhysicalDeviceShaderIntegerDotProductProperties>(
        physical, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES);
#define FASTER(operands, signs) offered.integerDotProduct##operands##signs##Accelerated == VK_TRUE
#define DOT_PRODUCTS(member, operands)                                    \
    profile.member = {FASTER(operands, Signed),                           \
                      FASTER(operands, Unsigned),                         \
                      FASTER(operands, MixedSignedness),                  \
                      FASTER(AccumulatingSaturating##operands, Signed),   \
                      FASTER(AccumulatingSaturating##operands, Unsigned), \
                      FASTER(AccumulatingSaturating##operands, MixedSignedness)};
#include "vulkan/dot_products.def"
#undef FASTER
}

struct SubgroupProperties {
    VkPhysicalDeviceSubgroupProperties basic = {};
    VkPhysicalDeviceSubgroupSizeControlProperties control = {};
    bool may_vary() const { return control.minSubgroupSize < control.maxSubgroupSize; }
    bool can_require(const FeatureChain& features) const {
        return features.controls_subgroup_size() &&
               (control.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT);
    }
};
SubgroupProperties subgroup_properties(VkPhysicalDevice physical, const FeatureChain& features) {
    SubgroupProperties found;
    found.basic.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES;
    found.control.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES;
    if (features.has_core_or_extension(VK_API_VERSION_1_3, VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME))
        found.basic.pNext = &found.control;
    VkPhysicalDeviceProperties2 properties{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                           .pNext = &found.basic};
    vkGetPhysicalDeviceProperties2(physical, &properties);
    return found;
}

void offer_subgroups(VkPhysicalDevice physical, const FeatureChain& features,
                     vulkan::DeviceProfile& profile) {
    const SubgroupProperties found = subgroup_properties(physical, features);
    auto offers = [&](VkSubgroupFeatureFlags operations) {
        return (found.basic.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT) &&
               (found.basic.supportedOperations & operations) == operations;
    };
    profile.subgroups = offers(VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_VOTE_BIT |
                               VK_SUBGROUP_FEATURE_BALLOT_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_BIT);
    profile.subgroup_arithmetic = offers(VK_SUBGROUP_FEATURE_ARITHMETIC_BIT);
    profile.subgroup_clustered = offers(VK_SUBGROUP_FEATURE_CLUSTERED_BIT);
    profile.subgroup_shuffle_relative = offers(VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT);
    const uint32_t smallest = found.control.minSubgroupSize;
    profile.min_subgroup_size = std::max(smallest ? smallest : found.basic.subgroupSize, 1u);
    profile.max_required_subgroup_size = profile.min_subgroup_size;
    if (!found.may_vary()) return;
    profile.max_required_subgroup_size = found.can_require(features) ? found.control.maxSubgroupSize : 0;
    profile.max_required_subgroups = found.control.maxComputeWorkgroupSubgroups;
}

void know_driver(VkPhysicalDevice physical, const FeatureChain& features, vulkan::DeviceProfile& profile) {
    VkPhysicalDeviceDriverProperties found = {};
    // Queries of a physical device need no extension to be enabled.
    if (features.api_version >= VK_API_VERSION_1_2 ||
        has_extension(physical, VK_KHR_DRIVER_PROPERTIES_EXTENSION_NAME))
        found = properties_of<VkPhysicalDeviceDriverProperties>(
            physical, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES);
    const vulkan::Driver driver = vulkan::driver_of_id(static_cast<uint32_t>(found.driverID));
    vulkan::know_driver(profile, driver,
                        version_of(driver, properties_of(physical).driverVersion, found.driverInfo),
                        vulkan::processor_of(profile.name));
}

}  // namespace

bool has_core_or_extension(VkPhysicalDevice physical, uint32_t version, const char* name) {
    return properties_of(physical).apiVersion >= version || has_extension(physical, name);
}

/// Vulkan 1.2 has these in one structure.
void FeatureChain::collect_older() {
    v11.storageBuffer16BitAccess = older.storage_16bit.storageBuffer16BitAccess;
    v11.storagePushConstant16 = older.storage_16bit.storagePushConstant16;
    v12.storageBuffer8BitAccess = older.storage_8bit.storageBuffer8BitAccess;
    v12.storagePushConstant8 = older.storage_8bit.storagePushConstant8;
    v12.shaderFloat16 = older.float16_int8.shaderFloat16;
    v12.shaderInt8 = older.float16_int8.shaderInt8;
    v12.shaderBufferInt64Atomics = older.atomic_int64.shaderBufferInt64Atomics;
    v12.shaderSharedInt64Atomics = older.atomic_int64.shaderSharedInt64Atomics;
    v12.bufferDeviceAddress = older.addresses.bufferDeviceAddress;
    v12.vulkanMemoryModel = older.memory_model.vulkanMemoryModel;
    v12.vulkanMemoryModelDeviceScope = older.memory_model.vulkanMemoryModelDeviceScope;
    v12.timelineSemaphore = older.timeline.timelineSemaphore;
    v12.hostQueryReset = older.query_reset.hostQueryReset;
    v12.shaderSubgroupExtendedTypes = older.subgroup_types.shaderSubgroupExtendedTypes;
}

FeatureChain::FeatureChain(VkPhysicalDevice physical, uint32_t instance_version)
    : api_version(std::min(properties_of(physical).apiVersion, instance_version)) {
    make(physical, nullptr);
}

FeatureChain::FeatureChain(VkPhysicalDevice physical, const EnabledFeatures& enabled)
    : api_version(std::min(properties_of(physical).apiVersion, enabled.api_version)) {
    make(physical, &enabled);
    const FeatureSet kept = features_in(core) & enabled.features;
    for (size_t i = 0; i < kFeatureCount; ++i) set_feature(core, i, kept.test(i));
    if (api_version < VK_API_VERSION_1_2) collect_older();
}

bool FeatureChain::has_extension(std::string_view name) const {
    return std::ranges::any_of(extensions, [&](const char* each) { return name == each; });
}

bool FeatureChain::has_core_or_extension(uint32_t version, std::string_view name) const {
    return api_version >= version || has_extension(name);
}

/// `enabled`: the extensions of an application, or null for all of the device.
void FeatureChain::make(VkPhysicalDevice physical, const EnabledFeatures* enabled) {
    core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    v11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES;
    v12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    v13.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES;
    void** tail = &core.pNext;
    auto link = [&tail](auto& structure) {
        *tail = &structure;
        tail = &structure.pNext;
    };
    const auto enable = [&](const char* extension) {
        const bool has =
            enabled ? enabled->has_extension(extension) : runtime::has_extension(physical, extension);
        if (has) extensions.push_back(extension);
        return has;
    };
    const auto enable_with = [&](const char* extension, auto& structure, VkStructureType type) {
        structure.sType = type;
        if (enable(extension)) link(structure);
    };
    const uint32_t version = api_version;
    if (version >= VK_API_VERSION_1_2) {
        link(v11);
        link(v12);
    } else {
        older.storage_16bit.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES;
        link(older.storage_16bit);
        enable_with(VK_KHR_8BIT_STORAGE_EXTENSION_NAME, older.storage_8bit,
                    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES);
        enable_with(VK_KHR_SHADER_FLOAT16_INT8_EXTENSION_NAME, older.float16_int8,
                    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES);
        enable_with(VK_KHR_SHADER_ATOMIC_INT64_EXTENSION_NAME, older.atomic_int64,
                    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES);
        enable_with(VK_KHR_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME, older.addresses,
                    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES);
        enable_with(VK_KHR_VULKAN_MEMORY_MODEL_EXTENSION_NAME, older.memory_model,
                    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES);
        enable_with(VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME, older.timeline,
                    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES);
        enable_with(VK_EXT_HOST_QUERY_RESET_EXTENSION_NAME, older.query_reset,
                    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES);
        enable_with(VK_KHR_SHADER_SUBGROUP_EXTENDED_TYPES_EXTENSION_NAME, older.subgroup_types,
                    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SUBGROUP_EXTENDED_TYPES_FEATURES);
        enable(VK_KHR_SHADER_FLOAT_CONTROLS_EXTENSION_NAME);
    }
    if (version >= VK_API_VERSION_1_3) {
        link(v13);
    } else {
        enable_with(VK_KHR_SHADER_INTEGER_DOT_PRODUCT_EXTENSION_NAME, integer_dot,
                    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_FEATURES);
        enable_with(VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME, subgroup_size,
                    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES);
    }
    enable_with(VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME, atomic_float,
                VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT);
    enable_with(VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME, cooperative_matrix,
                VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR);
    enable_with(VK_KHR_SHADER_BFLOAT16_EXTENSION_NAME, bfloat16,
                VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_BFLOAT16_FEATURES_KHR);
    enable_with(VK_EXT_SHADER_FLOAT8_EXTENSION_NAME, float8,
                VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT8_FEATURES_EXT);
    enable_with(VK_KHR_SHADER_CLOCK_EXTENSION_NAME, clock,
                VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CLOCK_FEATURES_KHR);
    enable_with(VK_KHR_SHADER_SUBGROUP_UNIFORM_CONTROL_FLOW_EXTENSION_NAME, uniform_flow,
                VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SUBGROUP_UNIFORM_CONTROL_FLOW_FEATURES_KHR);
    // The extension needs VK_KHR_shader_float_controls, which Vulkan 1.2 contains.
    if (version >= VK_API_VERSION_1_2)
        enable_with(VK_KHR_SHADER_FLOAT_CONTROLS_2_EXTENSION_NAME, float_controls2,
                    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT_CONTROLS_2_FEATURES_KHR);
    // The extension needs SPIR-V 1.4, which Vulkan 1.2 contains.
    if (version >= VK_API_VERSION_1_2)
        enable_with(VK_KHR_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_EXTENSION_NAME, local_layout,
                    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_FEATURES_KHR);
    enable(VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME);
    // Vulkan wants it to be enabled where a device has it. What the device then misses is not for kernels.
    enable(VK_KHR_PORTABILITY_SUBSET_EXTENSION_NAME);
    vkGetPhysicalDeviceFeatures2(physical, &core);
    if (version < VK_API_VERSION_1_2) collect_older();
    // It costs time, and generated code does not rely on it.
    core.features.robustBufferAccess = VK_FALSE;
    v13.robustImageAccess = VK_FALSE;
}

std::string missing_feature(VkPhysicalDevice physical) {
    return properties_of(physical).apiVersion < VK_API_VERSION_1_1 ? "Vulkan 1.1" : "";
}

/// Null for a component that kernels cannot have.
static std::optional<vulkan::MatrixComponent> matrix_component(VkComponentTypeKHR type,
                                                               const FeatureChain& features) {
    using enum vulkan::MatrixComponent;
    const bool has_bfloat16 =
        features.bfloat16.shaderBFloat16Type && features.bfloat16.shaderBFloat16CooperativeMatrix;
    const bool has_float8 = features.float8.shaderFloat8 && features.float8.shaderFloat8CooperativeMatrix;
    if (type <= VK_COMPONENT_TYPE_UINT64_KHR) return static_cast<vulkan::MatrixComponent>(type);
    if (type == kBfloat16Component && has_bfloat16) return BFloat16;
    if (type == kFloat8E4M3Component && has_float8) return Float8E4M3;
    if (type == kFloat8E5M2Component && has_float8) return Float8E5M2;
    return std::nullopt;
}

std::vector<vulkan::MatrixProduct> matrix_products(VkInstance instance, VkPhysicalDevice physical,
                                                   const FeatureChain& features) {
    // SPV_KHR_cooperative_matrix requires Vulkan's memory model of shaders.
    if (!features.cooperative_matrix.cooperativeMatrix || !features.v12.vulkanMemoryModel) return {};
    const auto get = reinterpret_cast<PFN_vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR>(
        vkGetInstanceProcAddr(instance, "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR"));
    uint32_t count = 0;
    if (!get || get(physical, &count, nullptr) != VK_SUCCESS) return {};
    std::vector<VkCooperativeMatrixPropertiesKHR> offered(
        count, {.sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR});
    if (get(physical, &count, offered.data()) < VK_SUCCESS) return {};
    offered.resize(count);
    std::vector<vulkan::MatrixProduct> products;
    for (const VkCooperativeMatrixPropertiesKHR& each : offered) {
        const auto types = {each.AType, each.BType, each.CType, each.ResultType};
        const bool is_known = std::ranges::all_of(
            types, [&](VkComponentTypeKHR type) { return matrix_component(type, features).has_value(); });
        if (!is_known || each.scope != VK_SCOPE_SUBGROUP_KHR) continue;
        const auto component = [&](VkComponentTypeKHR type) { return *matrix_component(type, features); };
        products.push_back({each.MSize, each.NSize, each.KSize, component(each.AType), component(each.BType),
                            component(each.CType), component(each.ResultType),
                            each.saturatingAccumulation == VK_TRUE});
    }
    return products;
}

SubgroupLaunch subgroup_launch(VkPhysicalDevice physical, const FeatureChain& features) {
    const SubgroupProperties found = subgroup_properties(physical, features);
    const bool requires_it = found.may_vary() && found.can_require(features);
    return {std::max(found.basic.subgroupSize, 1u),
            requires_it ? found.control.maxComputeWorkgroupSubgroups : 0};
}

bool wants_emulated_doubles() { return flag_setting("CALDERA_EMULATE_DOUBLES", false); }

vulkan::DeviceProfile make_profile(VkPhysicalDevice physical, const FeatureChain& features) {
    const VkPhysicalDeviceProperties properties = properties_of(physical);
    const VkPhysicalDeviceLimits& limits = properties.limits;
    vulkan::DeviceProfile profile;
    profile.name = properties.deviceName;
    profile.api_version_major = VK_API_VERSION_MAJOR(features.api_version);
    profile.api_version_minor = VK_API_VERSION_MINOR(features.api_version);
    profile.buffer_device_address = features.v12.bufferDeviceAddress;
    profile.int64 = features.core.features.shaderInt64;
    profile.int16 = features.core.features.shaderInt16;
    profile.int8 = features.v12.shaderInt8;
    profile.float16 = features.v12.shaderFloat16;
    profile.float64 = features.core.features.shaderFloat64;
    profile.emulated_float64 = !profile.float64 && wants_emulated_doubles();
    profile.storage_8bit = features.v12.storageBuffer8BitAccess;
    profile.storage_16bit = features.v11.storageBuffer16BitAccess;
    profile.push_constant_8bit = features.v12.storagePushConstant8;
    profile.push_constant_16bit = features.v11.storagePushConstant16;
    profile.vulkan_memory_model = features.v12.vulkanMemoryModel;
    profile.vulkan_memory_model_device_scope = features.v12.vulkanMemoryModelDeviceScope;
    profile.buffer_int64_atomics = features.v12.shaderBufferInt64Atomics;
    profile.shared_int64_atomics = features.v12.shaderSharedInt64Atomics;
    profile.buffer_float32_atomic_add = features.atomic_float.shaderBufferFloat32AtomicAdd;
    profile.shared_float32_atomic_add = features.atomic_float.shaderSharedFloat32AtomicAdd;
    profile.storage_read_without_format = features.core.features.shaderStorageImageReadWithoutFormat;
    profile.storage_write_without_format = features.core.features.shaderStorageImageWriteWithoutFormat;
    profile.local_size_id = features.v13.maintenance4;
    profile.workgroup_explicit_layout = features.local_layout.workgroupMemoryExplicitLayout &&
                                        features.local_layout.workgroupMemoryExplicitLayout8BitAccess &&
                                        features.local_layout.workgroupMemoryExplicitLayout16BitAccess;
    profile.float_controls2 = features.float_controls2.shaderFloatControls2;
    profile.device_clock = features.clock.shaderDeviceClock;
    profile.subgroup_clock = features.clock.shaderSubgroupClock;
    profile.subgroup_uniform_flow = features.uniform_flow.shaderSubgroupUniformControlFlow;
    profile.subgroup_extended_types = features.v12.shaderSubgroupExtendedTypes;
    profile.full_subgroups = features.has_full_subgroups();
    profile.max_push_constants_bytes = limits.maxPushConstantsSize;
    profile.max_local_bytes = limits.maxComputeSharedMemorySize;
    // Programs ask for the largest group and launch it in one dimension. Adreno allows fewer work-items
    // there.
    profile.max_local_invocations =
        std::min(limits.maxComputeWorkGroupInvocations, limits.maxComputeWorkGroupSize[0]);
    std::ranges::copy(limits.maxComputeWorkGroupSize, profile.max_local_size.begin());
    profile.max_storage_buffers = max_storage_buffers(limits);
    if (const uint64_t most = bytes_setting("CALDERA_MAX_PRIVATE", "the driver's").value_or(0); most != 0)
        profile.max_private_bytes = most;
    profile.min_local_bytes = bytes_setting("CALDERA_MIN_LOCAL", "0").value_or(0);
    profile.max_buffer_bytes = max_buffer_bytes(physical, features.api_version);
    offer_float_controls(physical, features, profile);
    offer_subgroups(physical, features, profile);
    if (features.v13.shaderIntegerDotProduct || features.integer_dot.shaderIntegerDotProduct)
        offer_dot_products(physical, profile);
    know_driver(physical, features, profile);
    return profile;
}

vulkan::DeviceProfile make_profile(VkPhysicalDevice physical, uint32_t instance_version) {
    return make_profile(physical, FeatureChain(physical, instance_version));
}

}  // namespace caldera::runtime
