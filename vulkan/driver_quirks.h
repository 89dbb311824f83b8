// SPDX-License-Identifier: Apache-2.0
// DriverQuirks: which faults a driver has that we work around. Plain data; includes nothing of ours.
#pragma once

#include <cstdint>

namespace caldera::vulkan {

/// Who gets a workaround besides the drivers that its row names (driver_quirks.def).
enum class Elsewhere : uint8_t {
    Nobody,
    Presets,          ///< modules that are made for no device: they must run anywhere
    UnknownDrivers,   ///< and devices whose driver has no row in drivers.def
    UntestedDrivers,  ///< and devices whose driver has a row, but has not run the tests
};

/// Each field is true where the driver has a fault that we work around; driver_quirks.def has the faults. The
/// default is that of presets.
struct DriverQuirks {
#define QUIRK(name, elsewhere, ...) bool name = Elsewhere::elsewhere != Elsewhere::Nobody;
#include "vulkan/driver_quirks.def"
    bool operator==(const DriverQuirks&) const = default;
};

}  // namespace caldera::vulkan
