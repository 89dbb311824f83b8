// SPDX-License-Identifier: Apache-2.0
#include "spirv/encoded_floats.h"

#include <spirv/unified1/OpenCL.std.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "spirv/grammar.h"
#include "spirv/raw_words.h"

namespace caldera::spirv {
namespace {

using spv::Op;

struct CapabilityName {
    spv::Capability capability;
    std::string_view name;
};
constexpr CapabilityName kBfloatCapabilities[] = {
    {kBfloat16Type, "BFloat16TypeKHR"},
    {kBfloat16Dot, "BFloat16DotProductKHR"},
    {kBfloat16Matrix, "BFloat16CooperativeMatrixKHR"},
    {kBfloat16Arithmetic, "BFloat16ArithmeticEXT"},
};
const CapabilityName* capability_of(RawInst inst) {
    const auto* const row = std::ranges::find_if(kBfloatCapabilities, [&](const CapabilityName& each) {
        return is_capability_of(inst, each.capability);
    });
    return row == std::end(kBfloatCapabilities) ? nullptr : row;
}

bool is_bfloat_type(RawInst inst) {
    return opcode(inst) == Op::OpTypeFloat && inst.size() == 4 && inst[3] == kBfloat16Encoding;
}

/// Writes a module anew with 16-bit integers.
class BfloatRemover {
 public:
    std::vector<uint32_t> run(std::span<const uint32_t> words) {
        out_ = header_of(words);
        for_each_raw_inst(words, [&](RawInst inst) { add(inst); });
        return std::move(out_);
    }

 private:
    void add(RawInst inst) {
        if (capability_of(inst)) return append({inst[0], static_cast<uint32_t>(spv::Capability::Int16)});
        const Op op = opcode(inst);
        const InstructionGrammar* rule = grammar(op);
        if (!rule) return append({inst.begin(), inst.end()});
        const bool is_type = rule->has_result && !rule->has_type && op >= Op::OpTypeVoid &&
                             op <= Op::OpTypeFunction && inst.size() > 1;
        if (is_type) return add_type(inst);
        const bool has_value = rule->has_type && rule->has_result && inst.size() >= 3;
        if (has_value) types_[inst[2]] = inst[1];
        std::vector<uint32_t> words(inst.begin(), inst.end());
        if (has_value && computes_with_bfloat(inst)) words = {head(Op::OpUndef, 3), inst[1], inst[2]};
        if (has_value) words[1] = merged(words[1]);
        if (op == Op::OpFunction && words.size() > 4) words[4] = merged(words[4]);
        append(words);
    }

    /// Types that have become equal are one, as SPIR-V wants it; an empty struct takes the other's place.
    void add_type(RawInst inst) {
        std::vector<uint32_t> words(inst.begin(), inst.end());
        if (is_bfloat_type(inst)) {
            bfloats_.insert(inst[1]);
            words = {head(Op::OpTypeInt, 4), inst[1], 16, 0};
        }
        const Op op = opcode(words);
        if (op == Op::OpTypeVector && words.size() > 2) {
            if (bfloats_.contains(words[2])) bfloats_.insert(words[1]);
            words[2] = merged(words[2]);
        } else if (op == Op::OpTypePointer && words.size() > 3) {
            words[3] = merged(words[3]);
        } else if (op == Op::OpTypeFunction || op == Op::OpTypeStruct) {
            for (size_t i = 2; i < words.size(); ++i) words[i] = merged(words[i]);
        } else if ((op == Op::OpTypeArray || op == Op::OpTypeRuntimeArray) && words.size() > 2) {
            words[2] = merged(words[2]);
        }
        if (op == Op::OpTypeInt || op == Op::OpTypeVector || op == Op::OpTypeFunction) {
            std::vector<uint32_t> key = words;
            key[1] = 0;
            const auto [first, is_new] = unique_.try_emplace(std::move(key), words[1]);
            if (!is_new) {
                merged_[words[1]] = first->second;
                words = {head(Op::OpTypeStruct, 2), words[1]};
            }
        }
        append(words);
    }

    bool is_bfloat_value(uint32_t id) const {
        const auto type = types_.find(id);
        return type != types_.end() && bfloats_.contains(type->second);
    }
    bool computes_with_bfloat(RawInst inst) const {
        const Op op = opcode(inst);
        if (op == Op::OpExtInst && (inst.size() < 5 || inst[4] >= OpenCLLIB::SAbs)) return false;
        const bool computes = op == Op::OpExtInst || (op >= Op::OpConvertFToU && op <= Op::OpFConvert) ||
                              op == Op::OpBitcast || (op >= Op::OpSNegate && op <= Op::OpDot) ||
                              (op >= Op::OpIsNan && op <= Op::OpUnordered) ||
                              (op >= Op::OpFOrdEqual && op <= Op::OpFUnordGreaterThanEqual);
        return computes &&
               (bfloats_.contains(inst[1]) ||
                std::ranges::any_of(inst.subspan(3), [&](uint32_t id) { return is_bfloat_value(id); }));
    }
    uint32_t merged(uint32_t type) const {
        const auto found = merged_.find(type);
        return found == merged_.end() ? type : found->second;
    }
    void append(const std::vector<uint32_t>& words) { out_.insert(out_.end(), words.begin(), words.end()); }

