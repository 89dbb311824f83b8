// SPDX-License-Identifier: Apache-2.0
#include "tools/clc2spv/drivers.h"

#include <algorithm>

#include "frontend/typo.h"

namespace caldera::tools {
namespace {

using vulkan::Affected;
using vulkan::DriverRow;
using vulkan::QuirkRow;

/// The name that is meant: one that ends so, as "radv" does, or one that is spelt nearly so.
std::string_view meant_driver(std::string_view name) {
    frontend::Nearest nearest(name);
    for (const DriverRow& row : vulkan::driver_rows()) {
        if (name.size() > 2 && row.name.ends_with(name)) return row.name;
        nearest.consider(row.name);
    }
    return nearest.found();
}

/// Whether the text is one to three numbers with dots between them.
bool is_version(std::string_view text) {
    size_t numbers = 1, digits = 0;
    for (const char c : text) {
        const bool is_digit = c >= '0' && c <= '9';
        if (!is_digit && (c != '.' || digits == 0 || ++numbers > 3)) return false;
        digits = is_digit ? digits + 1 : 0;
        if (digits > 9) return false;
    }
    return digits != 0;
}

std::string versions_text(const Affected& affected) {
    std::string text = "seen in " + std::string(affected.first_seen);
    if (affected.last_seen != affected.first_seen) text += " to " + std::string(affected.last_seen);
    if (vulkan::parse_version(affected.not_in)) text += ", not in " + std::string(affected.not_in);
    if (vulkan::parse_version(affected.fixed_in)) text += ", fixed in " + std::string(affected.fixed_in);
    return text;
}

}  // namespace

Result<DriverChoice> parse_driver(std::string_view text) {
    const size_t colon = text.find(':');
    const std::string_view name = text.substr(0, colon);
    const auto rows = vulkan::driver_rows();
    const auto row = std::ranges::find(rows, name, &DriverRow::name);
    if (row == rows.end()) {
        const std::string meant(meant_driver(name));
        return Error{.message = "there is no driver '" + std::string(name) + "'" +
                                (meant.empty() ? " (see --driver=help)" : "; did you mean '" + meant + "'?")};
    }
    if (colon == std::string_view::npos) return DriverChoice{std::string(text), row->driver};
    const std::string_view version = text.substr(colon + 1);
    if (!is_version(version))
        return Error{.message = "'" + std::string(version) +
                                "' is no version of a driver: it is one to three numbers, as in 26.2"};
    return DriverChoice{std::string(text), row->driver, vulkan::parse_version(version)};
}

std::string drivers_help() {
    std::string text;
    for (const DriverRow& driver : vulkan::driver_rows()) {
        text += std::string(driver.name) + ": " + std::string(driver.title) +
                (driver.is_tested ? "\n" : "; not tested\n");
        for (const QuirkRow& quirk : vulkan::quirk_rows()) {
            const Affected* affected = quirk.about(driver);
            if (!affected && !quirk.is_elsewhere(&driver)) continue;
            std::string name(quirk.name);
            name.resize(32, ' ');
            text += "  " + name + (affected ? versions_text(*affected) : "to be safe") + "\n";
        }
    }
    return text;
}

}  // namespace caldera::tools
