// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace example {

/// Writes 8-bit RGB, `pixels` row by row from the top, 3 bytes each. Says on stderr why the file cannot be
/// written, and returns false.
bool write_png(const std::string& path, uint32_t width, uint32_t height, std::span<const uint8_t> pixels);
/// The same of RGBA, 4 bytes each, without alpha.
bool write_png_of_rgba(const std::string& path, uint32_t width, uint32_t height,
                       std::span<const uint8_t> pixels);

}  // namespace example
