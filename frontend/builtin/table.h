// SPDX-License-Identifier: Apache-2.0
// The rows of the table, and which of them a name may mean. Internal to builtin/.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/builtin/builtin.h"
#include "frontend/builtin/signature.h"

namespace caldera::frontend::builtin {

/// The rows that a called name may mean, and what the name itself specifies.
struct NameMatch {
    std::vector<const Row*> rows = {};  ///< in the order of builtins.def; empty when there is none
    uint8_t lanes = 1;                  ///< the digits in "vload4", the lanes of R in "convert_int4"
    Shape named_result = {};            ///< convert_, as_
    bool saturate = false;
    int8_t rounding = -1;   ///< spv::FPRoundingMode
    std::string name = {};  ///< of the rows, when the name stands for another; else empty
};

/// Rows whose features are not available are omitted.
NameMatch match_name(std::string_view name, const Features& features);

/// Whether `kind` may stand in a candidate: half needs fp16, double fp64.
bool element_enabled(TypeKind kind, const Features& features);

std::span<const Row> all_rows();

}  // namespace caldera::frontend::builtin
