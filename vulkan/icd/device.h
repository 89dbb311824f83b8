// SPDX-License-Identifier: Apache-2.0
// Platform and devices: the objects that exist before a program creates any.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "frontend/features.h"
#include "vulkan/icd/object.h"
#include "vulkan/runtime/device.h"

/// Devices live as long as the driver is loaded: retaining and releasing a root device does nothing (OpenCL
/// API 4.3).
struct _cl_device_id final : caldera::icd::Object<_cl_device_id> {
    static constexpr cl_int kInvalid = CL_INVALID_DEVICE;
    static constexpr bool kOutlivesForks = true;
    _cl_device_id(caldera::runtime::DeviceInfo info, std::string select);

    /// The opened device. It stays open, because programs create contexts repeatedly and a driver may take
    /// 100 ms to open a device. A lost device is reopened, and so is one that a fork closed. Throws
    /// CL_DEVICE_NOT_AVAILABLE, also in a child of fork that has the drivers of its parent.
    std::shared_ptr<caldera::runtime::Device> open();

    /// Keeps others from opening the device, and closes it where no context has it and `may_close` is true.
    /// Says whether it did that. Other threads' calls are not waited for.
    bool begin_fork(bool may_close);
    void end_fork();

    /// Called when the process exits: runtime::let_finish() for the opened device.
    void let_finish();

    const caldera::runtime::DeviceInfo info;
    const caldera::frontend::ExtSet extensions;  ///< extensions of OpenCL C on this device
    /// The newest OpenCL, and OpenCL C, of which the device has all that is required: 3.0 or 3.1.
    cl_version version() const;
    cl_device_type type() const;
    /// Opens the device; returns 0 if that fails.
    cl_device_svm_capabilities svm_capabilities();
    /// What the device can do with allocations of a kind, which a query of
    /// cl_intel_unified_shared_memory names. May open the device; returns 0 if that fails.
    cl_device_unified_shared_memory_capabilities_intel usm_capabilities(cl_device_info kind);

 private:
    const std::string select_;  // DeviceOptions::select
    std::mutex mutex_ = {};
    std::unique_lock<std::mutex> forking_ = {};  // while the process forks
    std::shared_ptr<caldera::runtime::Device> opened_ = {};
};

/// The only platform. It has no reference count.
struct _cl_platform_id {
    const cl_icd_dispatch* dispatch =
        &caldera::icd::kDispatch.table;  // must be first, because the loader reads it
    void* dispatch_data = nullptr;       // must be second, for the same reason
    std::vector<std::unique_ptr<_cl_device_id>> devices = {};
    /// Keeps Vulkan's drivers loaded for devices that will be opened. Released while the process forks.
    std::shared_ptr<const caldera::runtime::Instance> instance = {};
};

namespace caldera::icd {

using Device = ::_cl_device_id;
using Platform = ::_cl_platform_id;

/// Searches for devices at the first call, so that a process may fork before. CALDERA_DEVICE restricts the
/// platform to one device.
Platform& platform();
/// Returns the platform for its handle or null, because there is no other one (OpenCL API 4.2).
Platform& checked_platform(cl_platform_id handle);
/// The devices of a program's list. Throws CL_INVALID_VALUE or CL_INVALID_DEVICE.
std::vector<Device*> checked_devices(cl_uint count, const cl_device_id* list);

/// The size of the largest buffer that can be created.
uint64_t max_buffer_bytes(const Device& device);
/// CL_DEVICE_MAX_MEM_ALLOC_SIZE. It is less than the largest buffer, because several programs may allocate
/// this size at the same time, and a CPU device shares its memory with everything else.
uint64_t promised_buffer_bytes(const Device& device);
/// The alignment of sub-buffers in bytes: that of long16, and without device addresses that of descriptors.
cl_uint base_alignment(const Device& device);
/// Whether commands in several queues of the device wait for each other without the host.
bool syncs_queues(Device& device);
/// The names of the extensions of the device, sorted: those of the API and those of OpenCL C.
std::vector<std::string> extension_names(const Device& device);
/// The extensions that every device of the platform has. Without devices: those that the driver has on its
/// own.
std::vector<std::string> extension_names(const Platform& platform);

/// The version of the platform, whose functions are all there. A device of an older version lacks what 3.1
/// requires of devices.
constexpr cl_version kVersion = CL_MAKE_VERSION(3, 1, 0);
constexpr cl_uint kMaxSpirvMinorVersion = 6;  ///< SPIR-V 1.0 to this minor version
constexpr cl_uint kMaxParameterBytes = 4096;
constexpr cl_uint kMaxConstantArguments = 128;  ///< among other arguments: as many as images
constexpr cl_uint kMaxPacketBytes = 1024;
/// The minimum of the full profile, which GPUs report as well, since programs use as much as the device
/// reports. A buffer for a constant argument may be larger, because it is in global memory.
constexpr cl_ulong kPromisedConstantBytes = 64 << 10;
constexpr cl_uint kBaseAlignment = 128;  ///< alignment of buffers: that of long16
constexpr size_t kMaxImageExtent = 16384, kMaxImageDepth = 2048, kMaxImageLayers = 2048;
constexpr size_t kMaxImageBufferTexels = 1 << 28;
constexpr cl_uint kLeastDeviceQueueBytes = 16 << 10;  ///< a program that requests less gets this many bytes
constexpr cl_uint kDeviceQueueBytes = 4 << 20, kMaxDeviceQueueBytes = 64 << 20, kMaxDeviceEvents = 1024;

}  // namespace caldera::icd
