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

struct CapabilityRow {
    spv::Capability capability;
    std::string_view name;
    spv::Capability stand_in;
};
constexpr CapabilityRow kEncodingCapabilities[] = {
    {kBfloat16Type, "BFloat16TypeKHR", spv::Capability::Int16},
    {kBfloat16Dot, "BFloat16DotProductKHR", spv::Capability::Int16},
    {kBfloat16Matrix, "BFloat16CooperativeMatrixKHR", spv::Capability::Int16},
    {kBfloat16Arithmetic, "BFloat16ArithmeticEXT", spv::Capability::Int16},
    {kFloat8Type, "Float8EXT", spv::Capability::Int8},
    {kFloat8Matrix, "Float8CooperativeMatrixEXT", spv::Capability::Int8},
};
const CapabilityRow* capability_of(RawInst inst) {
    const auto* const row = std::ranges::find_if(kEncodingCapabilities, [&](const CapabilityRow& each) {
        return is_capability_of(inst, each.capability);
    });
    return row == std::end(kEncodingCapabilities) ? nullptr : row;
}

struct EncodingRow {
    FloatEncoding encoding;
    uint32_t width;
    uint32_t stand_in_width;  ///< of a signed integer; each encoding has another one
    std::string_view text;    ///< of the type in assembly
    std::string_view stand_in_text;
    std::string_view name;
    spv::Capability type, matrix;
    std::string_view extension;
};
constexpr EncodingRow kEncodings[] = {
    {FloatEncoding::BFloat16, 16, 16, "OpTypeFloat 16 BFloat16KHR", "OpTypeInt 16 1", "bfloat16",
     kBfloat16Type, kBfloat16Matrix, kBfloat16Extension},
    {FloatEncoding::E4M3, 8, 8, "OpTypeFloat 8 Float8E4M3EXT", "OpTypeInt 8 1", "float8 E4M3", kFloat8Type,
     kFloat8Matrix, kFloat8Extension},
    {FloatEncoding::E5M2, 8, 9, "OpTypeFloat 8 Float8E5M2EXT", "OpTypeInt 9 1", "float8 E5M2", kFloat8Type,
     kFloat8Matrix, kFloat8Extension},
};
const EncodingRow& row_of(FloatEncoding encoding) {
    return *std::ranges::find(kEncodings, encoding, &EncodingRow::encoding);
}
const EncodingRow* encoding_row(spv::Op op, uint32_t width, uint32_t number) {
    const auto* const row = std::ranges::find(
        kEncodings, number, [](const EncodingRow& each) { return static_cast<uint32_t>(each.encoding); });
    return op == Op::OpTypeFloat && row != std::end(kEncodings) && row->width == width ? row : nullptr;
}
const EncodingRow* encoding_row(RawInst inst) {
    return inst.size() == 4 ? encoding_row(opcode(inst), inst[2], inst[3]) : nullptr;
}

bool is_saturation(RawInst inst) {
    return opcode(inst) == Op::OpDecorate && inst.size() == 3 &&
           inst[2] == static_cast<uint32_t>(kSaturatedToFloat8);
}

/// Writes a module anew with integers.
class EncodingRemover {
 public:
    std::vector<uint32_t> run(std::span<const uint32_t> words) {
        out_ = header_of(words);
        for_each_raw_inst(words, [&](RawInst inst) { add(inst); });
        return std::move(out_);
    }

 private:
    void add(RawInst inst) {
        if (const CapabilityRow* const row = capability_of(inst))
            return append({inst[0], static_cast<uint32_t>(row->stand_in)});
        if (is_saturation(inst))
            return append({inst[0], inst[1], static_cast<uint32_t>(spv::Decoration::SaturatedConversion)});
        const Op op = opcode(inst);
        if (op == Op::OpExtInstImport && inst.size() > 2 && text_at(inst, 2) == "OpenCL.std")
            std_set_ = inst[1];
        const InstructionGrammar* rule = grammar(op);
        if (!rule) return append({inst.begin(), inst.end()});
        const bool is_type = rule->has_result && !rule->has_type && op >= Op::OpTypeVoid &&
                             op <= Op::OpTypeFunction && inst.size() > 1;
        if (is_type) return add_type(inst);
        const bool has_value = rule->has_type && rule->has_result && inst.size() >= 3;
        if (has_value) types_[inst[2]] = inst[1];
        std::vector<uint32_t> words(inst.begin(), inst.end());
        if (has_value && computes_with_encoded(inst)) words = {head(Op::OpUndef, 3), inst[1], inst[2]};
        if (has_value) words[1] = merged(words[1]);
        if (op == Op::OpFunction && words.size() > 4) words[4] = merged(words[4]);
        append(words);
    }

