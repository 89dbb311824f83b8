// SPDX-License-Identifier: Apache-2.0
#include "spirv/entry_points.h"

#include <algorithm>
#include <cstring>

#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>

#include "spirv/raw_words.h"

namespace caldera::spirv {
namespace {

using spv::Op;

constexpr size_t kHeaderWords = 5, kBoundAt = 3;  // SPIR-V 2.3
constexpr std::string_view kDebugSet = "NonSemantic.Shader.DebugInfo.100";

Op op_of(std::span<const uint32_t> inst) { return static_cast<Op>(inst[0] & 0xffff); }

/// Calls visit(instruction, its offset) for each instruction that begins in [begin, end).
template <class Visit>
void for_each(std::span<const uint32_t> words, size_t begin, size_t end, Visit&& visit) {
    for (size_t at = begin; at < end;) {
        const size_t length = std::clamp<size_t>(words[at] >> 16, 1, end - at);
        visit(words.subspan(at, length), at);
        at += length;
    }
}

/// Hosts are little-endian, as literal strings are.
std::string_view literal_string(std::span<const uint32_t> words) {
    const std::string_view text(reinterpret_cast<const char*>(words.data()), words.size() * 4);
    return text.substr(0, text.find('\0'));
}

/// The name of an OpEntryPoint.
std::string_view name_of(std::span<const uint32_t> entry_point) {
    return literal_string(entry_point.subspan(3));
}

/// Appends an OpEntryPoint with another name. A literal string ends in at least one zero byte (SPIR-V 2.2.1).
void append_renamed(std::vector<uint32_t>& out, std::span<const uint32_t> entry_point,
                    std::string_view name) {
    const size_t old_words = name_of(entry_point).size() / 4 + 1, new_words = name.size() / 4 + 1;
    const size_t begin = out.size();
    out.insert(out.end(), entry_point.begin(), entry_point.begin() + 3);
    out.resize(out.size() + new_words);
    std::memcpy(out.data() + begin + 3, name.data(), name.size());
    const std::span<const uint32_t> interface = entry_point.subspan(3 + old_words);
    out.insert(out.end(), interface.begin(), interface.end());
    out[begin] = static_cast<uint32_t>((out.size() - begin) << 16) | (entry_point[0] & 0xffff);
}

}  // namespace

EntryPoints::EntryPoints(std::vector<uint32_t> words) : words_(std::move(words)) {
    if (words_.size() < kHeaderWords) return;
    function_of_.resize(words_[kBoundAt], kNoFunction);
    bool is_inside = false;
    for_each(words_, kHeaderWords, words_.size(), [&](Instruction inst, size_t at) {
        const Op op = op_of(inst);
        if (op == Op::OpFunction) functions_.push_back({.begin = at});
        is_inside |= op == Op::OpFunction;
        const uint32_t id = result_of(inst);
        if (!is_inside) return note_outside(inst, id);
        if (id != 0) function_of_[id] = static_cast<uint32_t>(functions_.size() - 1);
        if (op == Op::OpFunctionCall) functions_.back().callees.push_back(inst[3]);
        if (op != Op::OpFunctionEnd) return;
        functions_.back().end = at + inst.size();
        is_inside = false;
    });
}

void EntryPoints::note_outside(Instruction inst, uint32_t id) {
    Outside outside{.inst = inst};
    switch (op_of(inst)) {
        case Op::OpExtInst:
            if (debug_set_ == 0 || inst[3] != debug_set_) return;  // non-semantic
            note_debug_info(inst, outside);
            break;
        case Op::OpExtInstImport:
            if (literal_string(inst.subspan(2)) == kDebugSet) debug_set_ = id;
            break;
        case Op::OpString:
        case Op::OpDecorationGroup: break;
        case Op::OpEntryPoint:
            entry_points_.push_back(outside_.size());
            outside.about = inst[2];
            break;
        case Op::OpExecutionModeId:
            modes_.push_back(outside_.size());
            outside.about = inst[1];
            break;
        case Op::OpDecorate:
            if (inst[2] == static_cast<uint32_t>(spv::Decoration::BuiltIn))
                built_ins_.push_back(outside_.size());
            outside.about = inst[1];
            break;
        case Op::OpName:
        case Op::OpMemberName:
        case Op::OpDecorateId:
        case Op::OpDecorateString:
        case Op::OpMemberDecorate:
        case Op::OpMemberDecorateString:
        case Op::OpExecutionMode:
        case Op::OpTypeForwardPointer: outside.about = inst[1]; break;
        default: outside.about = id; outside.is_global = id != 0;
    }
    outside_.push_back(outside);
}

/// Debug information is kept with what it is about, or like a constant where others mention it.
void EntryPoints::note_debug_info(Instruction inst, Outside& outside) {
    constexpr size_t kNumberAt = 4, kOperands = 5, kVariableAt = 12;
    outside.about = inst[2];
    outside.is_global = true;
    switch (inst[kNumberAt]) {
        case NonSemanticShaderDebugInfo100DebugSource: debug_source_ = inst[2]; break;
        case NonSemanticShaderDebugInfo100DebugSourceContinued: outside.about = debug_source_; break;
        case NonSemanticShaderDebugInfo100DebugEntryPoint:
            if (inst.size() > kOperands) outside.about = inst[kOperands];
            break;
        case NonSemanticShaderDebugInfo100DebugGlobalVariable:
            if (inst.size() > kVariableAt) outside.about = inst[kVariableAt];
            break;
        default: break;
    }
}

/// Whatever may be an id in these words stays.
void EntryPoints::mention(Kept& kept, Instruction words) const {
    for (const uint32_t word : words)
        if (word < kept.globals.size()) kept.globals[word] = true;
}

void EntryPoints::keep_functions(Kept& kept, uint32_t entry_point) const {
    std::vector<uint32_t> open = {entry_point};
    while (!open.empty()) {
        const uint32_t index = function_of_[open.back()];
        open.pop_back();
        if (index == kNoFunction || kept.functions[index]) continue;
        kept.functions[index] = true;
        const Function& function = functions_[index];
        mention(kept, Instruction(words_).subspan(function.begin, function.end - function.begin));
        open.insert(open.end(), function.callees.begin(), function.callees.end());
    }
}

/// Keeps what is mentioned, and what that mentions. Most definitions precede their uses, except for pointees
/// of types that are declared ahead.
void EntryPoints::keep_globals(Kept& kept) const {
    std::vector<bool> seen(outside_.size());
    for (bool is_more = true; is_more;) {
        is_more = false;
        for (size_t i = outside_.size(); i-- > 0;) {
            const Outside& outside = outside_[i];
            if (!outside.is_global || !kept.globals[outside.about] || seen[i]) continue;
            seen[i] = is_more = true;
            mention(kept, outside.inst.subspan(1));
        }
    }
}

EntryPoints::Kept EntryPoints::kept_with(uint32_t entry_point) const {
    Kept kept{std::vector<bool>(functions_.size()), std::vector<bool>(function_of_.size())};
    for (const std::vector<size_t>& places : {entry_points_, modes_})
        for (const size_t place : places)
            if (outside_[place].about == entry_point) mention(kept, outside_[place].inst.subspan(1));
    // The work-group size applies even to code that does not mention it.
    for (const size_t place : built_ins_) kept.globals[outside_[place].about] = true;
    keep_functions(kept, entry_point);
    keep_globals(kept);
    return kept;
}

bool EntryPoints::has(const Kept& kept, uint32_t id) const {
    const uint32_t function = function_of_[id];
    return function == kNoFunction ? kept.globals[id] : kept.functions[function];
}

std::vector<uint32_t> EntryPoints::only(std::string_view name, std::string_view new_name) const {
    const auto place = std::ranges::find_if(
        entry_points_, [&](size_t place) { return name_of(outside_[place].inst) == name; });
    if (place == entry_points_.end()) return words_;
    const Kept kept = kept_with(outside_[*place].about);
    std::vector<uint32_t> out(words_.begin(), words_.begin() + kHeaderWords);
    for (const Outside& outside : outside_) {
        if (outside.about != 0 && !has(kept, outside.about)) continue;
        if (!new_name.empty() && op_of(outside.inst) == Op::OpEntryPoint)
            append_renamed(out, outside.inst, new_name);
        else
            out.insert(out.end(), outside.inst.begin(), outside.inst.end());
    }
    for (size_t f = 0; f < functions_.size(); ++f)
        if (kept.functions[f])
            out.insert(out.end(), words_.begin() + static_cast<ptrdiff_t>(functions_[f].begin),
                       words_.begin() + static_cast<ptrdiff_t>(functions_[f].end));
    return out;
}

}  // namespace caldera::spirv
