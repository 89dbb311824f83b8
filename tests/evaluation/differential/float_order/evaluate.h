// SPDX-License-Identifier: Apache-2.0
// What a body's result must be.
#pragma once

#include <map>
#include <optional>
#include <span>

#include "body.h"

namespace caldera::float_order {

/// The numbers of each kind in the kernel's tables, as bits.
using Tables = std::map<Kind, std::vector<uint64_t>>;
const Tables& tables();

/// The kinds whose denormals the device has to keep. A result that depends on another kind's denormals is not
/// judged.
struct Denormals {
    bool half = false, single = false, of_double = true;
    bool kept(Kind kind) const {
        return kind == Kind::Half ? half : kind == Kind::Float ? single : kind != Kind::Double || of_double;
    }
};

struct Value {
    std::array<uint64_t, kMaxWidth> lanes = {};
    uint32_t unknown = 0;  ///< a bit for each lane that may be anything
    bool is_unknown(uint32_t lane) const { return (unknown >> lane & 1) != 0; }
};

/// The result of a work-item. `ways` has one for each of body.ways.
Value evaluate(const Body& body, uint32_t item, std::span<const uint8_t> ways, const Denormals& denormals);

/// The next combination of ways; false after the last one, when all are 0 again.
bool next(const Body& body, std::vector<uint8_t>& ways);

/// A lane of a work-item's result that no combination of ways gives.
struct Difference {
    uint32_t item = 0, lane = 0;
    uint64_t got = 0;
    std::vector<uint64_t> allowed = {};
};
struct Verdict {
    std::optional<Difference> difference = {};  ///< the first one
    uint32_t differ = 0, judged = 0, lanes = 0;
};
/// `results` has what each work-item gave, lane by lane.
Verdict judge(const Body& body, std::span<const uint64_t> results, const Denormals& denormals,
              uint32_t items = kItems, uint32_t first_item = 0);

}  // namespace caldera::float_order
