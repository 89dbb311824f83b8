// SPDX-License-Identifier: Apache-2.0
#include "vulkan/device_profile_json.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "spirv/support/float_environment.h"
#include "vulkan/float_controls.h"
#include "vulkan/known_drivers.h"

namespace caldera::vulkan {
namespace {

using Json = nlohmann::json;

/// A feature of the profile: its Vulkan name, and the structures that contain it, without "VkPhysicalDevice".
struct FeatureRow {
    bool DeviceProfile::*member;
    const char* name;
    const char* structures[2];
};
constexpr FeatureRow kFeatures[] = {
    {&DeviceProfile::int64, "shaderInt64", {"Features"}},
    {&DeviceProfile::int16, "shaderInt16", {"Features"}},
    {&DeviceProfile::float64, "shaderFloat64", {"Features"}},
    {&DeviceProfile::int8, "shaderInt8", {"Vulkan12Features", "ShaderFloat16Int8Features"}},
    {&DeviceProfile::float16, "shaderFloat16", {"Vulkan12Features", "ShaderFloat16Int8Features"}},
    {&DeviceProfile::buffer_device_address,
     "bufferDeviceAddress",
     {"Vulkan12Features", "BufferDeviceAddressFeatures"}},
    {&DeviceProfile::storage_8bit, "storageBuffer8BitAccess", {"Vulkan12Features", "8BitStorageFeatures"}},
    {&DeviceProfile::storage_16bit, "storageBuffer16BitAccess", {"Vulkan11Features", "16BitStorageFeatures"}},
    {&DeviceProfile::push_constant_8bit, "storagePushConstant8", {"Vulkan12Features", "8BitStorageFeatures"}},
    {&DeviceProfile::push_constant_16bit,
     "storagePushConstant16",
     {"Vulkan11Features", "16BitStorageFeatures"}},
    {&DeviceProfile::vulkan_memory_model,
     "vulkanMemoryModel",
     {"Vulkan12Features", "VulkanMemoryModelFeatures"}},
    {&DeviceProfile::vulkan_memory_model_device_scope,
     "vulkanMemoryModelDeviceScope",
     {"Vulkan12Features", "VulkanMemoryModelFeatures"}},
    {&DeviceProfile::buffer_int64_atomics,
     "shaderBufferInt64Atomics",
     {"Vulkan12Features", "ShaderAtomicInt64Features"}},
    {&DeviceProfile::shared_int64_atomics,
     "shaderSharedInt64Atomics",
     {"Vulkan12Features", "ShaderAtomicInt64Features"}},
    {&DeviceProfile::buffer_float32_atomic_add,
     "shaderBufferFloat32AtomicAdd",
     {"ShaderAtomicFloatFeaturesEXT"}},
    {&DeviceProfile::shared_float32_atomic_add,
     "shaderSharedFloat32AtomicAdd",
     {"ShaderAtomicFloatFeaturesEXT"}},
    {&DeviceProfile::storage_read_without_format, "shaderStorageImageReadWithoutFormat", {"Features"}},
    {&DeviceProfile::storage_write_without_format, "shaderStorageImageWriteWithoutFormat", {"Features"}},
    {&DeviceProfile::local_size_id, "maintenance4", {"Vulkan13Features", "Maintenance4Features"}},
    {&DeviceProfile::float_controls2,
     "shaderFloatControls2",
     {"Vulkan14Features", "ShaderFloatControls2Features"}},
    {&DeviceProfile::device_clock, "shaderDeviceClock", {"ShaderClockFeatures"}},
    {&DeviceProfile::subgroup_clock, "shaderSubgroupClock", {"ShaderClockFeatures"}},
    {&DeviceProfile::subgroup_uniform_flow,
     "shaderSubgroupUniformControlFlow",
     {"ShaderSubgroupUniformControlFlowFeatures"}},
    {&DeviceProfile::subgroup_extended_types,
     "shaderSubgroupExtendedTypes",
     {"Vulkan12Features", "ShaderSubgroupExtendedTypesFeatures"}},
    {&DeviceProfile::full_subgroups,
     "computeFullSubgroups",
     {"Vulkan13Features", "SubgroupSizeControlFeatures"}},
};

uint32_t clamped(uint64_t number) {
    return static_cast<uint32_t>(std::min<uint64_t>(number, std::numeric_limits<uint32_t>::max()));
}

/// What the whole file says of one device, wherever it says it.
class Device {
 public:
    explicit Device(const Json& root) {
        const Json* profiles = member(root, "profiles");
        if (profiles && !profiles->empty()) profile_ = &*profiles->begin();
        if (const Json* blocks = member(root, "capabilities")) {
            const std::set<std::string> named =
                profile_ ? blocks_of(*profile_, *profiles) : std::set<std::string>();
            for (const auto& [name, block] : blocks->items())
                if (named.empty() || named.contains(name)) add_block(block);
        }
        if (parts_.empty()) parts_.push_back(&root);
    }

