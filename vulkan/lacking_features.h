// SPDX-License-Identifier: Apache-2.0
// Which features an application has left out that a program needs.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "vulkan/build_program.h"

namespace caldera {

/// For the log of a build that failed on an adopted device: a note with the features that the physical device
/// has, the program needs, and the application did not enable. Features without which it could be built as
/// well are not among them. Empty if that is not why it failed. It builds the program once for each feature.
std::string lacking_features(const runtime::Device& device, std::span<const uint32_t> opencl_words,
                             const BuildOptions& options);
/// The same for a program in OpenCL C.
std::string lacking_features(const runtime::Device& device, std::string_view source,
                             const std::string& file_name, const BuildOptions& options);

}  // namespace caldera
