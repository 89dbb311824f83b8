// SPDX-License-Identifier: Apache-2.0
#include "vulkan/lacking_features.h"

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "builtins/builtin_library.h"
#include "vulkan/runtime/profile.h"
#include "vulkan/runtime/wanted_features.h"
#include "vulkan/translate/reflect/reflect.h"

namespace caldera {
namespace {

using runtime::Feature, runtime::FeatureSet;

/// The program in OpenCL SPIR-V, compiled for a device; none if the front end declines it there.
using WordsFor = std::function<std::optional<std::vector<uint32_t>>(const vulkan::DeviceProfile&)>;

/// The device, if the application had enabled everything.
vulkan::DeviceProfile whole_profile(const runtime::Device& device) {
    return runtime::make_profile(device.physical(), device.adopted_with()->api_version);
}

/// The program on a device; none if it cannot be built there.
std::optional<vulkan::Translation> translation_on(const vulkan::DeviceProfile& profile,
                                                  const WordsFor& words_for, const BuildOptions& options) {
    const std::optional<std::vector<uint32_t>> words = words_for(profile);
    if (!words) return std::nullopt;
    Result<vulkan::Translation> translation =
        vulkan::translate(*words, program_options(profile, options), builtin_library());
    if (!translation) return std::nullopt;
    const vulkan::ProgramInterface& program = translation->interface;
    if (program.abi == vulkan::Abi::Descriptors)
        for (const vulkan::Kernel& kernel : program.kernels)
            if (vulkan::storage_buffers(program, kernel) > profile.max_storage_buffers) return std::nullopt;
    return translation.take();
}

/// The features that the device lacks and the program needs. A program uses more on a device with everything:
/// Vulkan's 16-bit integers there, and emulated ones elsewhere. So each is left out if a build does without.
FeatureSet lacking_set(const runtime::Device& device, const WordsFor& words_for,
                       const BuildOptions& options) {
    const runtime::EnabledFeatures& had = *device.adopted_with();
    const auto whole = translation_on(whole_profile(device), words_for, options);
    if (!whole) return {};
    const runtime::WantedFeatures needed = runtime::needed_features(
        device.physical(), had.api_version, whole->interface, whole->checked_features);
    const auto builds = [&](const FeatureSet& more) {
        runtime::EnabledFeatures enabled = had;
        enabled.features |= more;
        enabled.extensions.insert(enabled.extensions.end(), needed.extensions.begin(),
                                  needed.extensions.end());
        const auto has = [&](Feature feature) { return enabled.features.test(static_cast<size_t>(feature)); };
        // Device::adopt() declines such a device.
        if (has(Feature::vulkanMemoryModel) && !has(Feature::vulkanMemoryModelDeviceScope)) return false;
        const runtime::FeatureChain chain(device.physical(), enabled);
        return translation_on(runtime::make_profile(device.physical(), chain), words_for, options)
            .has_value();
    };
    FeatureSet lacking = needed.features & ~had.features;
    if (!builds(lacking)) return lacking;
    for (size_t i = 0; i < runtime::kFeatureCount; ++i)
        if (lacking.test(i) && builds(FeatureSet(lacking).reset(i))) lacking.reset(i);
    return lacking;
}

std::string note_of(const FeatureSet& lacking) {
    std::string names;
    for (size_t i = 0; i < runtime::kFeatureCount; ++i)
        if (lacking.test(i)) names += (names.empty() ? "" : ", ") + std::string(runtime::feature_name(i));
    return names.empty() ? names
                         : "note: the device was made without features that it needs: " + names + "\n";
}

/// The options of a trial, which nobody observes.
BuildOptions on_trial(BuildOptions options) {
    options.after_pass = {};
    return options;
}

}  // namespace

std::string lacking_features(const runtime::Device& device, std::span<const uint32_t> opencl_words,
                             const BuildOptions& options) {
    if (!device.adopted_with() || options.profile) return {};
    const auto same_words = [&](const vulkan::DeviceProfile&) {
        return std::optional(std::vector(opencl_words.begin(), opencl_words.end()));
    };
    return note_of(lacking_set(device, same_words, on_trial(options)));
}

std::string lacking_features(const runtime::Device& device, std::string_view source,
                             const std::string& file_name, const BuildOptions& options) {
    if (!device.adopted_with() || options.profile) return {};
    std::vector<std::pair<frontend::ExtSet, std::optional<std::vector<uint32_t>>>> known;
    const auto words_for = [&](const vulkan::DeviceProfile& profile) {
        const frontend::CompileOptions compile = compile_options(profile, options);
        for (const auto& [extensions, words] : known)
            if (extensions == compile.extensions) return words;
        frontend::CompileResult compiled = frontend::compile(source, file_name, compile);
        known.push_back({compile.extensions, std::nullopt});
        if (compiled) known.back().second = std::move(compiled.words);
        return known.back().second;
    };
    return note_of(lacking_set(device, words_for, on_trial(options)));
}

}  // namespace caldera
