// SPDX-License-Identifier: Apache-2.0
// The functions of the API under the names of the specification without "cl": dispatch.cpp gives them to the loader.
#pragma once

#include "vulkan/icd/object.h"

namespace caldera::icd {

#define ENTRY(name) decltype(::cl##name) name;
#define EXTENSION_ENTRY(name) decltype(::cl##name) name;
#include "vulkan/icd/entry_points.def"

}  // namespace caldera::icd
