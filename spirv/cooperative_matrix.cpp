// SPDX-License-Identifier: Apache-2.0
#include "spirv/cooperative_matrix.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "spirv/grammar.h"
#include "spirv/raw_words.h"

namespace caldera::spirv {
namespace {

using spv::Op;

constexpr size_t kMulAddWords = 6;  // without bits

bool is_matrix_capability(RawInst inst) { return is_capability_of(inst, kCooperativeMatrix); }

/// An instruction, what stands for it, and how a disassembly names the two.
struct StandIn {
    Op op, other;
    std::string_view name, other_name;
};
constexpr StandIn kStandIns[] = {
    {kTypeMatrix, Op::OpTypeStruct, "OpTypeCooperativeMatrixKHR", "OpTypeStruct"},
    {kMatrixLoad, Op::OpCooperativeMatrixLoadNV, "OpCooperativeMatrixLoadKHR", "OpCooperativeMatrixLoadNV"},
    {kMatrixStore, Op::OpCooperativeMatrixStoreNV, "OpCooperativeMatrixStoreKHR",
     "OpCooperativeMatrixStoreNV"},
    {kMatrixMulAdd, Op::OpCooperativeMatrixMulAddNV, "OpCooperativeMatrixMulAddKHR",
     "OpCooperativeMatrixMulAddNV"},
    {kMatrixLength, Op::OpCooperativeMatrixLengthNV, "OpCooperativeMatrixLengthKHR",
     "OpCooperativeMatrixLengthNV"},
};

constexpr NamedBit kOperandNames[] = {
    {matrix_operands::kSignedA, "MatrixASignedComponentsKHR"},
    {matrix_operands::kSignedB, "MatrixBSignedComponentsKHR"},
    {matrix_operands::kSignedC, "MatrixCSignedComponentsKHR"},
    {matrix_operands::kSignedResult, "MatrixResultSignedComponentsKHR"},
    {matrix_operands::kSaturating, "SaturatingAccumulationKHR"},
};

void replace(std::string& line, std::string_view from, std::string_view to) {
    if (const size_t at = line.find(from); at != line.npos) line.replace(at, from.size(), to);
}

}  // namespace

bool has_cooperative_matrix(std::span<const uint32_t> words) {
    bool found = false;
    for_each_raw_inst(words, [&](RawInst inst) {
        found |= is_matrix_capability(inst) ||
                 std::ranges::find(kStandIns, opcode(inst), &StandIn::op) != std::end(kStandIns);
    });
    return found;
}

std::vector<uint32_t> stand_in_for_cooperative_matrix(std::span<const uint32_t> words) {
    std::vector<uint32_t> out(
        words.begin(), words.begin() + static_cast<ptrdiff_t>(std::min(kRawHeaderWords, words.size())));
    for_each_raw_inst(words, [&](RawInst inst) {
        const size_t at = out.size();
        out.insert(out.end(), inst.begin(), inst.end());
        if (is_matrix_capability(inst))
            out[at + 1] = static_cast<uint32_t>(spv::Capability::CooperativeMatrixNV);
        const auto* row = std::ranges::find(kStandIns, opcode(inst), &StandIn::op);
        if (row == std::end(kStandIns)) return;
        if (row->op == kMatrixMulAdd) out.resize(at + std::min(kMulAddWords, inst.size()));
        out[at] = head(row->other, out.size() - at);
    });
    return out;
}

namespace {

/// Writes a module anew without matrices. Ids stay, and so does the number of instructions.
class Remover {
 public:
    std::vector<uint32_t> run(std::span<const uint32_t> words) {
        other_ = declares(words, spv::Capability::Kernel) ? spv::Capability::Kernel : spv::Capability::Shader;
        out_.assign(words.begin(),
                    words.begin() + static_cast<ptrdiff_t>(std::min(kRawHeaderWords, words.size())));
        for_each_raw_inst(words, [&](RawInst inst) { add(inst); });
        return std::move(out_);
    }

 private:
    void append(RawInst words) { out_.insert(out_.end(), words.begin(), words.end()); }

