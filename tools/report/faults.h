// SPDX-License-Identifier: Apache-2.0
// The faults of a module as findings.
#pragma once

#include <string>

#include "spirv/fault.h"
#include "spirv/support/finding.h"

namespace caldera::tools {

/// The place is the source's line, or else the instruction's bytes in `file`, the module. Where the place is
/// the source's, a note names the module.
Finding as_finding(const spirv::Fault& fault, const std::string& file);

/// The fault as text, with a newline: "k.cl:3:5: error: ... [VUID-...]", and the instruction, the function,
/// and what to do below. Control characters are '?'.
std::string as_text(const Finding& finding);

}  // namespace caldera::tools
