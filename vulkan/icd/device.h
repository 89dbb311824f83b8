// SPDX-License-Identifier: Apache-2.0
// Platform and devices: what is there before a program asks for anything.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "frontend/features.h"
#include "vulkan/icd/object.h"
#include "vulkan/runtime/device.h"

/// Devices live as long as the driver is loaded: retaining and releasing a root device does nothing (OpenCL API 4.3).
struct _cl_device_id final : caldera::icd::Object<_cl_device_id> {
    static constexpr cl_int kInvalid = CL_INVALID_DEVICE;
    _cl_device_id(caldera::runtime::DeviceInfo info, std::string select);

    /// The opened device. It stays open: programs make one context after the other, and a driver may take 100 ms to open. One that
    /// was lost is opened anew.
    std::shared_ptr<caldera::runtime::Device> open();

    /// When the process ends: runtime::let_finish() of the opened device.
    void let_finish(std::chrono::milliseconds at_most);

    const caldera::runtime::DeviceInfo info;
    const caldera::frontend::ExtSet extensions;  ///< of OpenCL C on this device
    cl_device_type type() const;
    /// Opens the device; 0 where that fails.
    cl_device_svm_capabilities svm_capabilities();

 private:
    const std::string select_;  // DeviceOptions::select
    std::mutex mutex_ = {};
    std::shared_ptr<caldera::runtime::Device> opened_ = {};
};

/// The one platform. Not counted.
struct _cl_platform_id {
    const cl_icd_dispatch* dispatch = &caldera::icd::kDispatch;  // the loader reads it: it comes first
    std::vector<std::unique_ptr<_cl_device_id>> devices = {};
    /// Keeps Vulkan's drivers loaded for the devices that will be opened; not while the process forks.
    std::shared_ptr<const caldera::runtime::Instance> instance = {};
};

namespace caldera::icd {

using Device = ::_cl_device_id;
using Platform = ::_cl_platform_id;

/// Looks for devices at its first call, so that a process may fork before. CALDERA_DEVICE names the only one to offer.
Platform& platform();
/// For a driver that is being unloaded: closes the devices.
void close_platform();
/// For a process that ends: what devices do that are the processor, they may end, each in this time.
void let_devices_finish(std::chrono::milliseconds at_most);
/// A null platform is this one: there is no other (OpenCL API 4.2).
Platform& checked_platform(cl_platform_id handle);
/// Devices of a list that a program has given. Throws CL_INVALID_VALUE or CL_INVALID_DEVICE.
std::vector<Device*> checked_devices(cl_uint count, const cl_device_id* list);

/// Of one buffer that can be made.
uint64_t max_buffer_bytes(const Device& device);
/// CL_DEVICE_MAX_MEM_ALLOC_SIZE: programs allocate what it says, each of several processes, and on a processor beside all else.
uint64_t promised_buffer_bytes(const Device& device);
/// Those of OpenCL's extensions, not of OpenCL C's alone, that a device has, sorted.
std::vector<std::string> extension_names(const Device& device);
/// Those that every device of the platform has; of none: what the driver has without one.
std::vector<std::string> extension_names(const Platform& platform);

constexpr cl_version kVersion = CL_MAKE_VERSION(3, 0, 0);
constexpr cl_uint kMaxSpirvMinorVersion = 6;  ///< of SPIR-V 1, from 0 on
constexpr cl_uint kMaxParameterBytes = 4096;
constexpr cl_uint kMaxConstantArguments = 128;  ///< beside others: as many as images
constexpr cl_uint kMaxPacketBytes = 1024;
/// The full profile's least, which is what cards say, since programs fill as much as they are told. A buffer for a constant argument
/// may be larger: it lies in global memory.
constexpr cl_ulong kPromisedConstantBytes = 64 << 10;
constexpr cl_uint kBaseAlignment = 128;  ///< of buffers and their parts: long16's
constexpr size_t kMaxImageExtent = 16384, kMaxImageDepth = 2048, kMaxImageLayers = 2048;
constexpr size_t kMaxImageBufferTexels = 1 << 28;
constexpr cl_uint kLeastDeviceQueueBytes = 16 << 10;  ///< of memory, for any that programs want smaller
constexpr cl_uint kDeviceQueueBytes = 256 << 10, kMaxDeviceQueueBytes = 64 << 20, kMaxDeviceEvents = 1024;

}  // namespace caldera::icd
