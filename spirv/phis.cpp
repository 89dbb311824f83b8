// SPDX-License-Identifier: Apache-2.0
#include "spirv/phis.h"

#include <algorithm>

namespace caldera::spirv {
namespace {

size_t count_phis(const std::vector<Instruction>& body) {
    const auto end =
        std::ranges::find_if(body, [](const Instruction& inst) { return inst.op != spv::Op::OpPhi; });
    return static_cast<size_t>(end - body.begin());
}

}  // namespace

std::span<Instruction> phis_of(std::vector<Instruction>& body) {
    return std::span(body).first(count_phis(body));
}

std::span<const Instruction> phis_of(const std::vector<Instruction>& body) {
    return std::span(body).first(count_phis(body));
}

Id value_from(const Instruction& phi, Id predecessor) {
    for (size_t i = 0; i + 1 < phi.operands.size(); i += 2)
        if (phi.id(i + 1) == predecessor) return phi.id(i);
    return {};
}

void rename_predecessor(Block& block, Id from, Id to) {
    for (Instruction& phi : phis_of(block.body))
        for (size_t i = 1; i < phi.operands.size(); i += 2)
            if (phi.id(i) == from) phi.operands[i] = to;
}

void drop_predecessor(Block& block, Id predecessor) {
    for (Instruction& phi : phis_of(block.body))
        for (size_t i = 0; i + 1 < phi.operands.size();)
            if (phi.id(i + 1) == predecessor)
                phi.operands.erase(phi.operands.begin() + i, phi.operands.begin() + i + 2);
            else
                i += 2;
}

}  // namespace caldera::spirv
