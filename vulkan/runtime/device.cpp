// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/device.h"
#include "vulkan/runtime/active_tools.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "spirv/support/environment.h"
#include "spirv/support/threads.h"
#include "spirv/support/try.h"
#include "vulkan/runtime/background_tasks.h"
#include "vulkan/runtime/clock_keeper.h"
#include "vulkan/runtime/compiled_module.h"
#include "vulkan/runtime/device_properties.h"
#include "vulkan/runtime/fault_reporter.h"
#include "vulkan/runtime/profile.h"
#include "vulkan/runtime/samplers.h"
#include "vulkan/runtime/settings.h"
#include "vulkan/runtime/wanted_features.h"

namespace caldera::runtime {
namespace {

/// A program's queues may be three that copy to the device, compute, and copy from it. Each queue takes an
/// H200's driver 20 ms to make, and 8 when the process ends.
constexpr uint32_t kMaxQueues = 3, kMaxCopyQueues = 2;

const char* text(VkResult result) {
    switch (result) {
        case VK_ERROR_OUT_OF_HOST_MEMORY: return "out of host memory";
        case VK_ERROR_OUT_OF_DEVICE_MEMORY: return "out of device memory";
        case VK_ERROR_INITIALIZATION_FAILED: return "initialisation failed";
        case VK_ERROR_DEVICE_LOST: return "device lost";
        case VK_ERROR_MEMORY_MAP_FAILED: return "mapping failed";
        case VK_ERROR_LAYER_NOT_PRESENT: return "layer not present";
        case VK_ERROR_EXTENSION_NOT_PRESENT: return "extension not present";
        case VK_ERROR_FEATURE_NOT_PRESENT: return "feature not present";
        case VK_ERROR_INCOMPATIBLE_DRIVER: return "incompatible driver";
        case VK_ERROR_TOO_MANY_OBJECTS: return "too many objects";
        case VK_TIMEOUT: return "timed out";
        default: return "unexpected result";
    }
}

/// Converts only ASCII letters: names have no others, and in a Turkish locale the lower case of I is not i.
std::string lower(std::string_view text) {
    std::string out(text);
    std::ranges::transform(
        out, out.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return out;
}

/// The number of compute units, if an extension reports it.
uint32_t count_compute_units(VkPhysicalDevice physical) {
    if (has_extension(physical, VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME)) {
        const auto nvidia = properties_of<VkPhysicalDeviceShaderSMBuiltinsPropertiesNV>(
            physical, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SM_BUILTINS_PROPERTIES_NV);
        return nvidia.shaderSMCount;
    }
    if (has_extension(physical, VK_AMD_SHADER_CORE_PROPERTIES_EXTENSION_NAME)) {
        const auto amd = properties_of<VkPhysicalDeviceShaderCorePropertiesAMD>(
            physical, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_PROPERTIES_AMD);
        return amd.shaderEngineCount * amd.shaderArraysPerEngineCount * amd.computeUnitsPerShaderArray;
    }
    return 1;
}

VkPhysicalDeviceIDProperties ids_of(VkPhysicalDevice physical) {
    return properties_of<VkPhysicalDeviceIDProperties>(physical,
                                                       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES);
}

SizeLimits size_limits_of(VkPhysicalDevice physical, const FeatureChain& features,
                          const std::optional<QueueFamilies>& families) {
    return size_limits(physical, features.api_version, features.v12.bufferDeviceAddress,
                       features.core.features.sparseBinding && families && families->sparse);
}

/// Fills in the properties of a usable device.
void describe_usable(VkInstance instance, VkPhysicalDevice physical, DeviceInfo& info) {
    info.properties = properties_of(physical);
    info.ids = ids_of(physical);
    if (has_extension(physical, VK_EXT_PCI_BUS_INFO_EXTENSION_NAME))
        info.pci = properties_of<VkPhysicalDevicePCIBusInfoPropertiesEXT>(
            physical, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PCI_BUS_INFO_PROPERTIES_EXT);
    const FeatureChain features(physical);
    info.profile = make_profile(physical, features);
    info.profile.matrix_products = matrix_products(instance, physical, features);
    info.subgroup_launch = subgroup_launch(physical, features);
    const auto families = queue_families(physical);
    info.max_buffer_bytes = size_limits_of(physical, features, families).buffer;
    if (families) info.timestamp_bits = families->compute.properties.timestampValidBits;
    info.compute_units = std::max(count_compute_units(physical), 1u);
    info.external = external_handles(physical, info.profile.buffer_device_address);
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(physical, &memory);
    info.memory_bytes = device_local_bytes(memory);
    info.unified_memory = true;
    for (uint32_t h = 0; h < memory.memoryHeapCount; ++h)
        info.unified_memory &= (memory.memoryHeaps[h].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0;
}

/// Several queues for kernels, some that copy, and one that binds memory to buffers if those cannot.
std::vector<VkDeviceQueueCreateInfo> wanted_queues(const QueueFamilies& families) {
    static constexpr std::array<float, std::max(kMaxQueues, kMaxCopyQueues)> kPriorities = {1, 1, 1};
    std::vector<VkDeviceQueueCreateInfo> wanted;
    const auto want = [&](const std::optional<QueueFamily>& family, uint32_t most) {
        if (!family || std::ranges::find(wanted, family->index, &VkDeviceQueueCreateInfo::queueFamilyIndex) !=
                           wanted.end())
            return;
        wanted.push_back({.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                          .queueFamilyIndex = family->index,
                          .queueCount = std::min(family->properties.queueCount, most),
                          .pQueuePriorities = kPriorities.data()});
    };
    want(families.compute, kMaxQueues);
    want(families.copies, kMaxCopyQueues);
    want(families.sparse, 1);
    return wanted;
}

/// What can be told of an application's handles.
Result<Done> check_handles(const AdoptedDevice& given) {
    if (given.get_instance_proc_addr && given.get_instance_proc_addr(nullptr, "vkCreateInstance") !=
                                            vkGetInstanceProcAddr(nullptr, "vkCreateInstance"))
        return Error{.message = "vkGetInstanceProcAddr is not that of the Vulkan loader which Caldera calls"};
    TRY(check_physical(given.instance, given.physical, given.enabled.api_version));
    if (!given.device) return Error{.message = "the device is null"};
    if (!given.lock != !given.unlock)
        return Error{.message = "the queues have a lock without an unlock, or the other way round"};
    return Done{};
}

DeviceInfo describe(VkInstance instance, VkPhysicalDevice physical) {
    const VkPhysicalDeviceProperties properties = properties_of(physical);
    DeviceInfo info{.name = properties.deviceName,
                    .api_version = properties.apiVersion,
                    .lacks = missing_feature(physical)};
    info.usable = info.lacks.empty();
    if (info.usable) describe_usable(instance, physical, info);
    if (has_core_or_extension(physical, VK_API_VERSION_1_2, VK_KHR_DRIVER_PROPERTIES_EXTENSION_NAME)) {
        const auto driver = properties_of<VkPhysicalDeviceDriverProperties>(
            physical, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES);
        info.driver = std::string(driver.driverName) + " " + driver.driverInfo;
    }
    return info;
}

}  // namespace

Error vulkan_error(const char* call, VkResult result) {
    return {.message = std::string(call) + " failed: " + text(result) + " (" + std::to_string(result) + ")",
            .code = result};
}

int preference(VkPhysicalDeviceType type) {
    switch (type) {
        case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: return 0;
        case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: return 1;
        case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU: return 2;
        default: return 3;
    }
}

Result<Done> check_physical(VkInstance instance, VkPhysicalDevice physical, uint32_t api_version) {
    if (!instance) return Error{.message = "the instance is null"};
    if (!physical) return Error{.message = "the physical device is null"};
    const std::vector<VkPhysicalDevice> devices = physical_devices(instance);
    if (std::ranges::find(devices, physical) == devices.end())
        return Error{.message = "the physical device is not one of the instance"};
    if (api_version < VK_API_VERSION_1_1)
        return Error{.message = "the instance is made for Vulkan " +
                                std::to_string(VK_API_VERSION_MAJOR(api_version)) + "." +
                                std::to_string(VK_API_VERSION_MINOR(api_version)) +
                                ", and Caldera needs Vulkan 1.1",
                     .code = VK_ERROR_INCOMPATIBLE_DRIVER};
    if (const std::string lacks = missing_feature(physical); !lacks.empty())
        return Error{.message = "the device lacks " + lacks, .code = VK_ERROR_FEATURE_NOT_PRESENT};
    return Done{};
}

bool prefers_descriptors(const vulkan::DeviceProfile& profile) {
    enum { Auto, Addresses, Descriptors };
    constexpr std::string_view kWords[] = {"auto", "addresses", "descriptors"};
    const size_t buffers = word_setting("CALDERA_BUFFERS", kWords);
    return profile.buffer_device_address && buffers != Addresses &&
           (buffers == Descriptors || profile.quirks.slow_addresses);
}

Textures preferred_textures(const vulkan::DeviceProfile& profile) {
    enum { Auto, Memory, Hardware };
    constexpr std::string_view kWords[] = {"auto", "memory", "hardware"};
    const size_t images = word_setting("CALDERA_IMAGES", kWords);
    if (!profile.buffer_device_address || images == Memory) return Textures::None;
    if (images == Hardware) return Textures::All;
    if (profile.quirks.fast_textures) return Textures::Better;
    return profile.quirks.slow_to_decode ? Textures::Many : Textures::None;
}

bool selects(std::string_view select, const DeviceInfo& info, size_t index) {
    size_t wanted = 0;
    const auto [end, error] = std::from_chars(select.data(), select.data() + select.size(), wanted);
    if (error == std::errc{} && end == select.data() + select.size()) return wanted == index;
    return lower(info.name).find(lower(select)) != std::string::npos;
}

Result<std::vector<DeviceInfo>> list_devices() {
    const WhileStartingThreads starting;
    const Result<std::shared_ptr<const Instance>> instance = Instance::shared();
    if (!instance) return instance.error();
    std::vector<DeviceInfo> devices;
    for (VkPhysicalDevice physical : (*instance)->devices())
        devices.push_back(runtime::describe((*instance)->vk(), physical));
    return devices;
}

/// Whether the validation layer misses the layout in which others gave an image to this device. It knows
/// nothing of them, and says so until its version 1.4.304 (Vulkan-ValidationLayers, issue 8940).
static bool is_of_shared_layout(std::string_view message) {
    return message.find("current layout is VK_IMAGE_LAYOUT_UNDEFINED") != message.npos;
}

VkBool32 Device::on_message(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                            const VkDebugUtilsMessengerCallbackDataEXT* data, void* user) {
    Device& device = *static_cast<Device*>(user);
    const CallersFloatEnvironment callers;
    if (device.shares_images_ && is_of_shared_layout(data->pMessage)) return VK_FALSE;
    ++device.validation_messages_;
    if (device.on_validation_)
        device.on_validation_(data->pMessage);
    else
        std::fprintf(stderr, "%s\n", data->pMessage);
    return VK_FALSE;
}

Result<Done> Device::create_instance(const DeviceOptions& options) {
    const bool validation = options.validation || flag_setting("CALDERA_VALIDATION", false);
    Result<std::shared_ptr<const Instance>> instance =
        validation ? Instance::with_validation() : Instance::shared();
    if (!instance) return instance.error();
    own_instance_ = instance.take();
    instance_ = own_instance_->vk();
    if (!validation) return Done{};

    on_validation_ = options.on_validation;
    const VkDebugUtilsMessengerCreateInfoEXT info{
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity =
            VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = on_message,
        .pUserData = this};
    const auto create = reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(
        vkGetInstanceProcAddr(instance_, "vkCreateDebugUtilsMessengerEXT"));
    if (const VkResult result = create(instance_, &info, nullptr, &messenger_); result != VK_SUCCESS)
        return vulkan_error("vkCreateDebugUtilsMessengerEXT", result);
    return Done{};
}

Result<Done> Device::choose(const std::string& select) {
    const std::vector<VkPhysicalDevice> devices = own_instance_->devices();
    if (devices.empty()) return Error{.message = "no Vulkan device was found"};

    struct Candidate {
        VkPhysicalDevice physical;
        DeviceInfo info;
    };
    std::vector<Candidate> candidates;
    std::string names;
    for (size_t i = 0; i < devices.size(); ++i) {
        DeviceInfo info = runtime::describe(own_instance_->vk(), devices[i]);
        names += (names.empty() ? "" : ", ") + info.name;
        if (select.empty() || selects(select, info, i)) candidates.push_back({devices[i], std::move(info)});
    }
    if (candidates.empty())
        return Error{.message = "no Vulkan device matches '" + select + "'; available devices: " + names};
    if (select.empty())
        std::ranges::stable_sort(candidates, {}, [](const Candidate& candidate) {
            return std::pair(!candidate.info.usable, preference(candidate.info.properties.deviceType));
        });
    physical_ = candidates.front().physical;
    name_ = candidates.front().info.name;
    external_ = candidates.front().info.external;
    if (const std::string& lacks = candidates.front().info.lacks; !lacks.empty())
        return Error{.message = "the Vulkan device '" + name_ + "' lacks " + lacks,
                     .code = VK_ERROR_FEATURE_NOT_PRESENT};
    return Done{};
}

/// What the chain says of the device.
void Device::describe(const FeatureChain& features) {
    profile_ = make_profile(physical_, features);
    profile_.matrix_products = matrix_products(instance_, physical_, features);
    name_ = profile_.name;
    ids_ = ids_of(physical_);
    properties_ = properties_of(physical_);
    properties_.apiVersion = features.api_version;
    is_cpu_ = properties_.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    may_refuse_to_compile_ = features.v13.pipelineCreationCacheControl;
    subgroup_launch_ = runtime::subgroup_launch(physical_, features);
    has_renderdoc_ = runtime::has_renderdoc(instance_, physical_, features.api_version);
}

Result<Done> Device::create_device() {
    FeatureChain features(physical_);
    describe(features);
    const auto families = queue_families(physical_);
    if (!families) return Error{.message = "the Vulkan device '" + name_ + "' has no compute queue"};
    families_ = *families;
    const std::vector<VkDeviceQueueCreateInfo> queues = wanted_queues(*families);
    std::vector<const char*> extensions = features.extensions;
    extensions.insert(extensions.end(), external_.extensions.begin(), external_.extensions.end());
    placed_maps_ = PlacedMaps::find(instance_, physical_);
    for (const char* name : placed_maps_.extensions()) extensions.push_back(name);
    const VkDeviceCreateInfo info{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                  .pNext = placed_maps_.enable_before(&features.core),
                                  .queueCreateInfoCount = static_cast<uint32_t>(queues.size()),
                                  .pQueueCreateInfos = queues.data(),
                                  .enabledExtensionCount = static_cast<uint32_t>(extensions.size()),
                                  .ppEnabledExtensionNames = extensions.data()};
    if (const VkResult result = vkCreateDevice(physical_, &info, nullptr, &device_); result != VK_SUCCESS)
        return vulkan_error("vkCreateDevice", result);
    own_device_.reset(device_);
    external_functions_ = runtime::external_functions(device_, external_);
    placed_maps_.find_function(device_);
    get_queues(queues);
    return make_own(features);
}

/// What Caldera makes for itself on the device, whose queues are known.
Result<Done> Device::make_own(const FeatureChain& features) {
    size_limits_ = size_limits_of(physical_, features, families_);
    timestamp_bits_ = families_.compute.properties.timestampValidBits;
    find_functions(features);
    clock_ = std::make_unique<DeviceClock>(
        instance_, physical_, device_, features.has_extension(VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME),
        timestamp_bits_);
    allocator_ = std::make_unique<Allocator>(physical_, device_, has_addresses());
    samplers_ = std::make_unique<Samplers>(device_);
    Result<PipelineLayoutHandle> layout = make_pipeline_layout({});
    if (!layout) return layout.error();
    pipeline_layout_ = layout.take();
    return Done{};
}

void Device::find_functions(const FeatureChain& features) {
    const bool is_core = properties_.apiVersion >= VK_API_VERSION_1_2;
    const auto find = [&](auto& function, const char* core, const char* extension) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
            vkGetDeviceProcAddr(device_, is_core ? core : extension));
    };
    if (features.v12.bufferDeviceAddress)
        find(functions_.get_buffer_device_address, "vkGetBufferDeviceAddress", "vkGetBufferDeviceAddressKHR");
    if (features.v12.hostQueryReset)
        find(functions_.reset_query_pool, "vkResetQueryPool", "vkResetQueryPoolEXT");
    if (!features.v12.timelineSemaphore) return;
    find(functions_.get_semaphore_counter_value, "vkGetSemaphoreCounterValue",
         "vkGetSemaphoreCounterValueKHR");
    find(functions_.wait_semaphores, "vkWaitSemaphores", "vkWaitSemaphoresKHR");
}

void Device::get_queues(std::span<const VkDeviceQueueCreateInfo> created) {
    for (const VkDeviceQueueCreateInfo& family : created)
        for (uint32_t i = 0; i < family.queueCount; ++i) {
            VkQueue queue = VK_NULL_HANDLE;
            vkGetDeviceQueue(device_, family.queueFamilyIndex, i, &queue);
            queues_[family.queueFamilyIndex].push_back(queue);
        }
}

/// Drivers for the processor compile and run here what is submitted. Mesa's start a thread when a batch has
/// to wait. driver_quirks.def: sets_the_float_environment, blocks_signals.
VkResult Device::submit(VkQueue queue, const VkSubmitInfo& batch, VkFence fence) {
    const DefaultFloatEnvironment floats;
    const auto submit = [&] {
        std::optional<BlockedSignals> blocked;
        if (batch.waitSemaphoreCount != 0) blocked.emplace();
        const Submission hold(*this, queue);
        return vkQueueSubmit(queue, 1, &batch, fence);
    };
    const VkResult result = submit();
    if (clock_keeper_) clock_keeper_->launched();
    return result;
}

VkResult Device::wait_idle(VkQueue queue) {
    const DefaultFloatEnvironment floats;
    const Submission hold(*this, queue);
    return vkQueueWaitIdle(queue);
}

Result<Done> Device::bind_sparse(const VkSparseBufferMemoryBindInfo& binds) {
    const VkFenceCreateInfo fence_info{.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    FenceHandle owner;
    if (const VkResult result = owner.make(device_, vkCreateFence, fence_info); result != VK_SUCCESS)
        return vulkan_error("vkCreateFence", result);
    const VkFence fence = owner.get();
    const VkBindSparseInfo info{
        .sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO, .bufferBindCount = 1, .pBufferBinds = &binds};
    {
        const VkQueue queue = queues_.at(families_.sparse->index).back();
        const WhileStartingThreads starting;
        const Submission hold(*this, queue);
        if (const VkResult result = vkQueueBindSparse(queue, 1, &info, fence); result != VK_SUCCESS)
            return vulkan_error("vkQueueBindSparse", result);
    }
    if (const VkResult result = vkWaitForFences(device_, 1, &fence, VK_TRUE, UINT64_MAX);
        result != VK_SUCCESS)
        return vulkan_error("vkWaitForFences", result);
    return Done{};
}

Result<PipelineLayoutHandle> Device::make_pipeline_layout(std::span<const VkDescriptorSetLayout> sets) const {
    const VkPushConstantRange range{.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
                                    .size = limits().maxPushConstantsSize};
    const VkPipelineLayoutCreateInfo info{.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                          .setLayoutCount = static_cast<uint32_t>(sets.size()),
                                          .pSetLayouts = sets.data(),
                                          .pushConstantRangeCount = 1,
                                          .pPushConstantRanges = &range};
    PipelineLayoutHandle layout;
    if (const VkResult result = layout.make(device_, vkCreatePipelineLayout, info); result != VK_SUCCESS)
        return vulkan_error("vkCreatePipelineLayout", result);
    return layout;
}

/// Without addresses nothing is checked: programs are declined when they are built.
Result<Done> Device::read_checks(const DeviceOptions& wanted) {
    Result<CheckOptions> options = check_options_of_environment();
    if (!options) return options.error();
    using enum vulkan::MemoryChecks;
    checks_ = wanted.checks.value_or(options->checks);
    if (wanted.robust.value_or(options->robust)) checks_ = checks_ | Guard;
    loop_turns_ = wanted.loop_turns ? wanted.loop_turns : options->loop_turns;
    if (has(checks_, Guard) && loop_turns_ != 0) checks_ = checks_ | EndLoops;
    if (wanted.on_fault)
        options->on_fault = std::make_shared<const std::function<void(const FaultReport&)>>(wanted.on_fault);
    if (checks_ == None) return Done{};
    allocations_ = std::make_unique<AllocationTable>();
    fault_reporter_ = std::make_unique<FaultReporter>(options.take(), *allocations_);
    return Done{};
}

Result<std::unique_ptr<Device>> Device::create(const DeviceOptions& options) {
    std::unique_ptr<Device> device(new Device());
    TRY(device->read_checks(options));
    TRY(device->create_instance(options));
    const std::string select =
        options.select.empty() ? std::string(environment("CALDERA_DEVICE")) : options.select;
    TRY(device->choose(select));
    TRY(device->create_device());
    if (options.disk_cache) device->disk_cache_ = DiskCache::of_user();
    return device;
}

namespace {

/// The mutex of those that submit to an application's device. All that adopt the same one share it: each may
/// be of a library that does not know of the others.
std::shared_ptr<std::shared_mutex> submission_mutex(VkDevice device) {
    struct Table {
        std::mutex mutex = {};
        std::map<VkDevice, std::weak_ptr<std::shared_mutex>> mutexes = {};
    };
    static Table& table = *new Table;  // also for what the process does at its end
    const std::lock_guard lock(table.mutex);
    std::erase_if(table.mutexes, [](const auto& entry) { return entry.second.expired(); });
    std::weak_ptr<std::shared_mutex>& known = table.mutexes[device];
    std::shared_ptr<std::shared_mutex> mutex = known.lock();
    if (!mutex) known = mutex = std::make_shared<std::shared_mutex>();
    return mutex;
}

}  // namespace

/// The queues of an application by their use.
Result<Done> Device::adopt_queues(const AdoptedDevice& given) {
    const std::vector<VkQueueFamilyProperties> properties = all_queue_families(physical_);
    std::optional<QueueFamily> compute, copies;
    const auto check_exists = [&](uint32_t family) {
        return family < properties.size()
                   ? Result<Done>(Done{})
                   : Error{.message = "the device has no queue family " + std::to_string(family)};
    };
    for (const AdoptedQueue& queue : given.queues) {
        if (!queue.queue) return Error{.message = "a queue is null"};
        TRY(check_exists(queue.family));
        const VkQueueFlags flags = properties[queue.family].queueFlags;
        const bool computes = flags & VK_QUEUE_COMPUTE_BIT;
        if (!computes && !(flags & (VK_QUEUE_TRANSFER_BIT | VK_QUEUE_GRAPHICS_BIT)))
            return Error{.message =
                             "queue family " + std::to_string(queue.family) + " neither computes nor copies"};
        std::optional<QueueFamily>& chosen = computes ? compute : copies;
        if (chosen && chosen->index != queue.family)
            return Error{.message = std::string("the queues that ") + (computes ? "compute" : "only copy") +
                                    " are of two families, " + std::to_string(chosen->index) + " and " +
                                    std::to_string(queue.family)};
        chosen = {queue.family, properties[queue.family]};
        queues_[queue.family].push_back(queue.queue);
    }
    if (!compute) return Error{.message = "there is no queue of a family that computes"};
    for (const uint32_t family : given.recording_families) {
        TRY(check_exists(family));
        if (!(properties[family].queueFlags & VK_QUEUE_COMPUTE_BIT))
            return Error{.message = "queue family " + std::to_string(family) +
                                    ", of command buffers for recordings, does not compute"};
    }
    families_ = {.compute = *compute, .copies = copies, .recording = given.recording_families};
    for (const std::optional<QueueFamily>& family : {copies, compute})
        if (!families_.sparse && family && family->properties.queueFlags & VK_QUEUE_SPARSE_BINDING_BIT)
            families_.sparse = family;
    return Done{};
}

Result<std::unique_ptr<Device>> Device::adopt(const AdoptedDevice& given) {
    TRY(check_handles(given));
    std::unique_ptr<Device> device(new Device());
    TRY(device->read_checks({.checks = given.checks,
                             .robust = given.robust,
                             .loop_turns = given.loop_turns,
                             .on_fault = given.on_fault}));
    device->instance_ = given.instance;
    device->physical_ = given.physical;
    device->device_ = given.device;
    device->adopted_with_ = given.enabled;
    device->lock_queue_ = given.lock;
    device->unlock_queue_ = given.unlock;
    device->submitting_ = submission_mutex(given.device);
    TRY(check_enabled(given.physical, given.enabled));
    const FeatureChain features(given.physical, given.enabled);
    device->describe(features);
    TRY(device->adopt_queues(given));
    TRY(device->make_own(features));
    if (given.disk_cache) device->disk_cache_ = DiskCache::of_user();
    return device;
}

void Device::note(const Findings& found) {
    profile_.fused_fma = found.fused_fma;
    profile_.fused_half_fma = found.fused_half_fma;
    profile_.exact_exp2_sqrt = found.exact_exp2_sqrt;
    profile_.exact_half_packing = found.exact_half_packing;
    profile_.keeps_float_denormals = found.keeps_float_denormals;
    profile_.linear_subgroups = found.linear_subgroups;
    keeps_double_denormals_ = found.keeps_double_denormals;
    if (!keeps_double_denormals_ && wants_emulated_doubles()) vulkan::emulate_doubles(profile_);
    shared_memory_ = found.shared_memory;
    prefers_descriptors_ = runtime::prefers_descriptors(profile_);
    textures_ = preferred_textures(profile_);
    create_clock_keeper();  // last: what was launched so far is not the program's
}

void Device::create_clock_keeper() {
    const KeepClocks wish = wanted_keep_clocks();
    if (!wants_clock_keeper(profile_.quirks, wish)) return;
    clock_keeper_ =
        std::make_unique<ClockKeeper>(ClockKeeperOptions{.wish = wish,
                                                         .uuid = std::to_array(ids_.deviceUUID),
                                                         .says_why_not = flag_setting("CALDERA_LOG", false)});
}

Device::Device()
    : kept_pipelines_(std::make_unique<KeptPipelines>()),
      compiled_modules_(std::make_unique<CompiledModules>()),
      background_(std::make_unique<BackgroundTasks>()) {}

/// What an application submits to its own device need not be awaited, nor may it: each queue of Caldera has
/// waited for what it submitted.
Device::~Device() {
    clock_keeper_.reset();
    background_.reset();
    const DefaultFloatEnvironment floats;
    if (own_device_) vkDeviceWaitIdle(device_);
    compiled_modules_.reset();
    samplers_.reset();
    pipeline_layout_ = {};
    allocator_.reset();
    own_device_.reset();
    if (messenger_) {
        const auto destroy = reinterpret_cast<PFN_vkDestroyDebugUtilsMessengerEXT>(
            vkGetInstanceProcAddr(instance_, "vkDestroyDebugUtilsMessengerEXT"));
        destroy(instance_, messenger_, nullptr);
    }
}

}  // namespace caldera::runtime
