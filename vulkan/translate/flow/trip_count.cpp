// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/flow/trip_count.h"

#include "vulkan/translate/support/integers.h"

namespace caldera::vulkan {

using namespace spirv;
using spv::Op;

std::optional<uint32_t> TripCounter::count(const Block& header, Id latch, const Instruction& branch,
                                           uint32_t most) const {
    const bool leaves_if = branch.id(1) == header.merge.id(0);
    for (const Instruction& phi : header.body) {
        if (phi.op != Op::OpPhi || phi.operands.size() != 4) break;
        const size_t back = phi.id(1) == latch ? 0 : 2;
        std::optional<uint64_t> value = builder_.constant_value(phi.id(2 - back));
        if (!value || !builder_.is_int(phi.type)) continue;
        for (uint32_t trips = 0; trips <= most; ++trips) {
            const auto leaves = evaluate(branch.id(0), phi, *value, 0);
            if (!leaves) break;
            if ((*leaves != 0) == leaves_if) return trips;
            value = evaluate(phi.id(back), phi, *value, 0);
            if (!value) break;
        }
    }
    return {};
}

/// The value of an id when the counter has this one.
std::optional<uint64_t> TripCounter::evaluate(Id id, const Instruction& counter, uint64_t value,
                                              int depth) const {
    constexpr int kMaxDepth = 8;
    if (id == counter.result) return value;
    if (const auto constant = builder_.constant_value(id)) return constant;
    const Instruction* def = definitions_[id.value];
    if (depth == kMaxDepth || !def || def->operands.size() != 2) return {};
    const Instruction& inst = *def;
    if (!inst.operands[0].is_id || !inst.operands[1].is_id) return {};
    const auto a = evaluate(inst.id(0), counter, value, depth + 1);
    const auto b = a ? evaluate(inst.id(1), counter, value, depth + 1) : std::nullopt;
    if (!b || !builder_.is_int(builder_.type_of(inst.id(0)))) return {};
    return integer_result(inst.op, *a, *b, builder_.width(builder_.type_of(inst.id(0))));
}

}  // namespace caldera::vulkan
