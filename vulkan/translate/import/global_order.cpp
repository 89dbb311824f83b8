// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/global_order.h"

#include <utility>
#include <vector>

#include "spirv/id_map.h"

namespace caldera::vulkan {

using namespace spirv;

bool mend_global_order(Module& module) {
    std::vector<Instruction>& globals = module.globals;
    IdMap<size_t> places;  // of what has not been seen
    for (size_t i = 0; i < globals.size(); ++i)
        if (globals[i].result) places[globals[i].result] = i;
    const auto place_of = [&](Id id) {
        const auto found = places.find(id);
        return found == places.end() ? globals.size() : found->second;
    };
    IdSet declared;  // by OpTypeForwardPointer
    const auto place_needed = [&](const Instruction& inst, size_t operand) {
        if (!inst.operands[operand].is_id) return globals.size();
        const bool is_type = !inst.type;
        return is_type && declared.contains(inst.id(operand)) ? globals.size() : place_of(inst.id(operand));
    };
    bool sound = true;
    for (size_t i = 0; i < globals.size(); ++i) {
        const Instruction& inst = globals[i];
        if (inst.op == spv::Op::OpTypeForwardPointer) declared.insert(inst.id(0));
        const size_t type = place_of(inst.type);
        sound &= type >= globals.size() || type <= i;
        for (size_t k = 0; k < inst.operands.size(); ++k) {
            const size_t place = place_needed(inst, k);
            sound &= place >= globals.size() || place <= i;
        }
    }
    if (sound) return false;

    std::vector<Instruction> sorted;
    sorted.reserve(globals.size());
    struct Visit {
        size_t place, next = 0;
    };
    std::vector<uint8_t> entered(globals.size());
    std::vector<Visit> open;
    for (size_t start = 0; start < globals.size(); ++start) {
        if (!entered[start]) open.push_back({start});
        while (!open.empty()) {
            Visit& top = open.back();
            Instruction& inst = globals[top.place];
            entered[top.place] = 1;
            size_t needed = globals.size();
            while (needed == globals.size() && top.next <= inst.operands.size()) {
                const size_t k = top.next++;
                needed = k == 0 ? place_of(inst.type) : place_needed(inst, k - 1);
                if (needed < globals.size() && entered[needed]) needed = globals.size();
            }
            if (needed < globals.size()) {
                open.push_back({needed});
                continue;
            }
            sorted.push_back(std::move(inst));
            open.pop_back();
        }
    }
    globals = std::move(sorted);
    return true;
}

}  // namespace caldera::vulkan
