// SPDX-License-Identifier: Apache-2.0
/// @file
/// DeviceProfile: what a Vulkan device can do, as far as generated code cares.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "caldera/api.h"
#include "caldera/result.h"

namespace caldera {

namespace detail {
struct Access;
}

/// The Vulkan version that a module is made for. It decides the version of SPIR-V (Vulkan 1.3, appendix A).
enum class Target : uint8_t {
    Vulkan11,  ///< SPIR-V 1.3
    Vulkan12,  ///< SPIR-V 1.5
    Vulkan13,  ///< SPIR-V 1.6
};

/// A device's features and limits, and what is known of its driver. A value: copies share what they hold
/// until one changes. Different objects may be used in different threads.
class CALDERA_API DeviceProfile {
 public:
    /// The same as DeviceProfile(Target::Vulkan12).
    DeviceProfile();
    /// The profile that a target promises where no device is known: a full device with the limits of large
    /// devices. The module's reflection says what it needs of them.
    explicit DeviceProfile(Target target);
    /// There is no move: an object that was moved from would have no profile.
    DeviceProfile(const DeviceProfile&) = default;
    DeviceProfile& operator=(const DeviceProfile&) = default;  ///< as the constructor

    /// Reads what `vulkaninfo --json` writes, or a file of VkCapsViewer's older layout. The file's device
    /// lacks what the file does not name. Fails where the text is no such JSON.
    static Result<DeviceProfile> from_json(std::string_view json);
    /// The same from a file. The error names the file.
    static Result<DeviceProfile> load(const std::string& path);

    /// The target's name, or the device's.
    const std::string& name() const;
    /// The newest target that the device takes.
    Target newest_target() const;
    /// Local memory that a work-group may have, in bytes.
    uint64_t max_local_bytes() const;
    /// How many work-items a work-group may have.
    uint32_t max_group_size() const;
    /// Whether double, half and 64-bit integers are the device's own. Without 64-bit integers Caldera makes
    /// them of 32-bit ones; without double or half it declines kernels that use them, if doubles are not
    /// emulated.
    bool has_double() const;
    bool has_half() const;   ///< see has_double()
    bool has_int64() const;  ///< see has_double()

    /// Lowers, or for a target raises, the local memory that kernels may have.
    void set_max_local_bytes(uint64_t bytes);
    /// The same for the work-items of a work-group, in all and in each dimension.
    void set_max_group_size(uint32_t work_items);
    /// Without a fused fma, modules compute fma() in several instructions. Vulkan does not promise one that
    /// rounds once, but GPUs have it.
    void set_fused_fma(bool is_fused);
    /// Modules compute with doubles as integers, correctly rounded but slowly, and do not need those of the
    /// device. A Device does the same where it has none and the environment has CALDERA_EMULATE_DOUBLES=1.
    void emulate_doubles();

 private:
    friend struct detail::Access;
    struct Impl;
    std::shared_ptr<const Impl> impl_;
};

}  // namespace caldera
