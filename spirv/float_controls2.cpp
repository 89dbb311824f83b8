// SPDX-License-Identifier: Apache-2.0
#include "spirv/float_controls2.h"

#include <algorithm>
#include <array>
#include <utility>

#include "spirv/module.h"
#include "spirv/raw_words.h"

namespace caldera::spirv {
namespace {

using spv::Op;

template <class E>
constexpr uint32_t number(E enumerant) {
    return static_cast<uint32_t>(enumerant);
}

bool is_capability(RawInst inst) { return is_capability_of(inst, kFloatControls2); }
/// OpExecutionModeId %entry FPFastMathDefault %type %mode
bool is_default(RawInst inst) {
    return opcode(inst) == Op::OpExecutionModeId && inst.size() == 5 && inst[2] == number(kFPFastMathDefault);
}
/// OpDecorate %value FPFastMathMode mask
bool is_mode(RawInst inst) {
    return opcode(inst) == Op::OpDecorate && inst.size() == 4 &&
           inst[2] == number(spv::Decoration::FPFastMathMode);
}
std::vector<uint32_t> extension() {
    Operands name;
    append_string(name, kFloatControls2Extension);
    std::vector<uint32_t> words = {head(Op::OpExtension, name.size() + 1)};
    for (const Operand& operand : name) words.push_back(operand.word);
    return words;
}
bool is_extension(RawInst inst) {
    return opcode(inst) == Op::OpExtension && std::ranges::equal(inst, extension());
}

void append(std::vector<uint32_t>& out, RawInst inst) { out.insert(out.end(), inst.begin(), inst.end()); }

constexpr NamedBit kModeNames[] = {
    {fast_math::kNotNaN, "NotNaN"},
    {fast_math::kNotInf, "NotInf"},
    {fast_math::kNSZ, "NSZ"},
    {fast_math::kAllowRecip, "AllowRecip"},
    {fast_math::kFast, "Fast"},
    {fast_math::kAllowContract, "AllowContract"},
    {fast_math::kAllowReassoc, "AllowReassoc"},
    {fast_math::kAllowTransform, "AllowTransform"},
};
std::string mode_text(uint32_t mode) { return names_of(mode, kModeNames, "None"); }

/// Replaces the stand-ins in lines of a disassembly by the extension's own terms. The lines are in the order
/// of the original.
class TextRestorer {
 public:
    explicit TextRestorer(std::span<const uint32_t> original) {
        for_each_raw_inst(original, [&](RawInst inst) {
            has_capability_ |= is_capability(inst);
            has_extension_ |= is_extension(inst);
            if (opcode(inst) == Op::OpExecutionModeId) are_defaults_.push_back(is_default(inst));
            if (is_mode(inst)) modes_.push_back(inst[3]);
        });
    }

    void append(std::string line) {
        const size_t indent = std::min(line.find_first_not_of(' '), line.size());
        const auto is = [&](std::string_view op) { return line.compare(indent, op.size(), op) == 0; };
        const auto append_before = [&](const std::string& inst) {
            out_ += line.substr(0, indent) + inst + "\n";
        };
        if (std::exchange(has_capability_, false)) append_before("OpCapability FloatControls2");
        if (!is("OpCapability ") && std::exchange(has_extension_, false))
            append_before("OpExtension \"" + std::string(kFloatControls2Extension) + "\"");
        if (is("OpExecutionModeId ")) restore_default(line);
        if (is("OpDecorate ")) restore_mode(line);
        out_ += line + "\n";
    }
    std::string take() { return std::move(out_); }

 private:
    void restore_default(std::string& line) {
        constexpr std::string_view kStandIn = "LocalSizeHintId";
        if (next_default_ == are_defaults_.size() || !are_defaults_[next_default_++]) return;
        line.replace(line.find(kStandIn), kStandIn.size(), "FPFastMathDefault");
        line.erase(line.rfind(' '));
    }
    void restore_mode(std::string& line) {
        constexpr std::string_view kDecoration = " FPFastMathMode ";
        const size_t at = line.find(kDecoration);
        if (at == line.npos || next_mode_ == modes_.size()) return;
        line.replace(at + kDecoration.size(), line.npos, mode_text(modes_[next_mode_++]));
    }

    bool has_capability_ = false, has_extension_ = false;
    std::vector<bool> are_defaults_ = {};  // of each OpExecutionModeId
    std::vector<uint32_t> modes_ = {};
    size_t next_default_ = 0, next_mode_ = 0;
    std::string out_ = {};
};

}  // namespace

bool has_float_controls2(std::span<const uint32_t> words) {
    bool found = false;
    for_each_raw_inst(words, [&](RawInst inst) {
        found |= is_capability(inst) || is_default(inst) ||
                 (is_mode(inst) && inst[3] & fast_math::kAllowTransform);
    });
    return found;
}

std::vector<uint32_t> without_float_controls2(std::span<const uint32_t> words) {
    std::vector<uint32_t> out = header_of(words);
    for_each_raw_inst(words, [&](RawInst inst) {
        if (!is_capability(inst) && !is_extension(inst) && !is_default(inst) && !is_mode(inst))
            append(out, inst);
    });
    return out;
}

std::vector<uint32_t> stand_in_for_float_controls2(std::span<const uint32_t> words) {
    std::vector<uint32_t> out = header_of(words);
    for_each_raw_inst(words, [&](RawInst inst) {
        if (is_capability(inst) || is_extension(inst)) return;
        const size_t at = out.size();
        append(out, inst);
        if (is_default(inst)) {
            out[at] = head(Op::OpExecutionModeId, 6);
            out[at + 2] = number(spv::ExecutionMode::LocalSizeHintId);
            out.push_back(inst[4]);
        } else if (is_mode(inst) && inst[3] & fast_math::kAllowTransform) {
            out[at + 3] = (inst[3] & ~fast_math::kAllowTransform) | fast_math::kFast;
        }
    });
    return out;
}

std::vector<uint32_t> restore_float_controls2(std::span<const uint32_t> stand_in) {
    std::vector<uint32_t> out = header_of(stand_in);
    append(out, std::array{head(Op::OpCapability, 2), number(kFloatControls2)});
    bool has_extension = false;
    for_each_raw_inst(stand_in, [&](RawInst inst) {
        if (!has_extension && opcode(inst) != Op::OpCapability) {
            append(out, extension());
            has_extension = true;
        }
        const size_t at = out.size();
        append(out, inst);
        if (opcode(inst) == Op::OpExecutionModeId && inst[2] == number(spv::ExecutionMode::LocalSizeHintId)) {
            out[at] = head(Op::OpExecutionModeId, 5);
            out[at + 2] = number(kFPFastMathDefault);
            out.pop_back();
        } else if (is_mode(inst) && inst[3] & fast_math::kFast) {
            out[at + 3] = (inst[3] & ~fast_math::kFast) | fast_math::kAllowTransform;
        }
    });
    return out;
}

std::string restore_float_controls2(std::string_view disassembly, std::span<const uint32_t> original) {
    TextRestorer text(original);
    while (!disassembly.empty()) {
        const size_t end = std::min(disassembly.find('\n'), disassembly.size());
        text.append(std::string(disassembly.substr(0, end)));
        disassembly.remove_prefix(std::min(end + 1, disassembly.size()));
    }
    return text.take();
}

}  // namespace caldera::spirv
