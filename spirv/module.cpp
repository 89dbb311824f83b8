// SPDX-License-Identifier: Apache-2.0
#include "spirv/module.h"

#include <algorithm>
#include <iterator>

namespace caldera::spirv {

std::vector<Instruction>::iterator Block::after_variables() {
    return std::ranges::find_if(body, [](const Instruction& inst) { return inst.op != spv::Op::OpVariable; });
}

void Function::insert_at_entry(std::vector<Instruction> code) {
    blocks.front().body.insert(blocks.front().after_variables(), std::make_move_iterator(code.begin()),
                               std::make_move_iterator(code.end()));
}

std::string place_text(const Module& module, const Line& line) {
    const Id file = module.file_of(line);
    if (!file) return {};
    for (const Instruction& inst : module.debug_sources)
        if (inst.op == spv::Op::OpString && inst.result == file)
            return string_at(inst, 0) + ":" + std::to_string(line.line) + ":" + std::to_string(line.column);
    return {};
}

void append_string(Operands& operands, std::string_view text) {
    uint32_t word = 0;
    for (size_t i = 0; i <= text.size(); ++i) {
        const uint8_t byte = i < text.size() ? static_cast<uint8_t>(text[i]) : 0;
        word |= uint32_t{byte} << (8 * (i % 4));
        if (i % 4 == 3 || i == text.size()) {
            operands.push_back(word);
            word = 0;
        }
    }
}

std::string string_at(const Instruction& inst, size_t index, size_t* next) {
    std::string text;
    for (; index < inst.operands.size(); ++index) {
        const uint32_t word = inst.word(index);
        for (int byte = 0; byte < 4; ++byte) {
            const char c = static_cast<char>(word >> (8 * byte));
            if (c == 0) {
                if (next) *next = index + 1;
                return text;
            }
            text += c;
        }
    }
    if (next) *next = index;
    return text;
}

uint64_t number_at(const Instruction& inst, size_t index) {
    const uint64_t high = index + 1 < inst.operands.size() ? inst.word(index + 1) : 0;
    return high << 32 | inst.word(index);
}

std::optional<Linkage> linkage_of(const Instruction& decoration) {
    if (decoration.op != spv::Op::OpDecorate ||
        decoration.word(1) != static_cast<uint32_t>(spv::Decoration::LinkageAttributes))
        return std::nullopt;
    size_t next = 0;
    std::string name = string_at(decoration, 2, &next);
    if (next >= decoration.operands.size()) return std::nullopt;
    return Linkage{decoration.id(0), std::move(name), static_cast<spv::LinkageType>(decoration.word(next))};
}

}  // namespace caldera::spirv
