// SPDX-License-Identifier: Apache-2.0
#include "vulkan/device_extensions.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace caldera {

namespace {

/// Names of device features, those that are missing.
std::string missing(std::initializer_list<std::pair<bool, const char*>> features) {
    std::string names;
    for (const auto& [offered, name] : features)
        if (!offered) names += (names.empty() ? "" : ", ") + std::string(name);
    return names;
}

/// Calls visit(offered, extensions, the features that are missing), for all extensions that devices may lack.
/// No feature's name means that no device has it.
template <class Visit>
void visit_extensions(const vulkan::DeviceProfile& profile, vulkan::Images images, Visit visit) {
    using enum frontend::Ext;
    using Rows = std::initializer_list<frontend::Ext>;
    const auto only_if = [&](bool offered, Rows rows, const std::string& features) {
        visit(offered, rows, features);
    };
    only_if(profile.float16, {Fp16}, "shaderFloat16");
    // Samples are Vulkan's. Levels in memory are found by addresses. A storage image of Vulkan's has one
    // level, so none is written by its number.
    const bool is_hardware = images == vulkan::Images::Hardware;
    only_if(is_hardware, {GlMsaaSharing}, "");
    only_if(is_hardware || profile.buffer_device_address, {MipmapImage}, "bufferDeviceAddress");
    only_if(!is_hardware && profile.buffer_device_address, {MipmapImageWrites},
            is_hardware ? "" : "bufferDeviceAddress");
    only_if(profile.float16,
            {Fp16GlobalAtomicAdd, Fp16GlobalAtomicLoadStore, Fp16GlobalAtomicMinMax, Fp16LocalAtomicAdd,
             Fp16LocalAtomicLoadStore, Fp16LocalAtomicMinMax},
            "shaderFloat16");
    // A device's clock is the same for all work-items of a work-group.
    only_if(profile.device_clock, {KernelClockDevice, KernelClockWorkGroup}, "shaderDeviceClock");
    only_if(profile.subgroup_clock, {KernelClockSubGroup}, "shaderSubgroupClock");
    only_if(profile.device_clock || profile.subgroup_clock, {KernelClock},
            "shaderDeviceClock or shaderSubgroupClock");
    const bool has_double = vulkan::has_double(profile);
    only_if(has_double, {Fp64, FeatureFp64}, "shaderFloat64");
    // What a block captures is found by an address.
    only_if(profile.buffer_device_address, {DeviceEnqueue}, "bufferDeviceAddress");
    const bool int64_atomics = profile.int64 && profile.buffer_int64_atomics && profile.shared_int64_atomics;
    only_if(int64_atomics, {Int64BaseAtomics, Int64ExtendedAtomics},
            missing({{profile.int64, "shaderInt64"},
                     {profile.buffer_int64_atomics, "shaderBufferInt64Atomics"},
                     {profile.shared_int64_atomics, "shaderSharedInt64Atomics"}}));
    only_if(has_double && int64_atomics,
            {Fp64GlobalAtomicAdd, Fp64GlobalAtomicMinMax, Fp64LocalAtomicAdd, Fp64LocalAtomicMinMax},
            missing({{has_double, "shaderFloat64"},
                     {profile.int64, "shaderInt64"},
                     {profile.buffer_int64_atomics, "shaderBufferInt64Atomics"},
                     {profile.shared_int64_atomics, "shaderSharedInt64Atomics"}}));
    // Vulkan does not guarantee that one sub-group makes progress while another waits for it
    // (CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS), and this extension does. __opencl_c_subgroups has
    // the same functions.
    only_if(false, {Subgroups}, "");
    only_if(profile.subgroups,
            {SubgroupBallot, SubgroupClusteredReduce, SubgroupNonUniformArithmetic, SubgroupNonUniformVote,
             SubgroupRotate, SubgroupShuffleRelative, SubgroupShuffle, IntelSubgroups, IntelSubgroupsChar,
             IntelSubgroupsShort, IntelSubgroupsLong, IntelSubgroupLocalBlockIo},
            "subgroupSupportedOperations (vote, ballot and shuffle)");
    // A device of one size has none to choose. Where programs see this name, they require the sizes of
    // Intel's devices without asking.
    only_if(vulkan::required_subgroup_sizes(profile).size() > 1, {IntelRequiredSubgroupSize},
            "subgroupSizeControl");
}

bool is_named(frontend::Ext extension, std::span<const Diagnostic> diagnostics) {
    return std::ranges::any_of(diagnostics, [&](const Diagnostic& diagnostic) {
        return diagnostic.severity == Severity::Error &&
               diagnostic.text.find(frontend::macro_name(extension)) != std::string::npos;
    });
}

}  // namespace

frontend::ExtSet device_extensions(const vulkan::DeviceProfile& profile, vulkan::Images images) {
    frontend::ExtSet set = frontend::ExtSet::all();
    visit_extensions(profile, images,
                     [&](bool offered, std::initializer_list<frontend::Ext> rows, const auto&) {
                         if (offered) return;
                         for (const frontend::Ext row : rows) set.set(row, false);
                     });
    return set;
}

std::string explain_extensions(const vulkan::DeviceProfile& profile,
                               std::span<const Diagnostic> diagnostics) {
    std::string notes;
    visit_extensions(
        profile, vulkan::Images::Memory,
        [&](bool offered, std::initializer_list<frontend::Ext> rows, const std::string& features) {
            if (offered || features.empty()) return;
            const auto* named =
                std::ranges::find_if(rows, [&](frontend::Ext row) { return is_named(row, diagnostics); });
            if (named == rows.end()) return;
            const bool is_one = features.find(", ") == std::string::npos;
            notes += "note: " + std::string(frontend::macro_name(*named)) + " needs the feature" +
                     (is_one ? " " : "s ") + features + ", which " + profile.name + " does not have\n";
        });
    return notes;
}

frontend::ExtSet offline_extensions(const vulkan::DeviceProfile& profile, vulkan::Images images) {
    using enum frontend::Ext;
    frontend::ExtSet set = device_extensions(profile, images);
    if (!profile.buffer_device_address)
        for (const frontend::Ext row : {Images, FeatureImageWrites3D, ReadWriteImages, ImageWrites3D,
                                        DepthImages, ImageUnormInt2_101010, ImageRaw10Raw12})
            set.set(row, false);
    return set;
}

}  // namespace caldera
