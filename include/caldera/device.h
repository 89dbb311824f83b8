// SPDX-License-Identifier: Apache-2.0
/// @file
/// Device: an opened Vulkan device.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "caldera/api.h"
#include "caldera/checks.h"
#include "caldera/profile.h"
#include "caldera/result.h"

// VkDevice and its kin, as <vulkan/vulkan.h> declares them for 64-bit hosts; no header of Caldera includes
// that.
struct VkBuffer_T;
struct VkBufferView_T;
struct VkDevice_T;
struct VkImage_T;
struct VkImageView_T;

namespace caldera {

/// How a device is chosen and opened.
struct DeviceOptions {
    /// Which device: its index in list_devices() or a part of its name, case ignored. Empty: the
    /// environment's CALDERA_DEVICE, else the first discrete, integrated, then any other device.
    std::string select = {};
    /// Loads VK_LAYER_KHRONOS_validation. The environment's CALDERA_VALIDATION=1 does so too.
    bool validation = false;
    /// Receives each warning or error of the validation layer, from any thread. The default writes to stderr.
    std::function<void(const std::string& message)> on_validation = {};
    /// Keeps what programs are compiled to on disk, for later runs, in the user's cache: CALDERA_CACHE_DIR,
    /// else XDG_CACHE_HOME or ~/.cache.
    bool disk_cache = false;
    /// What kernels are checked for (checks.h).
    CheckOptions checks = {};
};

/// A Vulkan device of this machine.
struct DeviceInfo {
    std::string name = {};          ///< as Vulkan gives it
    std::string driver = {};        ///< the driver's name and version, as it gives them
    uint32_t api_version = 0;       ///< as VK_MAKE_API_VERSION packs it
    bool usable = false;            ///< has what Device::open() needs: Vulkan 1.1
    std::string lacks = {};         ///< the first thing that is missing when not usable
    uint64_t memory_bytes = 0;      ///< the largest device-local heap
    uint64_t max_buffer_bytes = 0;  ///< the largest Buffer
    bool unified_memory = false;    ///< the host's memory is the device's
};

/// The Vulkan devices of this machine, in the loader's order. Fails where there is no Vulkan loader or no
/// driver.
CALDERA_API Result<std::vector<DeviceInfo>> list_devices();

struct AdoptOptions;

/// An opened or adopted device. A handle: copies are the same device, which closes when the last handle and
/// the last object made from it are gone. Thread-safe. A default-constructed one is no device and good for
/// assignment only.
class CALDERA_API Device {
 public:
    /// No device.
    Device() = default;
    /// Opens a device. Fails where none is selected, or where it lacks what Caldera needs; the sentence says
    /// which.
    static Result<Device> open(const DeviceOptions& options = {});
    /// Works on a device that the application made (adopt.h). Caldera destroys nothing of it, and uses no
    /// feature but those that the application states. Several devices, of the same or of several instances,
    /// may be adopted at once. The call runs small shaders on a queue to find out what no query tells, and
    /// waits for them. Fails where a handle is null, where the physical device is not of the instance, where
    /// it lacks a stated feature or extension, and where no queue computes; the sentence names it.
    static Result<Device> adopt(const AdoptOptions& options);

    /// Whether this is a device.
    explicit operator bool() const { return impl_ != nullptr; }
    /// The name, as Vulkan gives it.
    const std::string& name() const;
    /// The device's features and limits, for compile() and translate().
    DeviceProfile profile() const;
    /// The largest Buffer, in bytes.
    uint64_t max_buffer_bytes() const;
    /// Whether queues can time commands (QueueOptions::timestamps).
    bool has_timestamps() const;
    /// Whether the device is lost. Then nothing that was submitted completes, and only a new Device is of use
    /// (Vulkan 1.3, 5.2.3).
    bool is_lost() const;
    /// How many messages the validation layer has given so far.
    uint32_t validation_messages() const;
    /// The VkDevice. That of an opened device lives as long as this object. Whoever submits to its queues
    /// must agree with Caldera on who does so when: Caldera takes every queue of the family that it uses. For
    /// an adopted device, AdoptOptions::lock is that agreement.
    VkDevice_T* vk() const;

 private:
    friend struct detail::Access;
    struct Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace caldera
