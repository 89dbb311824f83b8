// SPDX-License-Identifier: Apache-2.0
// Devices of applications, and the features that these enable.
#include "caldera/adopt.h"

#include "builtins/builtin_library.h"
#include "library/objects.h"
#include "library/options.h"
#include "spirv/support/float_environment.h"
#include "spirv/support/try.h"
#include "vulkan/runtime/open_device.h"
#include "vulkan/runtime/profile.h"

namespace caldera {

using detail::Access;

namespace {

Result<Done> check_physical(const PhysicalDevice& physical) {
    return runtime::check_physical(physical.instance, physical.physical_device, physical.api_version);
}

vulkan::DeviceProfile profile_of(const PhysicalDevice& physical) {
    return runtime::make_profile(physical.physical_device, physical.api_version);
}

/// What the forms of a module need that build_program() makes.
Result<runtime::WantedFeatures> features_of(const PhysicalDevice& physical,
                                            std::span<const uint32_t> opencl_words,
                                            const BuildOptions& options) {
    const vulkan::DeviceProfile profile = options.profile.value_or(profile_of(physical));
    const vulkan::TranslateOptions translate = program_options(profile, options);
    const Result<vulkan::Translation> translation =
        vulkan::translate(opencl_words, translate, builtin_library());
    if (!translation) return translation.error();
    const auto needed = [&](const vulkan::Translation& made) {
        return runtime::needed_features(physical.physical_device, physical.api_version, made.interface,
                                        made.checked_features);
    };
    runtime::WantedFeatures wanted = needed(*translation);
    if (options.abi || !runtime::prefers_descriptors(profile)) return wanted;
    const Result<vulkan::Translation> by_descriptors =
        vulkan::translate(opencl_words, descriptor_form_options(translate), builtin_library());
    if (by_descriptors) runtime::add_features(wanted, needed(*by_descriptors));
    return wanted;
}

}  // namespace

// ---- RequiredFeatures ----

std::vector<std::string> RequiredFeatures::names() const {
    std::vector<std::string> names;
    for (size_t i = 0; i < runtime::kFeatureCount; ++i)
        if (impl_->wanted.features.test(i)) names.emplace_back(runtime::feature_name(i));
    return names;
}

const std::vector<const char*>& RequiredFeatures::extensions() const { return impl_->wanted.extensions; }

Result<Done> RequiredFeatures::add(std::string_view name) {
    TRY(detail::check_exists(*this, "list of features"));
    const std::optional<size_t> feature = runtime::feature_named(name);
    if (!feature) return Error{.message = "Caldera uses no feature '" + std::string(name) + "'"};
    return runtime::add_feature(impl_->wanted, impl_->physical.physical_device, impl_->physical.api_version,
                                *feature);
}

Result<Done> RequiredFeatures::add(const ProgramInterface& interface) {
    TRY(detail::check_exists(*this, "list of features"));
    runtime::add_features(impl_->wanted, runtime::needed_features(impl_->physical.physical_device,
                                                                  impl_->physical.api_version, interface));
    return Done{};
}

Result<Done> RequiredFeatures::enable_in(VkPhysicalDeviceFeatures2* chain) {
    TRY(detail::check_exists(*this, "list of features"));
    if (!chain) return Error{.message = "the chain is null"};
    impl_->of_others.enable_in(*chain, impl_->wanted.features);
    return Done{};
}

VkPhysicalDeviceFeatures2* RequiredFeatures::chain() {
    impl_->of_own_chain.enable_in(impl_->own_chain, impl_->wanted.features);
    return &impl_->own_chain;
}

Result<RequiredFeatures> required_features(const PhysicalDevice& physical,
                                           std::span<const std::span<const uint32_t>> opencl_modules,
                                           const ProgramOptions& options) {
    TRY(check_physical(physical));
    const DefaultFloatEnvironment floats;
    const Result<BuildOptions> build = detail::build_options(options, profile_of(physical));
    if (!build) return build.error();
    runtime::WantedFeatures wanted;
    for (const std::span<const uint32_t> words : opencl_modules) {
        const Result<runtime::WantedFeatures> of_module = features_of(physical, words, *build);
        if (!of_module) return of_module.error();
        runtime::add_features(wanted, *of_module);
    }
    return Access::make<RequiredFeatures>(physical, std::move(wanted));
}

Result<RequiredFeatures> all_features(const PhysicalDevice& physical) {
    TRY(check_physical(physical));
    return Access::make<RequiredFeatures>(
        physical, runtime::usable_features(physical.physical_device, physical.api_version));
}

Result<DeviceProfile> physical_device_profile(const PhysicalDevice& physical) {
    TRY(check_physical(physical));
    return detail::handle_of(profile_of(physical));
}

// ---- Device ----

Result<Device> Device::adopt(const AdoptOptions& options) {
    const auto checks = detail::reported_kinds(options.checks);
    if (!checks) return checks.error();
    runtime::AdoptedDevice given{
        .instance = options.physical.instance,
        .physical = options.physical.physical_device,
        .device = options.device,
        .enabled = {.api_version = options.physical.api_version, .extensions = options.extensions},
        .recording_families = options.recording_families,
        .lock = options.lock,
        .unlock = options.unlock,
        .get_instance_proc_addr = reinterpret_cast<PFN_vkGetInstanceProcAddr>(options.get_instance_proc_addr),
        .disk_cache = options.disk_cache,
        .checks = *checks,
        .robust = options.checks.robust,
        .loop_turns = options.checks.loop_turns,
        .on_fault = options.checks.on_fault};
    if (options.features) given.enabled.features = runtime::features_in(*options.features);
    for (const AdoptedQueue& queue : options.queues) given.queues.push_back({queue.queue, queue.family});
    Result<std::unique_ptr<runtime::Device>> device = runtime::adopt_device(given);
    if (!device) return device.error();
    return Access::make<Device>(device.take());
}

}  // namespace caldera