    bool exists() const {
        bool found = false;
        for (const char* name : {"Features", "Properties"})
            for_each_structure(name, [&](const Json&) { found = true; });
        return found;
    }

    std::string name() const {
        if (const Json* name = value("deviceName", "Properties"); name && name->is_string()) return *name;
        if (const Json* label = profile_ ? member(*profile_, "label") : nullptr; label && label->is_string())
            return *label;
        return "the device";
    }

    /// Major and minor version; 1.0 if the file has none.
    std::pair<uint32_t, uint32_t> version() const {
        const Json* packed = value("apiVersion", "Properties");
        if (packed && packed->is_number_unsigned()) {
            const auto bits = packed->get<uint64_t>();  // VK_MAKE_API_VERSION
            return {static_cast<uint32_t>(bits >> 22) & 0x7f, static_cast<uint32_t>(bits >> 12) & 0x3ff};
        }
        const Json* text = packed ? packed : profile_ ? member(*profile_, "api-version") : nullptr;
        unsigned major = 1, minor = 0;
        if (text && text->is_string())
            std::sscanf(text->get_ref<const std::string&>().c_str(), "%u.%u", &major, &minor);
        return {major, minor};
    }

    /// Whether one of the structures says so. Others may contradict: VulkanCapsViewer once wrote properties
    /// of Vulkan 1.2 and 1.3 as false that the extension's structure has.
    bool flag(const char* name, const char* first, const char* second = nullptr) const {
        return is_true(name, first) || (second && is_true(name, second));
    }

    std::string text(const char* name, const char* first, const char* second) const {
        for (const char* in : {first, second})
            if (const Json* found = value(name, in); found && found->is_string()) return *found;
        return {};
    }

    /// Whether a property that is a list of flags contains all of these.
    bool lists(const char* name, const char* in, std::initializer_list<const char*> flags) const {
        const Json* found = value(name, in);
        return found && found->is_array() && std::ranges::all_of(flags, [&](const char* flag) {
                   return std::ranges::find(*found, Json(flag)) != found->end();
               });
    }

    uint32_t number_or(const char* name, const char* in, uint32_t otherwise) const {
        return number(name, in).value_or(otherwise);
    }

    std::optional<uint32_t> number(const char* name, const char* in) const {
        const std::optional<uint64_t> found = long_number(name, in);
        return found ? std::optional(clamped(*found)) : std::nullopt;
    }

    std::optional<uint64_t> long_number(const char* name, const char* in) const {
        const Json* found = value(name, in);
        return found && found->is_number_unsigned() ? std::optional(found->get<uint64_t>()) : std::nullopt;
    }

    const Json* limit(const char* name) const {
        const Json* found = nullptr;
        for_each_structure("Properties", [&](const Json& properties) {
            const Json* limits = member(properties, "limits");
            if (!found && limits) found = member(*limits, name);
        });
        return found;
    }

