// SPDX-License-Identifier: Apache-2.0
// The words for what a construct needs of a device.
#pragma once

#include <span>
#include <string>

#include "frontend/features.h"

namespace caldera::frontend {

/// "requires cl_khr_int64_base_atomics and cl_khr_int64_extended_atomics support".
std::string requires_support(std::span<const Ext> needs);

}  // namespace caldera::frontend
