// SPDX-License-Identifier: Apache-2.0
#include "spirv/untyped_pointers.h"

#include <algorithm>
#include <cctype>

#include "spirv/grammar.h"
#include "spirv/raw_words.h"

namespace caldera::spirv {
namespace {

using spv::Op;

constexpr std::string_view kCapabilityName = "UntypedPointersKHR";

constexpr NamedBit kStorageClasses[] = {
    {0, "UniformConstant"}, {1, "Input"},          {2, "Uniform"}, {3, "Output"},
    {4, "Workgroup"},       {5, "CrossWorkgroup"}, {6, "Private"}, {7, "Function"},
    {8, "Generic"},         {9, "PushConstant"},   {11, "Image"},  {12, "StorageBuffer"},
};
constexpr uint32_t kAligned = 2;
constexpr NamedBit kMemoryOperands[] = {{1, "Volatile"}, {kAligned, "Aligned"}, {4, "Nontemporal"}};

std::string storage_name(uint32_t number) {
    const auto* row = std::ranges::find(kStorageClasses, number, &NamedBit::first);
    return row == std::end(kStorageClasses) ? "!" + std::to_string(number) : std::string(row->second);
}

/// An instruction, and what stands for it in a disassembly.
struct PointerStandIn {
    Op op, other;
    std::string_view other_name;
    size_t least_words, most_ids;  // behind the ids, their words included, are literals
};
constexpr size_t kAll = 0xffff;
constexpr PointerStandIn kPointerStandIns[] = {
    {kTypeUntypedPointer, Op::OpTypeStruct, "OpTypeStruct", 3, 2},
    {kUntypedVariable, Op::OpCompositeConstruct, "OpCompositeConstruct", 4, kAll},
    {kUntypedAccessChain, Op::OpCompositeConstruct, "OpCompositeConstruct", 3, kAll},
    {kUntypedInBoundsChain, Op::OpCompositeConstruct, "OpCompositeConstruct", 3, kAll},
    {kUntypedPtrAccessChain, Op::OpCompositeConstruct, "OpCompositeConstruct", 3, kAll},
    {kUntypedInBoundsPtrChain, Op::OpCompositeConstruct, "OpCompositeConstruct", 3, kAll},
    {kUntypedArrayLength, Op::OpCompositeConstruct, "OpCompositeConstruct", 6, 5},
    {kUntypedPrefetch, Op::OpGroupDecorate, "OpGroupDecorate", 2, 6},
    {kUntypedAsyncCopy, Op::OpCompositeConstruct, "OpCompositeConstruct", 3, 10},
};
const PointerStandIn* stand_in_of(RawInst inst) {
    const auto* row = std::ranges::find(kPointerStandIns, opcode(inst), &PointerStandIn::op);
    return row == std::end(kPointerStandIns) || inst.size() < row->least_words ? nullptr : row;
}

bool is_constant_chain(RawInst inst) {
    return opcode(inst) == Op::OpSpecConstantOp && inst.size() > 3 &&
           is_untyped_chain(static_cast<Op>(inst[3]));
}
/// As OpSpecConstantOp has it: "UntypedAccessChainKHR".
std::string_view short_name(Op op) { return grammar(op)->name.substr(2); }

/// The words of a line, without its comment.
std::vector<std::string_view> tokens_of(std::string_view line) {
    std::vector<std::string_view> tokens;
    line = line.substr(0, line.find(';'));
    while (true) {
        line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
        if (line.empty()) return tokens;
        const size_t end = std::min(line.find_first_of(" \t\r"), line.size());
        tokens.push_back(line.substr(0, end));
        line.remove_prefix(end);
    }
}

/// A mask is a number, or names with '|' between them.
std::string mask_number(std::string_view text) {
    uint32_t mask = 0;
    while (!text.empty()) {
        const size_t end = std::min(text.find('|'), text.size());
        const auto* row = std::ranges::find(kMemoryOperands, text.substr(0, end), &NamedBit::second);
        if (row != std::end(kMemoryOperands)) mask |= row->first;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return "!" + std::to_string(mask);
}

/// An operand that is no id: a storage class, a number or a mask.
std::string literal(std::string_view token) {
    const auto* storage = std::ranges::find(kStorageClasses, token, &NamedBit::second);
    if (storage != std::end(kStorageClasses)) return "!" + std::to_string(storage->first);
    if (token[0] == '!') return std::string(token);
    return std::isdigit(static_cast<unsigned char>(token[0])) ? "!" + std::string(token) : mask_number(token);
}

std::string encoded_head(Op op, size_t words) {
    return "OpNop !" + std::to_string(words << 16 | static_cast<uint32_t>(op));
}

/// "%p = OpUntypedVariableKHR %type Function %t" -> "OpNop !0x00051142 %type %p !7 %t"; nothing for other
/// lines.
std::string numbered(std::string_view line) {
    std::vector<std::string_view> tokens = tokens_of(line);
    std::string_view result;
    if (tokens.size() > 2 && tokens[1] == "=") {
        result = tokens[0];
        tokens.erase(tokens.begin(), tokens.begin() + 2);
    }
    if (tokens.empty()) return {};
    if (tokens.size() == 2 && tokens[0] == "OpCapability" && tokens[1] == kCapabilityName)
        return "OpCapability !" + std::to_string(static_cast<uint32_t>(kUntypedPointers));
    if (tokens.size() > 2 && tokens[0] == "OpSpecConstantOp" && !result.empty()) {
        const auto* chain = std::ranges::find(kPointerStandIns, tokens[2],
                                              [](const PointerStandIn& row) { return short_name(row.op); });
        if (chain == std::end(kPointerStandIns)) return {};
        std::string out = encoded_head(Op::OpSpecConstantOp, tokens.size() + 1) + " " +
                          std::string(tokens[1]) + " " + std::string(result) + " !" +
                          std::to_string(static_cast<uint32_t>(chain->op));
        for (size_t i = 3; i < tokens.size(); ++i) out += " " + std::string(tokens[i]);
        return out;
    }
    const auto* row = std::ranges::find(kPointerStandIns, tokens[0],
                                        [](const PointerStandIn& each) { return grammar(each.op)->name; });
    if (row == std::end(kPointerStandIns)) return {};
    const bool has_type = grammar(row->op)->has_type;
    std::string out = encoded_head(row->op, tokens.size() + !result.empty());
    if (!result.empty() && !has_type) out += " " + std::string(result);
    for (size_t i = 1; i < tokens.size(); ++i) {
        out += " " + (tokens[i][0] == '%' ? std::string(tokens[i]) : literal(tokens[i]));
        if (i == 1 && !result.empty() && has_type) out += " " + std::string(result);
    }
    return out;
}

/// Calls `visit` with each line, without its end.
template <class Visit>
void for_each_line(std::string_view text, Visit visit) {
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        visit(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

std::string memory_operands(RawInst inst, size_t first) {
    std::string text;
    for (size_t at = first; at < inst.size(); ++at) {
        text += " " + names_of(inst[at], kMemoryOperands, "None");
        if ((inst[at] & kAligned) != 0 && at + 1 < inst.size()) text += " " + std::to_string(inst[++at]);
    }
    return text;
}

/// The line says what stands for the instruction. Others that have the same name stay.
void restore(std::string& line, RawInst inst) {
    const Op op = opcode(inst);
    const auto replace = [&](std::string_view from, std::string_view to) {
        if (const size_t at = line.find(from); at != line.npos) line.replace(at, from.size(), to);
    };
    if (is_capability_of(inst, kUntypedPointers)) return replace("Addresses", kCapabilityName);
    if (is_constant_chain(inst)) {
        const auto chain = static_cast<Op>(inst[3]);
        return replace(" " + std::string(short_name(typed_chain(chain))) + " ",
                       " " + std::string(short_name(chain)) + " ");
    }
    const PointerStandIn* row = stand_in_of(inst);
    if (!row) return;
    replace(row->other_name, grammar(op)->name);
    if (op == kTypeUntypedPointer) {
        line += " " + storage_name(inst[2]);
    } else if (op == kUntypedVariable) {  // the storage class is behind the type
        const size_t type = line.find(grammar(op)->name) + grammar(op)->name.size() + 1;
        line.insert(std::min(line.find(' ', type), line.size()), " " + storage_name(inst[3]));
    } else if (op == kUntypedArrayLength) {
        line += " " + std::to_string(inst.back());
    } else {
        line += memory_operands(inst, row->most_ids);
    }
}

}  // namespace

bool has_untyped_pointers(std::span<const uint32_t> words) {
    bool found = false;
    for_each_raw_inst(words, [&](RawInst inst) {
        found |= is_capability_of(inst, kUntypedPointers) || stand_in_of(inst) || is_constant_chain(inst);
    });
    return found;
}

std::string number_untyped_pointers(std::string_view assembly) {
    std::string out;
    for_each_line(assembly, [&](std::string_view line) {
        const bool may_have = line.find("Untyped") != line.npos;
        const std::string numbers = may_have ? numbered(line) : "";
        out += numbers.empty() ? std::string(line) : numbers;
        out += '\n';
    });
    return out;
}

std::vector<uint32_t> without_separators(std::span<const uint32_t> words) {
    std::vector<uint32_t> out(
        words.begin(), words.begin() + static_cast<ptrdiff_t>(std::min(kRawHeaderWords, words.size())));
    bool is_behind_nop = false;
    for_each_raw_inst(words, [&](RawInst inst) {
        if (is_behind_nop && (stand_in_of(inst) || is_constant_chain(inst))) out.pop_back();
        out.insert(out.end(), inst.begin(), inst.end());
        is_behind_nop = opcode(inst) == Op::OpNop;
    });
    return out;
}

/// Only ids are left of what stands for an instruction.
std::vector<uint32_t> stand_in_for_untyped_pointers(std::span<const uint32_t> words) {
    std::vector<uint32_t> out(
        words.begin(), words.begin() + static_cast<ptrdiff_t>(std::min(kRawHeaderWords, words.size())));
    for_each_raw_inst(words, [&](RawInst inst) {
        const auto at = static_cast<ptrdiff_t>(out.size());
        out.insert(out.end(), inst.begin(), inst.end());
        if (is_capability_of(inst, kUntypedPointers)) {
            out.back() = static_cast<uint32_t>(spv::Capability::Addresses);
        } else if (is_constant_chain(inst)) {
            out[at + 3] = static_cast<uint32_t>(typed_chain(static_cast<Op>(inst[3])));
        } else if (const PointerStandIn* row = stand_in_of(inst)) {
            out.resize(at + std::min(inst.size(), row->most_ids));
            if (row->op == kUntypedVariable) out.erase(out.begin() + at + 3);
            out[at] = static_cast<uint32_t>(out.size() - at) << 16 | static_cast<uint32_t>(row->other);
        }
    });
    return out;
}

/// What stands for something is found in the order of the instructions.
std::string restore_untyped_pointers(std::string_view disassembly, std::span<const uint32_t> original) {
    const auto is_stand_in_name = [](std::string_view name) {
        return name == "OpCapability" || name == "OpSpecConstantOp" ||
               std::ranges::find(kPointerStandIns, name, &PointerStandIn::other_name) !=
                   std::end(kPointerStandIns);
    };
    std::vector<RawInst> order;  // of those whose lines have such names
    for_each_raw_inst(original, [&](RawInst inst) {
        const InstructionGrammar* rule = grammar(opcode(inst));
        if (stand_in_of(inst) || (rule && is_stand_in_name(rule->name))) order.push_back(inst);
    });
    std::string out;
    size_t next = 0;
    for_each_line(disassembly, [&](std::string_view text) {
        std::string line(text);
        const std::vector<std::string_view> tokens = tokens_of(text);
        const size_t name = tokens.size() > 2 && tokens[1] == "=" ? 2 : 0;
        if (name < tokens.size() && is_stand_in_name(tokens[name]) && next < order.size())
            restore(line, order[next++]);
        out += line + "\n";
    });
    return out;
}

}  // namespace caldera::spirv