 private:
    /// The blocks that the first profile is made of, with those of the profiles that it requires. A file may
    /// have other profiles, which promise more. Alternatives are lists, and are ignored.
    static std::set<std::string> blocks_of(const Json& profile, const Json& profiles) {
        std::set<std::string> blocks;
        std::set<const Json*> seen;
        std::vector<const Json*> work = {&profile};
        const auto for_each_text = [](const Json* list, auto visit) {
            if (!list || !list->is_array()) return;
            for (const Json& text : *list)
                if (text.is_string()) visit(text.get_ref<const std::string&>());
        };
        while (!work.empty()) {
            const Json& one = *work.back();
            work.pop_back();
            if (!seen.insert(&one).second) continue;
            for_each_text(member(one, "capabilities"),
                          [&](const std::string& block) { blocks.insert(block); });
            for_each_text(member(one, "required-profiles"), [&](const std::string& required) {
                if (const Json* other = member(profiles, required.c_str())) work.push_back(other);
            });
        }
        return blocks;
    }
    void add_block(const Json& block) {
        for (const char* part : {"features", "properties"})
            if (const Json* structures = member(block, part)) parts_.push_back(structures);
    }

    bool is_true(const char* name, const char* in) const {
        bool any = false;
        for_each_structure(in, [&](const Json& structure) {
            const Json* found = member(structure, name);
            any |= found && (found->is_boolean() ? found->get<bool>()
                                                 : found->is_number_integer() && found->get<int64_t>() != 0);
        });
        return any;
    }
    static const Json* member(const Json& object, const char* name) {
        if (!object.is_object()) return nullptr;
        const auto found = object.find(name);
        return found == object.end() ? nullptr : &*found;
    }
    /// Several blocks may have a part of one structure.
    template <class Visit>
    void for_each_structure(const std::string& name, Visit visit) const {
        // VK_EXT_buffer_device_address is another extension than KHR's; its feature has the same name.
        constexpr std::string_view kOther = "VkPhysicalDeviceBufferDeviceAddressFeaturesEXT";
        for (const char* suffix : {"", "KHR", "EXT"})
            for (const Json* part : parts_)
                if (const std::string whole = "VkPhysicalDevice" + name + suffix; whole != kOther)
                    if (const Json* found = member(*part, whole.c_str())) visit(*found);
    }
    const Json* value(const char* name, const char* in) const {
        const Json* found = nullptr;
        for_each_structure(in, [&](const Json& structure) {
            if (!found) found = member(structure, name);
        });
        return found;
    }

