// SPDX-License-Identifier: Apache-2.0
// Platform and devices (OpenCL API 4.1 to 4.3).
#include "vulkan/icd/device.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <utility>

#include "spirv/support/environment.h"
#include "spirv/support/process.h"
#include "spirv/support/shared_library.h"
#include "vulkan/device_extensions.h"
#include "vulkan/icd/entry_points.h"
#include "vulkan/icd/fork.h"
#include "vulkan/icd/handle_types.h"
#include "vulkan/icd/info.h"
#include "vulkan/runtime/fault_reporter.h"
#include "vulkan/runtime/let_finish.h"
#include "vulkan/runtime/open_device.h"
#include "vulkan/runtime/settings.h"

namespace caldera::icd {
namespace {

/// The extensions and features of OpenCL C that a device has with this driver.
frontend::ExtSet extensions_of(const vulkan::DeviceProfile& profile) {
    using enum frontend::Ext;
    frontend::ExtSet set = device_extensions(profile);
    for (const frontend::Ext absent : {SrgbImageWrites, EmbeddedInt64}) set.set(absent, false);
    return set;
}

/// Says why the platform has no devices, where someone chose them, or if CALDERA_LOG is 1.
void log_no_devices(std::string_view select, const std::vector<runtime::DeviceInfo>& found) {
    std::string names;
    bool any_selected = false;
    for (size_t i = 0; i < found.size(); ++i) {
        names += (i == 0 ? "" : ", ") + found[i].name;
        if (!select.empty() && !runtime::selects(select, found[i], i)) continue;
        any_selected = true;
        log({.message = "the Vulkan device '" + found[i].name + "' lacks " + found[i].lacks});
    }
    if (found.empty()) log({.message = "no Vulkan device was found"});
    if (!found.empty() && !any_selected)
        runtime::warn_of_setting("CALDERA_DEVICE", select,
                                 "the index or a part of the name of a device: " + names, "no device");
}

std::unique_ptr<Platform> find_devices() {
    auto platform = std::make_unique<Platform>();
    Result<std::shared_ptr<const runtime::Instance>> instance = runtime::Instance::shared();
    Result<std::vector<runtime::DeviceInfo>> found = runtime::list_devices();
    if (!found) {  // there is no Vulkan: the platform has no devices
        log(found.error());
        return platform;
    }
    const std::string_view select = environment("CALDERA_DEVICE");
    for (size_t i = 0; i < found->size(); ++i)
        if ((*found)[i].usable && (select.empty() || runtime::selects(select, (*found)[i], i)))
            platform->devices.push_back(std::make_unique<Device>((*found)[i], std::to_string(i)));
    if (platform->devices.empty()) log_no_devices(select, *found);
    // The first device is the default one.
    std::ranges::stable_sort(platform->devices, {}, [](const auto& device) {
        return runtime::preference(device->info.properties.deviceType);
    });
    if (instance && !platform->devices.empty()) platform->instance = instance.take();
    return platform;
}

std::once_flag looked_for_devices;
// This is not a static object, because destructors of the program may still call the driver at exit.
Platform* the_platform = nullptr;
std::atomic<bool> is_instance_kept = false;

/// Forks close devices so often: NVIDIA's driver cannot be loaded again after some twenty times.
/// driver_quirks.def: keeps_one_instance.
constexpr int kMaxClosings = 10;

/// A child of fork cannot use drivers that its parent loaded, so they are unloaded where no context needs
/// them.
bool unload_drivers() {
    static constinit int closings = 0;
    const Call call;
    if (!call || !the_platform) return true;
    const auto is_card = [](const auto& device) { return device->type() != CL_DEVICE_TYPE_CPU; };
    const bool may_close = closings < kMaxClosings || std::ranges::none_of(the_platform->devices, is_card);
    bool has_closed = false;
    for (const std::unique_ptr<Device>& device : the_platform->devices)
        has_closed |= device->begin_fork(may_close);
    if (has_closed) ++closings;
    if (is_instance_kept.exchange(false)) the_platform->instance.reset();
    return runtime::Instance::count() != 0;
}

void let_open_again() {
    if (!the_platform) return;
    for (const std::unique_ptr<Device>& device : the_platform->devices) device->end_fork();
}

constexpr AtFork kAtFork{.before = unload_drivers, .after = let_open_again};

void close_platform() {
    if (has_drivers_of_parent()) return;
    const DefaultFloatEnvironment floats;
    is_instance_kept = false;
    delete std::exchange(the_platform, nullptr);
}

void let_devices_finish() {
    if (!the_platform) return;
    for (const std::unique_ptr<Device>& device : the_platform->devices) device->let_finish();
}

constinit std::atomic<int> status_with_faults = 0;  // CALDERA_CHECK_EXIT

int status_instead() { return runtime::has_reported_faults() ? status_with_faults.load() : 0; }

/// A driver that was unloaded would not be asked for the status.
void note_status_with_faults(int status) {
    status_with_faults = status;
    if (status != 0) (void)stay_loaded();
}

constexpr DevicesAtEnd kAtEnd{
    .let_finish = let_devices_finish, .close = close_platform, .status = status_instead};

}  // namespace

Platform& platform() {
    std::call_once(looked_for_devices, [] {
        note_devices(kAtEnd);
        the_platform = find_devices().release();
        is_instance_kept = the_platform->instance != nullptr;
        follow_forks(kAtFork);
    });
    return *the_platform;
}

Platform& checked_platform(cl_platform_id handle) {
    require(!handle || handle == &platform(), CL_INVALID_PLATFORM);
    return platform();
}

std::vector<Device*> checked_devices(cl_uint count, const cl_device_id* list) {
    require(list && count != 0, CL_INVALID_VALUE);
    std::vector<Device*> out;
    for (cl_uint i = 0; i < count; ++i) {
        Device& device = checked(list[i]);
        if (std::ranges::find(out, &device) == out.end()) out.push_back(&device);
    }
    return out;
}

uint64_t max_buffer_bytes(const Device& device) {
    return std::min(device.info.max_buffer_bytes, device.info.memory_bytes);
}

/// A quarter of the memory, the minimum of the full profile (OpenCL API 4.2). If that is below 1 GiB, up to
/// half of the memory: hashcat needs a buffer of 528 MiB on two CPU cores, and lavapipe reports 2 GiB of
/// memory.
uint64_t promised_buffer_bytes(const Device& device) {
    constexpr uint64_t kEnough = 1 << 30;
    const uint64_t memory = device.info.memory_bytes;
    return std::min(max_buffer_bytes(device), std::max(memory / 4, std::min(memory / 2, kEnough)));
}

cl_uint base_alignment(const Device& device) {
    if (device.info.profile.buffer_device_address) return kBaseAlignment;
    return std::max(kBaseAlignment,
                    static_cast<cl_uint>(device.info.properties.limits.minStorageBufferOffsetAlignment));
}

bool syncs_queues(Device& device) {
    std::shared_ptr<runtime::Device> opened;
    if (entry([&] { opened = device.open(); }) != CL_SUCCESS) return false;
    return opened->functions().wait_semaphores != nullptr;
}

std::vector<std::string> extension_names(const Device& device) {
    // Extensions of the API, which are not rows of OpenCL C's.
    std::vector<std::string> names = {"cl_arm_printf",
                                      "cl_ext_image_from_buffer",
                                      "cl_ext_image_requirements_info",
                                      "cl_ext_image_raw10_raw12",
                                      "cl_ext_image_unorm_int_2_101010",
                                      "cl_ext_immutable_memory_objects",
                                      "cl_khr_icd",
                                      "cl_khr_command_buffer",
                                      "cl_khr_command_buffer_multi_device",
                                      "cl_khr_command_buffer_mutable_dispatch",
                                      "cl_khr_create_command_queue",
                                      "cl_khr_device_uuid",
                                      "cl_khr_extended_versioning",
                                      "cl_khr_il_program",
                                      "cl_khr_image2d_from_buffer",
                                      "cl_khr_initialize_memory",
                                      "cl_khr_priority_hints",
                                      "cl_khr_semaphore",
                                      "cl_khr_spirv_extended_debug_info",
                                      "cl_khr_spirv_linkonce_odr",
                                      "cl_khr_spirv_queries",
                                      "cl_khr_throttle_hints",
                                      "cl_khr_spirv_no_integer_wrap_decoration"};
    for (std::string& name : external_extensions(device.info.external)) names.push_back(std::move(name));
    for (uint32_t e = 1; e < static_cast<uint32_t>(frontend::Ext::kCount); ++e) {
        const auto row = static_cast<frontend::Ext>(e);
        const std::string_view name = frontend::macro_name(row);
        const bool is_extension =
            name.starts_with("cl_khr_") || name.starts_with("cl_ext_") || name.starts_with("cl_intel_");
        if (is_extension && device.extensions.has(row)) names.emplace_back(name);
    }
    if (!device.info.profile.matrix_products.empty()) names.emplace_back("cl_khr_cooperative_matrix");
    if (device.info.pci) names.emplace_back("cl_khr_pci_bus_info");
    if (device.info.profile.buffer_device_address) {
        names.emplace_back("cl_ext_buffer_device_address");
        names.emplace_back("cl_intel_unified_shared_memory");
        names.emplace_back("cl_khr_unified_svm");
    }
    std::ranges::sort(names);
    return names;
}

std::vector<std::string> extension_names(const Platform& platform) {
    if (platform.devices.empty()) return {"cl_khr_icd"};
    std::vector<std::string> common = extension_names(*platform.devices[0]);
    for (const auto& device : platform.devices) {
        const std::vector<std::string> names = extension_names(*device);
        std::erase_if(common,
                      [&](const std::string& name) { return !std::ranges::binary_search(names, name); });
    }
    return common;
}

}  // namespace caldera::icd