    /// Types that have become equal are one, as SPIR-V wants it; an empty struct takes the other's place.
    void add_type(RawInst inst) {
        std::vector<uint32_t> words(inst.begin(), inst.end());
        if (const EncodingRow* const row = encoding_row(inst)) {
            encoded_.insert(inst[1]);
            words = {head(Op::OpTypeInt, 4), inst[1], row->width, 0};
        }
        const Op op = opcode(words);
        if (op == Op::OpTypeVector && words.size() > 2) {
            if (encoded_.contains(words[2])) encoded_.insert(words[1]);
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

    bool is_encoded_value(uint32_t id) const {
        const auto type = types_.find(id);
        return type != types_.end() && encoded_.contains(type->second);
    }
    bool computes_with_encoded(RawInst inst) const {
        const Op op = opcode(inst);
        const bool is_float_function =
            op == Op::OpExtInst && inst.size() > 4 && inst[3] == std_set_ && inst[4] < OpenCLLIB::SAbs;
        if (op == Op::OpExtInst && !is_float_function) return false;
        const bool computes = is_float_function || (op >= Op::OpConvertFToU && op <= Op::OpFConvert) ||
                              op == Op::OpBitcast || (op >= Op::OpSNegate && op <= Op::OpDot) ||
                              (op >= Op::OpIsNan && op <= Op::OpUnordered) ||
                              (op >= Op::OpFOrdEqual && op <= Op::OpFUnordGreaterThanEqual);
        return computes &&
               (encoded_.contains(inst[1]) ||
                std::ranges::any_of(inst.subspan(3), [&](uint32_t id) { return is_encoded_value(id); }));
    }
    uint32_t merged(uint32_t type) const {
        const auto found = merged_.find(type);
        return found == merged_.end() ? type : found->second;
    }
    void append(const std::vector<uint32_t>& words) { out_.insert(out_.end(), words.begin(), words.end()); }

    std::vector<uint32_t> out_ = {};
    uint32_t std_set_ = 0;                                // OpenCL.std
    std::unordered_set<uint32_t> encoded_ = {};           // types: encoded floats and their vectors
    std::unordered_map<uint32_t, uint32_t> types_ = {};   // of values, before types are merged
    std::unordered_map<uint32_t, uint32_t> merged_ = {};  // types that became equal to an earlier one
    std::map<std::vector<uint32_t>, uint32_t> unique_ = {};
};

}  // namespace

std::optional<FloatEncoding> encoding_of(const Instruction& type) {
    const EncodingRow* const row =
        type.operands.size() == 2 ? encoding_row(type.op, type.word(0), type.word(1)) : nullptr;
    return row ? std::optional(row->encoding) : std::nullopt;
}
std::string_view name_of(FloatEncoding encoding) { return row_of(encoding).name; }
spv::Capability type_capability(FloatEncoding encoding) { return row_of(encoding).type; }
spv::Capability matrix_capability(FloatEncoding encoding) { return row_of(encoding).matrix; }
std::string_view extension_of(FloatEncoding encoding) { return row_of(encoding).extension; }

bool has_encoded_floats(std::span<const uint32_t> words) {
    bool found = false;
    for_each_raw_inst(words, [&](RawInst inst) { found |= capability_of(inst) || encoding_row(inst); });
    return found;
}

std::vector<uint32_t> without_encoded_floats(std::span<const uint32_t> words) {
    return EncodingRemover().run(words);
}

namespace {

constexpr uint32_t kStandInSign = 1;
/// A decoration that neither OpenCL's modules have, nor those of compute shaders.
constexpr auto kStandInDecoration = spv::Decoration::Sample;

const EncodingRow* stand_in_row(RawInst inst) {
    if (opcode(inst) != Op::OpTypeInt || inst.size() != 4 || inst[3] != kStandInSign) return nullptr;
    const auto* const row = std::ranges::find(kEncodings, inst[2], &EncodingRow::stand_in_width);
    return row == std::end(kEncodings) ? nullptr : row;
}

/// The number, as a constant of a signed integer has it.
uint32_t sign_extended(uint32_t number, uint32_t width) {
    const uint32_t sign = uint32_t{1} << (width - 1);
    return (number ^ sign) - sign;
}

/// Calls change(words of a type, its row) with the types that `find_row` finds, whose constants get what
/// `literal` makes of theirs.
template <class FindRow, class Change, class Literal>
void exchange_types(std::vector<uint32_t>& words, FindRow find_row, Change change, Literal literal) {
    std::unordered_map<uint32_t, const EncodingRow*> types;
    for (size_t at = kRawHeaderWords; at < words.size();) {
        const size_t count = words[at] >> 16;
        if (count == 0 || count > words.size() - at) return;
        const RawInst inst(words.data() + at, count);
        const bool is_constant = opcode(inst) == Op::OpConstant || opcode(inst) == Op::OpSpecConstant;
        if (const EncodingRow* const row = find_row(inst)) {
            types[inst[1]] = row;
            change(words.data() + at, *row);
        } else if (is_constant && count == 4 && types.contains(inst[1])) {
            words[at + 3] = literal(words[at + 3], *types.at(inst[1]));
        }
        at += count;
    }
}

}  // namespace

std::vector<uint32_t> stand_in_for_encoded_floats(std::span<const uint32_t> words) {
    std::vector<uint32_t> out = header_of(words);
    for_each_raw_inst(words, [&](RawInst inst) {
        const CapabilityRow* const capability = capability_of(inst);
        const bool saturates = is_saturation(inst);
        out.insert(out.end(), inst.begin(), inst.end());
        if (capability) out.back() = static_cast<uint32_t>(capability->stand_in);
        if (saturates) out.back() = static_cast<uint32_t>(kStandInDecoration);
    });
    exchange_types(
        out, [](RawInst inst) { return encoding_row(inst); },
        [](uint32_t* inst, const EncodingRow& row) {
            inst[0] = head(Op::OpTypeInt, 4);
            inst[2] = row.stand_in_width;
            inst[3] = kStandInSign;
        },
        [](uint32_t word, const EncodingRow& row) { return sign_extended(word, row.stand_in_width); });
    return out;
}

std::vector<uint32_t> restore_encoded_floats(std::span<const uint32_t> words,
                                             const std::set<spv::Capability>& capabilities) {
    std::vector<uint32_t> out = header_of(words);
    for (const spv::Capability each : capabilities)
        out.insert(out.end(), {head(Op::OpCapability, 2), static_cast<uint32_t>(each)});
    for_each_raw_inst(words, [&](RawInst inst) {
        const bool saturates = opcode(inst) == Op::OpDecorate && inst.size() == 3 &&
                               inst[2] == static_cast<uint32_t>(kStandInDecoration);
        out.insert(out.end(), inst.begin(), inst.end());
        if (saturates) out.back() = static_cast<uint32_t>(kSaturatedToFloat8);
    });
    exchange_types(
        out, stand_in_row,
        [](uint32_t* inst, const EncodingRow& row) {
            inst[0] = head(Op::OpTypeFloat, 4);
            inst[2] = row.width;
            inst[3] = static_cast<uint32_t>(row.encoding);
        },
        [](uint32_t word, const EncodingRow& row) { return word & ((uint32_t{1} << row.width) - 1); });
    return out;
}

std::set<spv::Capability> encoded_float_capabilities(std::span<const uint32_t> words) {
    std::set<spv::Capability> found;
    for_each_raw_inst(words, [&](RawInst inst) {
        if (const CapabilityRow* const row = capability_of(inst)) found.insert(row->capability);
    });
    return found;
}

namespace {

constexpr std::string_view kCapabilityText = "OpCapability ", kStandInText = " Sample",
                           kSaturationText = " SaturatedToLargestFloat8NormalConversionEXT";

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

}  // namespace

/// Lines are in the order of the instructions.
std::string restore_encoded_floats(std::string_view disassembly, std::span<const uint32_t> original) {
    std::vector<std::string_view> capabilities;  // those of the extensions, or empty
    for_each_raw_inst(original, [&](RawInst inst) {
        if (opcode(inst) != Op::OpCapability) return;
        const CapabilityRow* const row = capability_of(inst);
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
        for (const EncodingRow& row : kEncodings) replace_all(line, row.stand_in_text, row.text);
        if (line.find("OpDecorate ") != line.npos && line.ends_with(kStandInText))
            line.replace(line.size() - kStandInText.size(), kStandInText.size(), kSaturationText);
        out += line + "\n";
    }
    return out;
}

std::string stand_in_for_encoded_floats(std::string_view assembly) {
    std::string out(assembly);
    for (const EncodingRow& row : kEncodings) replace_all(out, row.text, row.stand_in_text);
    replace_all(out, kSaturationText, kStandInText);
    for (const CapabilityRow& row : kEncodingCapabilities)
        replace_all(
            out, std::string(kCapabilityText) + std::string(row.name),
            std::string(kCapabilityText) + "!" + std::to_string(static_cast<uint32_t>(row.capability)));
    return out;
}

}  // namespace caldera::spirv