    std::vector<uint32_t> out_ = {};
    std::unordered_set<uint32_t> bfloats_ = {};           // types: bfloat16 and its vectors
    std::unordered_map<uint32_t, uint32_t> types_ = {};   // of values, before types are merged
    std::unordered_map<uint32_t, uint32_t> merged_ = {};  // types that became equal to an earlier one
    std::map<std::vector<uint32_t>, uint32_t> unique_ = {};
};

}  // namespace

bool has_encoded_floats(std::span<const uint32_t> words) {
    bool found = false;
    for_each_raw_inst(words, [&](RawInst inst) { found |= capability_of(inst) || is_bfloat_type(inst); });
    return found;
}

std::vector<uint32_t> without_encoded_floats(std::span<const uint32_t> words) {
    return BfloatRemover().run(words);
}

namespace {

constexpr uint32_t kStandInWidth = 16, kStandInSign = 1;

bool is_stand_in(RawInst inst) {
    return opcode(inst) == Op::OpTypeInt && inst.size() == 4 && inst[2] == kStandInWidth &&
           inst[3] == kStandInSign;
}

/// Exchanges a type for another one, whose constants get what `literal` makes of theirs.
template <class IsType, class Literal>
void exchange_types(std::vector<uint32_t>& words, IsType is_type, Op op, uint32_t last, Literal literal) {
    std::unordered_set<uint32_t> types;
    for (size_t at = kRawHeaderWords; at < words.size();) {
        const size_t count = words[at] >> 16;
        if (count == 0 || count > words.size() - at) return;
        const RawInst inst(words.data() + at, count);
        const bool is_constant = opcode(inst) == Op::OpConstant || opcode(inst) == Op::OpSpecConstant;
        if (is_type(inst)) {
            types.insert(inst[1]);
            words[at] = head(op, 4);
            words[at + 3] = last;
        } else if (is_constant && count == 4 && types.contains(inst[1])) {
            words[at + 3] = literal(words[at + 3]);
        }
        at += count;
    }
}

}  // namespace

std::vector<uint32_t> stand_in_for_encoded_floats(std::span<const uint32_t> words) {
    std::vector<uint32_t> out = header_of(words);
    for_each_raw_inst(words, [&](RawInst inst) {
        const bool is_own = capability_of(inst) != nullptr;
        out.insert(out.end(), inst.begin(), inst.end());
        if (is_own) out.back() = static_cast<uint32_t>(spv::Capability::Int16);
    });
    exchange_types(out, is_bfloat_type, Op::OpTypeInt, kStandInSign,
                   [](uint32_t word) { return static_cast<uint32_t>(static_cast<int16_t>(word)); });
    return out;
}

std::vector<uint32_t> restore_encoded_floats(std::span<const uint32_t> words,
                                             const std::set<spv::Capability>& capabilities) {
    std::vector<uint32_t> out = header_of(words);
    for (const spv::Capability each : capabilities)
        out.insert(out.end(), {head(Op::OpCapability, 2), static_cast<uint32_t>(each)});
    out.insert(out.end(), words.begin() + static_cast<ptrdiff_t>(std::min(kRawHeaderWords, words.size())),
               words.end());
    exchange_types(out, is_stand_in, Op::OpTypeFloat, kBfloat16Encoding,
                   [](uint32_t word) { return word & 0xffff; });
    return out;
}

std::set<spv::Capability> encoded_float_capabilities(std::span<const uint32_t> words) {
    std::set<spv::Capability> found;
    for_each_raw_inst(words, [&](RawInst inst) {
        if (const CapabilityName* const row = capability_of(inst)) found.insert(row->capability);
    });
    return found;
}

namespace {

constexpr std::string_view kCapabilityText = "OpCapability ", kTypeText = "OpTypeFloat 16 BFloat16KHR",
                           kStandInText = "OpTypeInt 16 1";

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

}  // namespace

/// Lines are in the order of the instructions.
std::string restore_encoded_floats(std::string_view disassembly, std::span<const uint32_t> original) {
    std::vector<std::string_view> capabilities;  // those of bfloat16, or empty
    for_each_raw_inst(original, [&](RawInst inst) {
        if (opcode(inst) != Op::OpCapability) return;
        const CapabilityName* const row = capability_of(inst);
        capabilities.push_back(row ? row->name : std::string_view());
    });
    std::string out;
    size_t declared = 0;
    while (!disassembly.empty()) {
        const size_t end = std::min(disassembly.find('\n'), disassembly.size());
        std::string line(disassembly.substr(0, end));
        disassembly.remove_prefix(std::min(end + 1, disassembly.size()));
        const size_t at = line.find(kCapabilityText);
        if (at != line.npos && declared < capabilities.size())
            if (const std::string_view name = capabilities[declared++]; !name.empty())
                line = line.substr(0, at + kCapabilityText.size()) + std::string(name);
        replace_all(line, kStandInText, kTypeText);
        out += line + "\n";
    }
    return out;
}

std::string stand_in_for_encoded_floats(std::string_view assembly) {
    std::string out(assembly);
    replace_all(out, kTypeText, kStandInText);
    for (const CapabilityName& row : kBfloatCapabilities)
        replace_all(
            out, std::string(kCapabilityText) + std::string(row.name),
            std::string(kCapabilityText) + "!" + std::to_string(static_cast<uint32_t>(row.capability)));
    return out;
}

}  // namespace caldera::spirv