    void add(RawInst inst) {
        const Op op = opcode(inst);
        const InstructionGrammar* known = grammar(op);
        const bool has_value = known && known->has_type && known->has_result && inst.size() >= 3;
        if (has_value) types_[inst[2]] = inst[1];
        if (op == Op::OpTypeStruct && inst.size() >= 2) members_[inst[1]] = {inst.begin() + 2, inst.end()};
        if ((op == Op::OpTypeArray || op == Op::OpTypeVector) && inst.size() >= 3)
            elements_[inst[1]] = inst[2];
        if (is_matrix_capability(inst)) return append({{inst[0], static_cast<uint32_t>(other_)}});
        if (op == kTypeMatrix && inst.size() >= 5) {
            matrices_.insert(inst[1]);
            return append({{head(Op::OpTypeArray, 4), inst[1], inst[2], inst[4]}});
        }
        if (op == kMatrixStore) return append({{head(Op::OpNop, 1)}});
        if (has_value && is_of_matrices(inst)) return append({{head(Op::OpUndef, 3), inst[1], inst[2]}});
        append(inst);
    }

    /// Whether the instruction would not be valid of arrays.
    bool is_of_matrices(RawInst inst) const {
        const Op op = opcode(inst);
        switch (op) {
            case Op::OpCompositeExtract: return inst.size() > 3 && meets_matrix(inst[3], inst.subspan(4));
            case Op::OpCompositeInsert: return inst.size() > 4 && meets_matrix(inst[4], inst.subspan(5));
            case Op::OpFunction:
            case Op::OpFunctionParameter:
            case Op::OpFunctionCall:
            case Op::OpConstantNull:
            case Op::OpUndef:
            case Op::OpLoad:
            case Op::OpPhi:
            case Op::OpCopyObject: return false;
            default: return (op >= kMatrixLoad && op <= kMatrixLength) || matrices_.contains(inst[1]);
        }
    }
    /// Whether the path into a composite leads through a matrix.
    bool meets_matrix(uint32_t composite, std::span<const uint32_t> path) const {
        const auto found = types_.find(composite);
        uint32_t type = found == types_.end() ? 0 : found->second;
        for (const uint32_t index : path) {
            if (matrices_.contains(type)) return true;
            if (const auto element = elements_.find(type); element != elements_.end())
                type = element->second;
            else if (const auto of = members_.find(type); of != members_.end() && index < of->second.size())
                type = of->second[index];
            else
                return false;
        }
        return false;
    }

    spv::Capability other_ = {};
    std::vector<uint32_t> out_ = {};
    std::unordered_set<uint32_t> matrices_ = {};
    std::unordered_map<uint32_t, uint32_t> types_ = {}, elements_ = {};  // of values; of arrays and vectors
    std::unordered_map<uint32_t, std::vector<uint32_t>> members_ = {};   // of structs
};

}  // namespace

std::vector<uint32_t> without_cooperative_matrix(std::span<const uint32_t> words) {
    return Remover().run(words);
}

/// Lines are in the order of the instructions.
std::string restore_cooperative_matrix(std::string_view disassembly, std::span<const uint32_t> original) {
    std::vector<bool> is_matrix;  // of what is printed as a struct
    std::vector<std::string> bits;
    for_each_raw_inst(original, [&](RawInst inst) {
        if (opcode(inst) == Op::OpTypeStruct || opcode(inst) == kTypeMatrix)
            is_matrix.push_back(opcode(inst) == kTypeMatrix);
        if (opcode(inst) == kMatrixMulAdd)
            bits.push_back(inst.size() > kMulAddWords
                               ? " " + names_of(inst[kMulAddWords], kOperandNames, "NoneKHR")
                               : "");
    });
    std::string out;
    size_t structs = 0, products = 0;
    while (!disassembly.empty()) {
        const size_t end = std::min(disassembly.find('\n'), disassembly.size());
        std::string line(disassembly.substr(0, end));
        disassembly.remove_prefix(std::min(end + 1, disassembly.size()));
        replace(line, "OpCapability CooperativeMatrixNV", "OpCapability CooperativeMatrixKHR");
        for (const StandIn& row : kStandIns) {
            const std::string code = "= " + std::string(row.other_name);
            const bool is_row = row.op == kMatrixStore ? line.find(row.other_name) != line.npos
                                                       : line.find(code) != line.npos;
            if (!is_row) continue;
            if (row.op == kTypeMatrix && !(structs < is_matrix.size() && is_matrix[structs++])) break;
            replace(line, row.other_name, row.name);
            if (row.op == kMatrixMulAdd && products < bits.size()) line += bits[products++];
            break;
        }
        out += line + "\n";
    }
    return out;
}

}  // namespace caldera::spirv