_cl_device_id::_cl_device_id(caldera::runtime::DeviceInfo device_info, std::string select)
    : info(std::move(device_info)),
      extensions(caldera::icd::extensions_of(info.profile)),
      select_(std::move(select)) {}

std::shared_ptr<caldera::runtime::Device> _cl_device_id::open() {
    if (caldera::icd::has_drivers_of_parent()) {
        caldera::icd::log(
            {.message = "the parent of this process had a context, or a device open, when it forked"});
        throw caldera::icd::ApiError(CL_DEVICE_NOT_AVAILABLE);
    }
    const std::lock_guard lock(mutex_);
    if (opened_ && opened_->is_lost()) opened_.reset();  // contexts that use it keep it alive
    if (opened_) return opened_;
    // Whoever asks for checks shall see a mistake in that, although programs may hide why there is no device.
    if (const auto checks = caldera::runtime::check_options_of_environment())
        caldera::icd::note_status_with_faults(checks->exit_status);
    else
        std::fprintf(stderr, "caldera: error: %s\n", checks.error().message.c_str());
    opened_ = caldera::icd::take(caldera::runtime::open_device({.select = select_, .disk_cache = true}),
                                 CL_DEVICE_NOT_AVAILABLE);
    caldera::icd::note_libraries();
    return opened_;
}