    std::vector<const Json*> parts_ = {};  // objects whose members are Vulkan's structures
    const Json* profile_ = nullptr;
};

uint32_t limit_or(const Device& device, const char* name, uint32_t least) {
    const Json* limit = device.limit(name);
    return limit && limit->is_number_unsigned() ? clamped(limit->get<uint64_t>()) : least;
}

void read_limits(const Device& device, DeviceProfile& profile) {
    // Vulkan's minimum values: Vulkan 1.0, "Required Limits".
    profile.max_push_constants_bytes = limit_or(device, "maxPushConstantsSize", 128);
    profile.max_local_bytes = limit_or(device, "maxComputeSharedMemorySize", 16384);
    profile.max_local_invocations = limit_or(device, "maxComputeWorkGroupInvocations", 128);
    profile.max_storage_buffers = std::min(limit_or(device, "maxPerStageDescriptorStorageBuffers", ~0u),
                                           limit_or(device, "maxDescriptorSetStorageBuffers", ~0u));
    profile.max_local_size = {128, 128, 64};
    const Json* sizes = device.limit("maxComputeWorkGroupSize");
    for (size_t i = 0; sizes && sizes->is_array() && sizes->size() == 3 && i < 3; ++i)
        if ((*sizes)[i].is_number_unsigned())
            profile.max_local_size[i] = clamped((*sizes)[i].get<uint64_t>());
    for (const char* in : {"Vulkan13Properties", "Maintenance4Properties", "Maintenance4PropertiesKHR"})
        profile.max_buffer_bytes = device.long_number("maxBufferSize", in).value_or(profile.max_buffer_bytes);
    // As the runtime does: a group in one dimension may have as many work-items.
    profile.max_local_invocations = std::min(profile.max_local_invocations, profile.max_local_size[0]);
}

void read_subgroups(const Device& device, DeviceProfile& profile) {
    auto offers = [&](std::initializer_list<const char*> operations) {
        const auto has = [&](const char* in, const char* stages, const char* supported) {
            return device.lists(stages, in, {"VK_SHADER_STAGE_COMPUTE_BIT"}) &&
                   device.lists(supported, in, operations);
        };
        return has("SubgroupProperties", "supportedStages", "supportedOperations") ||
               has("Vulkan11Properties", "subgroupSupportedStages", "subgroupSupportedOperations");
    };
    profile.subgroups = offers({"VK_SUBGROUP_FEATURE_BASIC_BIT", "VK_SUBGROUP_FEATURE_VOTE_BIT",
                                "VK_SUBGROUP_FEATURE_BALLOT_BIT", "VK_SUBGROUP_FEATURE_SHUFFLE_BIT"});
    profile.subgroup_arithmetic = offers({"VK_SUBGROUP_FEATURE_ARITHMETIC_BIT"});
    profile.subgroup_clustered = offers({"VK_SUBGROUP_FEATURE_CLUSTERED_BIT"});
    profile.subgroup_shuffle_relative = offers({"VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT"});
    // 0 says nothing.
    const auto size_or = [&](const char* name, const char* in, uint32_t otherwise) {
        const uint32_t told = device.number_or(name, in, 0);
        return told != 0 ? told : otherwise;
    };
    uint32_t size = size_or("subgroupSize", "Vulkan11Properties", 1);
    size = size_or("subgroupSize", "SubgroupProperties", size);
    size = size_or("minSubgroupSize", "Vulkan13Properties", size);
    profile.min_subgroup_size = size_or("minSubgroupSize", "SubgroupSizeControlProperties", size);
    size = size_or("maxSubgroupSize", "Vulkan13Properties", profile.min_subgroup_size);
    size = size_or("maxSubgroupSize", "SubgroupSizeControlProperties", size);
    profile.max_required_subgroup_size = size;
    if (size == profile.min_subgroup_size) return;
    constexpr const char* kStages = "requiredSubgroupSizeStages";
    const bool can_require =
        device.flag("subgroupSizeControl", "Vulkan13Features", "SubgroupSizeControlFeatures") &&
        (device.lists(kStages, "Vulkan13Properties", {"VK_SHADER_STAGE_COMPUTE_BIT"}) ||
         device.lists(kStages, "SubgroupSizeControlProperties", {"VK_SHADER_STAGE_COMPUTE_BIT"}));
    if (!can_require) profile.max_required_subgroup_size = 0;
    constexpr const char* kMost = "maxComputeWorkgroupSubgroups";
    const uint32_t most = device.number_or(kMost, "Vulkan13Properties", profile.max_required_subgroups);
    profile.max_required_subgroups = device.number_or(kMost, "SubgroupSizeControlProperties", most);
}

void read_dot_products(const Device& device, DeviceProfile& profile) {
    if (!device.flag("shaderIntegerDotProduct", "Vulkan13Features", "ShaderIntegerDotProductFeatures"))
        return;
    const auto products = [&](const std::string& operands) {
        const auto has = [&](const char* before, const char* after) {
            return device.flag(("integerDotProduct" + (before + operands + after) + "Accelerated").c_str(),
                               "Vulkan13Properties", "ShaderIntegerDotProductProperties");
        };
        constexpr const char* kSaturating = "AccumulatingSaturating";
        return DotProducts{
            has("", "Signed"),          has("", "Unsigned"),          has("", "MixedSignedness"),
            has(kSaturating, "Signed"), has(kSaturating, "Unsigned"), has(kSaturating, "MixedSignedness")};
    };
#define DOT_PRODUCTS(member, operands) profile.member = products(#operands);
#include "vulkan/dot_products.def"
}

WidthIndependence independence(const Device& device, const char* name) {
    const std::string text = device.text(name, "Vulkan12Properties", "FloatControlsProperties");
    if (text.ends_with("_INDEPENDENCE_ALL")) return WidthIndependence::All;
    if (text.ends_with("_INDEPENDENCE_32_BIT_ONLY")) return WidthIndependence::Float32Only;
    return WidthIndependence::None;
}

void read_float_controls(const Device& device, DeviceProfile& profile) {
    auto widths = [&](const std::string& property) {
        auto has = [&](const char* width) {
            return device.flag((property + width).c_str(), "Vulkan12Properties", "FloatControlsProperties");
        };
        return OfferedByWidth{has("Float16"), has("Float32"), has("Float64")};
    };
    offer(profile, &FloatControls::preserve_denormals, widths("shaderDenormPreserve"),
          independence(device, "denormBehaviorIndependence"));
    offer(profile, &FloatControls::preserve_special, widths("shaderSignedZeroInfNanPreserve"),
          WidthIndependence::All);
    offer(profile, &FloatControls::round_to_nearest_even, widths("shaderRoundingModeRTE"),
          independence(device, "roundingModeIndependence"));
}

}  // namespace

Result<DeviceProfile> profile_from_json(std::string_view json) {
    const DefaultFloatEnvironment floats;
    const Json root = Json::parse(json, nullptr, /*allow_exceptions=*/false);
    if (root.is_discarded() && (json.starts_with("\xff\xfe") || json.starts_with("\xfe\xff")))
        return Error{
            .message = "it is UTF-16 text, which must be UTF-8 (as 'vulkaninfo --json=0 -o FILE' writes it)"};
    if (root.is_discarded()) return Error{.message = "it is not JSON"};
    const Device device(root);
    if (!device.exists())
        return Error{.message =
                         "it describes no device: there is neither VkPhysicalDeviceFeatures nor "
                         "VkPhysicalDeviceProperties in it ('vulkaninfo --json' writes both)"};
    DeviceProfile profile;
    profile.name = device.name();
    std::tie(profile.api_version_major, profile.api_version_minor) = device.version();
    for (const FeatureRow& row : kFeatures)
        profile.*row.member = device.flag(row.name, row.structures[0], row.structures[1]);
    profile.workgroup_explicit_layout = std::ranges::all_of(
        std::array{"workgroupMemoryExplicitLayout", "workgroupMemoryExplicitLayout8BitAccess",
                   "workgroupMemoryExplicitLayout16BitAccess"},
        [&](const char* name) { return device.flag(name, "WorkgroupMemoryExplicitLayoutFeatures"); });
    profile.fused_fma = profile.fused_half_fma = false;
    read_limits(device, profile);
    read_float_controls(device, profile);
    read_subgroups(device, profile);
    read_dot_products(device, profile);
    const auto driver_text = [&](const char* name) {
        return device.text(name, "Vulkan12Properties", "DriverProperties");
    };
    const Driver driver = driver_of_id(driver_text("driverID"));
    know_driver(profile, driver,
                version_of(driver, device.number("driverVersion", "Properties"), driver_text("driverInfo")));
    return profile;
}

Result<DeviceProfile> load_profile(const std::string& path, const ReadFile& read) {
    const std::optional<std::string> text = read(path);
    if (!text)
        return Error{.message = "cannot read the device profile '" + path + "': " + std::strerror(errno)};
    Result<DeviceProfile> profile = profile_from_json(*text);
    if (!profile) return Error{.message = "device profile '" + path + "': " + profile.error().message};
    return profile;
}

}  // namespace caldera::vulkan
