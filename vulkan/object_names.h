// SPDX-License-Identifier: Apache-2.0
// How CheckSite::object names what has no name in the program.
#pragma once

namespace caldera::vulkan {

/// No identifier, as it has a space.
constexpr const char* kVectorValue = "vector value";  ///< of which a component is named by an index
constexpr const char* kStringLiteral = "string literal";

}  // namespace caldera::vulkan
