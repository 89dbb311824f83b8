// SPDX-License-Identifier: Apache-2.0
#include "spirv/entry_points.h"

#include <algorithm>

#include "spirv/grammar.h"

namespace caldera::spirv {
namespace {

using spv::Op;

constexpr size_t kHeaderWords = 5, kBoundAt = 3;  // SPIR-V 2.3

Op op_of(std::span<const uint32_t> inst) { return static_cast<Op>(inst[0] & 0xffff); }

/// Calls visit(instruction, where it begins) for all that begin in [begin, end).
template <class Visit>
void for_each(std::span<const uint32_t> words, size_t begin, size_t end, Visit&& visit) {
    for (size_t at = begin; at < end;) {
        const size_t length = std::clamp<size_t>(words[at] >> 16, 1, end - at);
        visit(words.subspan(at, length), at);
        at += length;
    }
}

/// Of an OpEntryPoint. Hosts of ours are little-endian, as literal strings are.
std::string_view name_of(std::span<const uint32_t> entry_point) {
    const std::string_view rest(reinterpret_cast<const char*>(entry_point.data() + 3),
                                (entry_point.size() - 3) * 4);
    return rest.substr(0, rest.find('\0'));
}

}  // namespace

EntryPoints::EntryPoints(std::vector<uint32_t> words) : words_(std::move(words)) {
    globals_end_ = words_.size();
    if (words_.size() < kHeaderWords) return;
    function_of_.resize(words_[kBoundAt], kNoFunction);
    bool is_inside = false;
    for_each(words_, kHeaderWords, words_.size(), [&](std::span<const uint32_t> inst, size_t at) {
        const Op op = op_of(inst);
        if (op == Op::OpFunction) {
            if (functions_.empty()) globals_end_ = at;
            functions_.push_back({.id = inst[2], .begin = at});
            is_inside = true;
        }
        if (!is_inside) return;
        const InstructionGrammar* known = grammar(op);
        if (known && known->has_result)
            function_of_[inst[known->has_type ? 2 : 1]] = static_cast<uint32_t>(functions_.size() - 1);
        if (op == Op::OpFunctionCall) functions_.back().callees.push_back(inst[3]);
        if (op != Op::OpFunctionEnd) return;
        functions_.back().end = at + inst.size();
        is_inside = false;
    });
}

std::vector<bool> EntryPoints::reached_from(uint32_t entry_point) const {
    std::vector<bool> reached(functions_.size());
    std::vector<uint32_t> open = {entry_point};
    while (!open.empty()) {
        const uint32_t function = function_of_[open.back()];
        open.pop_back();
        if (function == kNoFunction || reached[function]) continue;
        reached[function] = true;
        const std::vector<uint32_t>& callees = functions_[function].callees;
        open.insert(open.end(), callees.begin(), callees.end());
    }
    return reached;
}

/// Outside functions.
bool EntryPoints::stays(std::span<const uint32_t> inst, std::string_view name, uint32_t entry_point,
                        const std::vector<bool>& reached) const {
    switch (op_of(inst)) {
        case Op::OpEntryPoint: return name_of(inst) == name;
        case Op::OpExecutionMode:
        case Op::OpExecutionModeId: return inst[1] == entry_point;
        case Op::OpName:
        case Op::OpDecorate:
        case Op::OpDecorateId:
        case Op::OpDecorateString: {
            const uint32_t function = function_of_[inst[1]];
            return function == kNoFunction || reached[function];
        }
        case Op::OpExtInst: return false;
        default: return true;
    }
}

std::vector<uint32_t> EntryPoints::only(std::string_view name) const {
    uint32_t entry_point = 0;
    for_each(words_, kHeaderWords, globals_end_, [&](std::span<const uint32_t> inst, size_t) {
        if (op_of(inst) == Op::OpEntryPoint && name_of(inst) == name) entry_point = inst[2];
    });
    if (entry_point == 0) return words_;
    const std::vector<bool> reached = reached_from(entry_point);
    std::vector<uint32_t> out(words_.begin(), words_.begin() + kHeaderWords);
    for_each(words_, kHeaderWords, globals_end_, [&](std::span<const uint32_t> inst, size_t) {
        if (stays(inst, name, entry_point, reached)) out.insert(out.end(), inst.begin(), inst.end());
    });
    for (size_t f = 0; f < functions_.size(); ++f)
        if (reached[f])
            out.insert(out.end(), words_.begin() + static_cast<ptrdiff_t>(functions_[f].begin),
                       words_.begin() + static_cast<ptrdiff_t>(functions_[f].end));
    return out;
}

}  // namespace caldera::spirv
