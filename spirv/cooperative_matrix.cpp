// SPDX-License-Identifier: Apache-2.0
#include "spirv/cooperative_matrix.h"

#include <algorithm>

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
        out[at] = static_cast<uint32_t>(out.size() - at) << 16 | static_cast<uint32_t>(row->other);
    });
    return out;
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