bool _cl_device_id::begin_fork(bool may_close) {
    forking_ = std::unique_lock(mutex_, std::try_to_lock);
    if (!forking_ || !may_close || opened_.use_count() != 1) return false;
    opened_.reset();
    return true;
}

void _cl_device_id::end_fork() { forking_ = {}; }

void _cl_device_id::let_finish() {
    // exit() may have been called while another thread opens it
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock && opened_) caldera::runtime::let_finish(opened_);
}

cl_device_svm_capabilities _cl_device_id::svm_capabilities() {
    std::shared_ptr<caldera::runtime::Device> device;
    if (caldera::icd::entry([&] { device = open(); }) != CL_SUCCESS) return 0;
    using enum caldera::runtime::SharedMemory;
    switch (device->shared_memory()) {
        case None: return 0;
        case Mirrored: return CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
        case Same: break;
    }
    // The CPU's own caches make atomics work, and the device can access memory that was not allocated for it.
    const cl_device_svm_capabilities of_processor = CL_DEVICE_SVM_FINE_GRAIN_SYSTEM | CL_DEVICE_SVM_ATOMICS;
    return CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER |
           (device->is_cpu() ? of_processor : 0);
}

cl_device_unified_shared_memory_capabilities_intel _cl_device_id::usm_capabilities(cl_device_info kind) {
    constexpr cl_bitfield kAccess =
        CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL;
    constexpr cl_bitfield kConcurrent = kAccess | CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL;
    constexpr cl_bitfield kAll = kConcurrent | CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL;
    if (!info.profile.buffer_device_address) return 0;
    if (kind == CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL) return kAccess;
    std::shared_ptr<caldera::runtime::Device> device;
    if (caldera::icd::entry([&] { device = open(); }) != CL_SUCCESS) return 0;
    if (!device->shares_host_memory()) return 0;
    const bool is_same = device->shared_memory() == caldera::runtime::SharedMemory::Same;
    switch (kind) {
        case CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL:
        case CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL:
            // The CPU's own caches make atomics work between host and device.
            return device->is_cpu() ? kAll : kConcurrent;
        case CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL:
            // Memory that a GPU maps is of that GPU alone.
            return !is_same ? 0 : device->is_cpu() ? kAll : kConcurrent;
        default: return is_same && device->is_cpu() ? kAll : 0;  // memory of the system
    }
}

