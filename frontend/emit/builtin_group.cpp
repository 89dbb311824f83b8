// SPDX-License-Identifier: Apache-2.0
// Work-group and sub-group functions (OpenCL C 2.0 6.13.15, cl_khr_subgroups and its kin,
// cl_khr_work_group_uniform_arithmetic, cl_intel_subgroups_char and _short).
#include "frontend/emit/emitter_impl.h"

namespace caldera::frontend {

namespace {

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

/// The group operation that a name denotes. "ballot_bit_count" counts all bits, like a reduction.
std::optional<spv::GroupOperation> group_operation(std::string_view name) {
    if (contains(name, "clustered_reduce")) return spv::GroupOperation::ClusteredReduce;
    if (contains(name, "reduce") || name.ends_with("bit_count")) return spv::GroupOperation::Reduce;
    if (contains(name, "inclusive")) return spv::GroupOperation::InclusiveScan;
    if (contains(name, "exclusive")) return spv::GroupOperation::ExclusiveScan;
    return std::nullopt;
}

bool is_logical(spv::Op op) {
    return (op >= spv::Op::OpGroupNonUniformLogicalAnd && op <= spv::Op::OpGroupNonUniformLogicalXor) ||
           (op >= spv::Op::OpGroupLogicalAndKHR && op <= spv::Op::OpGroupLogicalXorKHR);
}

/// Whether the value is a boolean in SPIR-V, but an int in OpenCL C.
bool takes_truth(spv::Op op) {
    switch (op) {
        case spv::Op::OpGroupAll:
        case spv::Op::OpGroupAny:
        case spv::Op::OpGroupNonUniformAll:
        case spv::Op::OpGroupNonUniformAny:
        case spv::Op::OpGroupNonUniformBallot: return true;
        default: return is_logical(op);
    }
}
bool gives_truth(spv::Op op) {
    switch (op) {
        case spv::Op::OpGroupNonUniformElect:
        case spv::Op::OpGroupNonUniformAllEqual:
        case spv::Op::OpGroupNonUniformInverseBallot:
        case spv::Op::OpGroupNonUniformBallotBitExtract: return true;
        default: return takes_truth(op) && op != spv::Op::OpGroupNonUniformBallot;
    }
}

}  // namespace

Id Emitter::group_scope(const builtin::Resolution& builtin) {
    const bool sub_group = contains(builtin.name, "sub_group");
    return u32(static_cast<uint32_t>(sub_group ? spv::Scope::Subgroup : spv::Scope::Workgroup));
}

Id Emitter::group_function(const builtin::Resolution& builtin, Args args) {
    const builtin::Row& row = *builtin.row;
    const bool has_value = !builtin.params.empty();
    const Type* value = has_value ? builtin.params[0].type : builtin.result.type;
    const auto op = static_cast<spv::Op>(is_float(value) ? row.c : is_signed(value) ? row.a : row.b);
    if (takes_truth(op)) args[0] = not_zero(args[0], value);
    if (op == spv::Op::OpGroupBroadcast && args.size() > 2) {  // local ids in two or three dimensions
        const Id ids = b_.type_vector(b_.type_int(64), static_cast<uint32_t>(args.size() - 1));
        args = {args[0], build_vector(ids, std::span(args).subspan(1))};
    }
    Operands operands = {group_scope(builtin)};
    if (const auto operation = group_operation(builtin.name)) operands.push_back(*operation);
    operands.insert(operands.end(), args.begin(), args.end());
    if (!gives_truth(op)) return b_.append(op, value_type(builtin.result), std::move(operands));
    return compare_result(b_.append(op, b_.type_bool(), std::move(operands)), builtin.result.type);
}

}  // namespace caldera::frontend
