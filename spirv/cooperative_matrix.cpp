// SPDX-License-Identifier: Apache-2.0
#include "spirv/cooperative_matrix.h"

#include <algorithm>
#include <utility>

namespace caldera::spirv {
namespace {

using spv::Op;

constexpr size_t kHeader = 5;       // words before the first instruction
constexpr size_t kMulAddWords = 6;  // without bits

using Inst = std::span<const uint32_t>;

Op opcode(Inst inst) { return static_cast<Op>(inst[0] & 0xffff); }
bool is_capability(Inst inst) {
    return opcode(inst) == Op::OpCapability && inst.size() == 2 &&
           inst[1] == static_cast<uint32_t>(kCooperativeMatrix);
}

/// Calls `visit` with each instruction, as far as the words are any.
template <class Visit>
void for_each_inst(std::span<const uint32_t> words, Visit visit) {
    for (size_t at = kHeader; at < words.size();) {
        const size_t count = words[at] >> 16;
        if (count == 0 || count > words.size() - at) return;
        visit(words.subspan(at, count));
        at += count;
    }
}

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

std::string names_of(uint32_t bits) {
    using namespace matrix_operands;
    constexpr std::pair<uint32_t, std::string_view> kNames[] = {
        {kSignedA, "MatrixASignedComponentsKHR"},   {kSignedB, "MatrixBSignedComponentsKHR"},
        {kSignedC, "MatrixCSignedComponentsKHR"},   {kSignedResult, "MatrixResultSignedComponentsKHR"},
        {kSaturating, "SaturatingAccumulationKHR"},
    };
    std::string names;
    for (const auto& [bit, name] : kNames)
        if (bits & bit) names += (names.empty() ? "" : "|") + std::string(name);
    return names.empty() ? "NoneKHR" : names;
}

void replace(std::string& line, std::string_view from, std::string_view to) {
    if (const size_t at = line.find(from); at != line.npos) line.replace(at, from.size(), to);
}

}  // namespace

bool has_cooperative_matrix(std::span<const uint32_t> words) {
    bool found = false;
    for_each_inst(words, [&](Inst inst) {
        found |= is_capability(inst) ||
                 std::ranges::find(kStandIns, opcode(inst), &StandIn::op) != std::end(kStandIns);
    });
    return found;
}

std::vector<uint32_t> stand_in_for_cooperative_matrix(std::span<const uint32_t> words) {
    std::vector<uint32_t> out(words.begin(),
                              words.begin() + static_cast<ptrdiff_t>(std::min(kHeader, words.size())));
    for_each_inst(words, [&](Inst inst) {
        const size_t at = out.size();
        out.insert(out.end(), inst.begin(), inst.end());
        if (is_capability(inst)) out[at + 1] = static_cast<uint32_t>(spv::Capability::CooperativeMatrixNV);
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
    for_each_inst(original, [&](Inst inst) {
        if (opcode(inst) == Op::OpTypeStruct || opcode(inst) == kTypeMatrix)
            is_matrix.push_back(opcode(inst) == kTypeMatrix);
        if (opcode(inst) == kMatrixMulAdd)
            bits.push_back(inst.size() > kMulAddWords ? " " + names_of(inst[kMulAddWords]) : "");
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