cl_version _cl_device_id::version() const {
    const bool is_31 = caldera::frontend::lacks(extensions, caldera::frontend::Standard::CL31).empty();
    return CL_MAKE_VERSION(3, is_31 ? 1 : 0, 0);
}

cl_device_type _cl_device_id::type() const {
    switch (info.properties.deviceType) {
        case VK_PHYSICAL_DEVICE_TYPE_CPU: return CL_DEVICE_TYPE_CPU;
        case VK_PHYSICAL_DEVICE_TYPE_OTHER: return CL_DEVICE_TYPE_ACCELERATOR;
        default: return CL_DEVICE_TYPE_GPU;
    }
}

namespace caldera::icd {

cl_int CL_API_CALL GetPlatformIDs(cl_uint num_entries, cl_platform_id* platforms, cl_uint* num_platforms) {
    return entry([&] {
        Platform* const all[] = {&platform()};
        put_list<_cl_platform_id>(all, num_entries, platforms, num_platforms);
    });
}

cl_int CL_API_CALL GetDeviceIDs(cl_platform_id handle, cl_device_type type, cl_uint num_entries,
                                cl_device_id* devices, cl_uint* num_devices) {
    return entry([&] {
        const Platform& self = checked_platform(handle);
        constexpr cl_device_type kTypes = CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
                                          CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_DEFAULT |
                                          CL_DEVICE_TYPE_CUSTOM;
        require(type == CL_DEVICE_TYPE_ALL || (type & kTypes && !(type & ~kTypes)), CL_INVALID_DEVICE_TYPE);
        require(devices || num_devices, CL_INVALID_VALUE);
        require(!devices || num_entries != 0, CL_INVALID_VALUE);
        std::vector<Device*> found;
        for (const auto& device : self.devices)
            if (device->type() & type || (type & CL_DEVICE_TYPE_DEFAULT && device == self.devices.front()))
                found.push_back(device.get());
        require(!found.empty(), CL_DEVICE_NOT_FOUND);
        put_list<_cl_device_id>(found, num_entries, devices, num_devices);
    });
}

cl_int CL_API_CALL RetainDevice(cl_device_id device) {
    return entry([&] { checked(device); });
}
cl_int CL_API_CALL ReleaseDevice(cl_device_id device) {
    return entry([&] { checked(device); });
}

/// No device can be partitioned: CL_DEVICE_PARTITION_MAX_SUB_DEVICES is 0.
cl_int CL_API_CALL CreateSubDevices(cl_device_id device, const cl_device_partition_property* properties,
                                    cl_uint, cl_device_id*, cl_uint*) {
    return entry([&] {
        checked(device);
        require(properties, CL_INVALID_VALUE);
        throw ApiError(CL_INVALID_VALUE);
    });
}

/// Events use the same host clock.
cl_int CL_API_CALL GetDeviceAndHostTimer(cl_device_id device, cl_ulong* device_timestamp,
                                         cl_ulong* host_timestamp) {
    return entry([&] {
        checked(device);
        require(device_timestamp && host_timestamp, CL_INVALID_VALUE);
        *device_timestamp = *host_timestamp = runtime::steady_ns();
    });
}

cl_int CL_API_CALL GetHostTimer(cl_device_id device, cl_ulong* host_timestamp) {
    return entry([&] {
        checked(device);
        require(host_timestamp, CL_INVALID_VALUE);
        *host_timestamp = runtime::steady_ns();
    });
}

}  // namespace caldera::icd
