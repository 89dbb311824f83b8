// SPDX-License-Identifier: Apache-2.0
#include "vulkan/lacking_features.h"

#include "builtins/builtin_library.h"
#include "vulkan/device_extensions.h"
#include "vulkan/runtime/profile.h"
#include "vulkan/runtime/wanted_features.h"

namespace caldera {
namespace {

/// The device, if the application had enabled everything.
vulkan::DeviceProfile whole_profile(const runtime::Device& device) {
    return runtime::make_profile(device.physical(), device.adopted_with()->api_version);
}

}  // namespace

std::string lacking_features(const runtime::Device& device, std::span<const uint32_t> opencl_words,
                             const BuildOptions& options) {
    if (!device.adopted_with() || options.profile) return {};
    const Result<vulkan::Translation> translation =
        vulkan::translate(opencl_words, program_options(whole_profile(device), options), builtin_library());
    if (!translation) return {};
    const runtime::WantedFeatures needed = runtime::needed_features(
        device.physical(), device.adopted_with()->api_version, translation->interface);
    const runtime::FeatureSet lacking = needed.features & ~device.adopted_with()->features;
    std::string names;
    for (size_t i = 0; i < runtime::kFeatureCount; ++i)
        if (lacking.test(i)) names += (names.empty() ? "" : ", ") + std::string(runtime::feature_name(i));
    return names.empty() ? names
                         : "note: the device was made without features that it needs: " + names + "\n";
}

std::string lacking_features(const runtime::Device& device, std::string_view source,
                             const std::string& file_name, const BuildOptions& options) {
    if (!device.adopted_with() || options.profile) return {};
    frontend::CompileOptions compile = options.compile;
    compile.extensions = compile.extensions & device_extensions(whole_profile(device), options.images);
    const frontend::CompileResult compiled = frontend::compile(source, file_name, compile);
    return compiled ? lacking_features(device, compiled.words, options) : std::string();
}

}  // namespace caldera
