// SPDX-License-Identifier: Apache-2.0
// Uses pointers of known storage classes instead of the generic pointers that they were cast to.
#pragma once

#include "spirv/builder.h"
#include "spirv/id_map.h"

namespace caldera::vulkan {

/// A pointer that was cast to a generic one.
struct CastPointer {
    spirv::Id id = {}, type = {};
};

/// In a function, computes pointers from what was cast to a generic pointer, and casts the results. What is
/// loaded and stored through a pointer then has the storage class that is known. Returns the generic pointers
/// that are casts.
spirv::IdMap<CastPointer> sink_generic_casts(spirv::Builder& builder, spirv::Function& function);

}  // namespace caldera::vulkan
