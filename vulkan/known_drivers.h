// SPDX-License-Identifier: Apache-2.0
// The one place that knows Vulkan's drivers (drivers.def): by VkDriverId, by what vulkaninfo writes and by
// --driver=. It also knows which faults a version of each has (driver_quirks.def).
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "vulkan/device_profile.h"

namespace caldera::vulkan {

enum class Driver : uint8_t {
    Unknown,
#define DRIVER(enumerator, ...) enumerator,
#include "vulkan/drivers.def"
};

/// 26.2.6 of Mesa, 580.159.3 of NVIDIA.
struct DriverVersion {
    uint32_t major = 0, minor = 0, patch = 0;
    auto operator<=>(const DriverVersion&) const = default;
};
/// The version that the text begins with, of one to three numbers; nullopt where it begins with none.
constexpr std::optional<DriverVersion> parse_version(std::string_view text) {
    uint32_t numbers[3] = {};
    for (uint32_t& number : numbers) {
        size_t length = 0;
        while (length < text.size() && length < 9 && text[length] >= '0' && text[length] <= '9')
            number = number * 10 + static_cast<uint32_t>(text[length++] - '0');
        if (length == 0 && &number == numbers) return std::nullopt;
        text.remove_prefix(length);
        if (!text.starts_with('.')) break;
        text.remove_prefix(1);
    }
    return DriverVersion{numbers[0], numbers[1], numbers[2]};
}

enum class VersionForm : uint8_t { Mesa, Nvidia, Vulkan };

struct DriverRow {
    Driver driver = Driver::Unknown;
    std::string_view name = {};       ///< for --driver=
    std::string_view vulkan_id = {};  ///< its VkDriverId, and that as a number
    uint32_t vulkan_number = 0;
    VersionForm version_form = VersionForm::Vulkan;
    bool is_tested = false;
    std::string_view title = {};
};
std::span<const DriverRow> driver_rows();

Driver driver_of_id(uint32_t vulkan_id);          ///< a VkDriverId; Unknown where no row has it
Driver driver_of_id(std::string_view vulkan_id);  ///< the same by its name, "VK_DRIVER_ID_MESA_RADV"
/// From VkPhysicalDeviceProperties::driverVersion and VkPhysicalDeviceDriverProperties::driverInfo. Mesa's
/// version is in the text: lavapipe's driverVersion is 1 in Mesa 22.3.6 and 25.0.7.
std::optional<DriverVersion> version_of(Driver driver, std::optional<uint32_t> driver_version,
                                        std::string_view driver_info);

/// Which versions of a driver have a fault. A version that is not known has it.
struct Affected {
    Driver driver = Driver::Unknown;
    bool is_any_mesa = false;  ///< instead of `driver`
    std::string_view not_in = {}, first_seen = {}, last_seen = {},
                     fixed_in = {};  ///< as in driver_quirks.def

    bool has(const std::optional<DriverVersion>& version) const;
};

/// What a driver that compiles for the processor, llvmpipe, has to know of it.
struct Processor {
    bool rounds_double_vectors =
        false;  ///< it has an instruction that rounds the driver's vectors of doubles
    bool is_arm64 = false;
    /// The major version of the LLVM that compiles for it; 0 where that is not known.
    uint32_t llvm = 0;

    friend bool operator==(const Processor&, const Processor&) = default;
};
/// The processors on which a driver has a fault, as in driver_quirks.def.
enum class Processors { AnyProcessor, NoWideRounding, Arm64BeforeLlvm21 };
/// Whether the processor is one of them.
bool is_among(Processors processors, Processor processor);

struct QuirkRow {
    std::string_view name = {};
    bool DriverQuirks::*member = nullptr;
    Elsewhere elsewhere = Elsewhere::Nobody;
    Processors processors = Processors::AnyProcessor;
    std::string_view fault = {};  ///< a sentence about "the driver" without its subject
    std::span<const Affected> drivers = {};

    /// The entry that is about the driver; null where none is.
    const Affected* about(const DriverRow& driver) const;
    /// Whether a driver that no entry is about gets the workaround; null is one without a row.
    bool is_elsewhere(const DriverRow* driver) const;
};
std::span<const QuirkRow> quirk_rows();

DriverQuirks quirks_of(Driver driver, const std::optional<DriverVersion>& version, Processor processor = {});
/// Puts into a profile, complete but for that, what is known of the driver.
void know_driver(DeviceProfile& profile, Driver driver, const std::optional<DriverVersion>& version,
                 Processor processor = {});
/// The processor that this runs on, as llvmpipe compiles for it. It works on as many doubles as floats: twice
/// the bits that its device's name tells ("llvmpipe (LLVM 15.0.6, 256 bits)"). Arm's Neon rounds vectors of
/// any length.
Processor processor_of(std::string_view device_name);

}  // namespace caldera::vulkan
