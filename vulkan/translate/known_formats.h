// SPDX-License-Identifier: Apache-2.0
// Image functions of the library for formats that are known.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace caldera::vulkan {

/// The id and the value of a specialisation constant.
using SpecConstant = std::pair<uint32_t, uint32_t>;

/// The module of one kernel for images of known formats. The functions that images or formats are passed to
/// get copies for these formats, in which a read of a texel is some twenty instructions instead of hundreds.
/// Drivers inline each call before they find out which of those are needed, and they never find out in
/// functions that have the format from an image's highest bits.
///
/// `words`: what translate() made, with one entry point. `formats`: those of images; 0 is any. Empty: nothing
/// is gained. Throws nothing but std::bad_alloc.
std::vector<uint32_t> with_known_formats(std::span<const uint32_t> words,
                                         std::span<const SpecConstant> formats);

}  // namespace caldera::vulkan
