// SPDX-License-Identifier: Apache-2.0
#include "vulkan/known_drivers.h"

#include <algorithm>

namespace caldera::vulkan {
namespace {

constexpr bool Tested = true, Untested = false;
constexpr DriverRow kDrivers[] = {
#define DRIVER(enumerator, name, id, number, form, tested, title) \
    {Driver::enumerator, name, "VK_DRIVER_ID_" #id, number, VersionForm::form, tested, title},
#include "vulkan/drivers.def"
};

// An array of drivers for each row, then the rows.
#define ON(driver, not_in, first_seen, last_seen, fixed_in) \
    Affected { Driver::driver, false, not_in, first_seen, last_seen, fixed_in }
#define ON_MESA(not_in, first_seen, last_seen, fixed_in) \
    Affected { Driver::Unknown, true, not_in, first_seen, last_seen, fixed_in }
namespace drivers_of {
#define QUIRK(name, elsewhere, processor, fault, answer, tests, ...) \
    constexpr Affected name[] = {__VA_ARGS__};
#include "vulkan/driver_quirks.def"
}  // namespace drivers_of
#undef ON
#undef ON_MESA

constexpr QuirkRow kQuirks[] = {
#define QUIRK(name, elsewhere, processor, fault, answer, tests, ...) \
    {#name, &DriverQuirks::name, Elsewhere::elsewhere, Processors::processor, fault, drivers_of::name},
#include "vulkan/driver_quirks.def"
};

const DriverRow* row_of(Driver driver) {
    const auto* row = std::ranges::find(kDrivers, driver, &DriverRow::driver);
    return row == std::ranges::end(kDrivers) ? nullptr : row;
}

DriverVersion unpack(VersionForm form, uint32_t version) {
    if (form == VersionForm::Nvidia) return {version >> 22, version >> 14 & 0xff, version >> 6 & 0xff};
    return {version >> 22, version >> 12 & 0x3ff, version & 0xfff};
}

bool has(const QuirkRow& quirk, const DriverRow* driver, const std::optional<DriverVersion>& version,
         Processor processor) {
    const Affected* affected = driver ? quirk.about(*driver) : nullptr;
    if (!affected) return quirk.is_elsewhere(driver);
    return affected->has(version) && is_among(quirk.processors, processor);
}

}  // namespace

std::span<const DriverRow> driver_rows() { return kDrivers; }
std::span<const QuirkRow> quirk_rows() { return kQuirks; }

Driver driver_of_id(uint32_t vulkan_id) {
    const auto* row = std::ranges::find(kDrivers, vulkan_id, &DriverRow::vulkan_number);
    return row == std::ranges::end(kDrivers) ? Driver::Unknown : row->driver;
}
Driver driver_of_id(std::string_view vulkan_id) {
    constexpr std::string_view kExtension = "_KHR";  // as VK_KHR_driver_properties spelt it
    if (vulkan_id.ends_with(kExtension)) vulkan_id.remove_suffix(kExtension.size());
    const auto* row = std::ranges::find(kDrivers, vulkan_id, &DriverRow::vulkan_id);
    return row == std::ranges::end(kDrivers) ? Driver::Unknown : row->driver;
}

std::optional<DriverVersion> version_of(Driver driver, std::optional<uint32_t> driver_version,
                                        std::string_view driver_info) {
    const DriverRow* row = row_of(driver);
    if (!row) return std::nullopt;
    constexpr std::string_view kMesa = "Mesa ";
    if (row->version_form == VersionForm::Mesa && driver_info.starts_with(kMesa))
        if (const std::optional<DriverVersion> version = parse_version(driver_info.substr(kMesa.size())))
            return version;
    if (!driver_version)  // in a profile; NVIDIA's text is the version alone
        return row->version_form == VersionForm::Nvidia ? parse_version(driver_info) : std::nullopt;
    return unpack(row->version_form, *driver_version);
}

bool Affected::has(const std::optional<DriverVersion>& version) const {
    if (!version) return true;
    if (const std::optional<DriverVersion> older = parse_version(not_in); older && *version <= *older)
        return false;
    const std::optional<DriverVersion> newer = parse_version(fixed_in);
    return !newer || *version < *newer;
}

const Affected* QuirkRow::about(const DriverRow& driver) const {
    const auto found = std::ranges::find_if(drivers, [&](const Affected& affected) {
        return affected.is_any_mesa ? driver.version_form == VersionForm::Mesa
                                    : affected.driver == driver.driver;
    });
    return found == drivers.end() ? nullptr : &*found;
}

bool QuirkRow::is_elsewhere(const DriverRow* driver) const {
    if (driver == nullptr) return elsewhere >= Elsewhere::UnknownDrivers;
    return !driver->is_tested && elsewhere == Elsewhere::UntestedDrivers;
}

bool is_among(Processors processors, Processor processor) {
    switch (processors) {
        case Processors::AnyProcessor: return true;
        case Processors::NoWideRounding: return !processor.rounds_double_vectors;
        case Processors::Arm64BeforeLlvm21: return processor.is_arm64 && processor.llvm < 21;
    }
    return true;
}

DriverQuirks quirks_of(Driver driver, const std::optional<DriverVersion>& version, Processor processor) {
    DriverQuirks quirks;
    const DriverRow* row = row_of(driver);
    for (const QuirkRow& quirk : kQuirks) quirks.*quirk.member = has(quirk, row, version, processor);
    return quirks;
}

void know_driver(DeviceProfile& profile, Driver driver, const std::optional<DriverVersion>& version,
                 Processor processor) {
    profile.quirks = quirks_of(driver, version, processor);
    const DriverRow* row = row_of(driver);
    profile.linear_subgroups |= row && row->is_tested;
}

Processor processor_of(std::string_view device_name) {
    if (device_name.find(" bits") == std::string_view::npos) return {};  // it is no llvmpipe
    Processor processor;
    constexpr std::string_view kLlvm = "(LLVM ";
    if (const size_t place = device_name.find(kLlvm); place != std::string_view::npos)
        if (const std::optional<DriverVersion> version =
                parse_version(device_name.substr(place + kLlvm.size())))
            processor.llvm = version->major;
#if defined(__x86_64__) || defined(__i386__)
    if (device_name.find(" 128 bits") != std::string_view::npos)
        processor.rounds_double_vectors = __builtin_cpu_supports("avx") != 0;
    if (device_name.find(" 256 bits") != std::string_view::npos)
        processor.rounds_double_vectors = __builtin_cpu_supports("avx512f") != 0;
#elif defined(__aarch64__)
    processor.rounds_double_vectors = processor.is_arm64 = true;
#endif
    return processor;
}

}  // namespace caldera::vulkan
