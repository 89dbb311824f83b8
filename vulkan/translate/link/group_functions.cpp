// SPDX-License-Identifier: Apache-2.0
// Operations over all values of a group: votes, reductions, scans.
#include "vulkan/translate/link/group_functions.h"

#include <algorithm>

#include "vulkan/translate/support/built_in.h"
#include "vulkan/translate/support/reach.h"

namespace caldera::vulkan {

using spirv::Id;
using spirv::Instruction;
using spv::GroupOperation;
using spv::Op;

GroupFunctions::GroupFunctions(spirv::Builder& builder, LibraryLinker& linker,
                               const TranslateOptions& options)
    : builder_(builder),
      linker_(linker),
      profile_(options.profile),
      totals_in_turn_(profile_.quirks.mixes_up_group_loops && options.checks != MemoryChecks::None) {}

const GroupFunctions::Row GroupFunctions::kRows[] = {
    {Op::OpGroupIAdd, Op::OpGroupNonUniformIAdd, "add", 'u'},
    {Op::OpGroupFAdd, Op::OpGroupNonUniformFAdd, "add", 'f'},
    {Op::OpGroupIMulKHR, Op::OpGroupNonUniformIMul, "mul", 'u'},
    {Op::OpGroupFMulKHR, Op::OpGroupNonUniformFMul, "mul", 'f'},
    {Op::OpGroupSMin, Op::OpGroupNonUniformSMin, "min", 'i'},
    {Op::OpGroupUMin, Op::OpGroupNonUniformUMin, "min", 'u'},
    {Op::OpGroupFMin, Op::OpGroupNonUniformFMin, "min", 'f'},
    {Op::OpGroupSMax, Op::OpGroupNonUniformSMax, "max", 'i'},
    {Op::OpGroupUMax, Op::OpGroupNonUniformUMax, "max", 'u'},
    {Op::OpGroupFMax, Op::OpGroupNonUniformFMax, "max", 'f'},
    {Op::OpGroupBitwiseAndKHR, Op::OpGroupNonUniformBitwiseAnd, "and", 'u'},
    {Op::OpGroupBitwiseOrKHR, Op::OpGroupNonUniformBitwiseOr, "or", 'u'},
    {Op::OpGroupBitwiseXorKHR, Op::OpGroupNonUniformBitwiseXor, "xor", 'u'},
    {Op::OpGroupLogicalAndKHR, Op::OpGroupNonUniformLogicalAnd, "and", 'b'},
    {Op::OpGroupLogicalOrKHR, Op::OpGroupNonUniformLogicalOr, "or", 'b'},
    {Op::OpGroupLogicalXorKHR, Op::OpGroupNonUniformLogicalXor, "xor", 'b'},
};

const GroupFunctions::Row* GroupFunctions::find_row(Op op) {
    const auto row =
        std::ranges::find_if(kRows, [&](const Row& r) { return r.uniform == op || r.non_uniform == op; });
    return row == std::ranges::end(kRows) ? nullptr : row;
}

std::optional<Id> GroupFunctions::emit(const Instruction& inst) {
    if (size_ != 0)
        if (const std::optional<Id> value = emit_emulated(inst)) return value;
    switch (inst.op) {
        case Op::OpFunctionCall:
            if (!scratch_.contains(inst.id(0))) return std::nullopt;
            return scratch(inst.id(0));
        case Op::OpGroupAll:
        case Op::OpGroupAny: return vote(inst);
        case Op::OpGroupBroadcast: return broadcast(inst);
        case Op::OpGroupNonUniformAllEqual: return all_equal(inst.id(1));
        case Op::OpGroupNonUniformBroadcastFirst: return move(inst.op, inst.id(1), {});
        case Op::OpGroupNonUniformBroadcast:
        case Op::OpGroupNonUniformShuffle:
        case Op::OpGroupNonUniformShuffleXor: return move(inst.op, inst.id(1), lane(inst, 2));
        case Op::OpGroupNonUniformShuffleUp:
        case Op::OpGroupNonUniformShuffleDown: return shuffle_relative(inst.op, inst.id(1), lane(inst, 2));
        case Op::OpGroupNonUniformRotateKHR:
            return rotate(inst.id(1), lane(inst, 2), inst.operands.size() > 3 ? lane(inst, 3) : Id{});
        case Op::OpSubgroupShuffleINTEL: return move(Op::OpGroupNonUniformShuffle, inst.id(0), lane(inst, 1));
        case Op::OpSubgroupShuffleXorINTEL:
            return move(Op::OpGroupNonUniformShuffleXor, inst.id(0), lane(inst, 1));
        case Op::OpSubgroupShuffleUpINTEL:
        case Op::OpSubgroupShuffleDownINTEL: return shuffle_two(inst);
        default: break;
    }
    const Row* row = find_row(inst.op);
    if (!row) return std::nullopt;
    return combine({.row = *row,
                    .work_group = is_work_group(inst.id(0)),
                    .operation = static_cast<GroupOperation>(inst.word(1)),
                    .cluster = inst.operands.size() > 3 ? inst.id(3) : Id{}},
                   inst.id(2));
}

bool GroupFunctions::is_work_group(Id scope) const {
    return !profile_.subgroups ||
           builder_.constant_value(scope) != static_cast<uint64_t>(spv::Scope::Subgroup);
}

Id GroupFunctions::vote(const Instruction& inst) {
    const bool all = inst.op == Op::OpGroupAll;
    const Id truth = inst.id(1);
    if (!is_work_group(inst.id(0)) && size_ == 0)
        return builder_.append(all ? Op::OpGroupNonUniformAll : Op::OpGroupNonUniformAny, inst.type,
                               {sub_group(), truth});
    return combine({.row = *find_row(all ? Op::OpGroupLogicalAndKHR : Op::OpGroupLogicalOrKHR),
                    .work_group = is_work_group(inst.id(0)),
                    .operation = GroupOperation::Reduce},
                   truth);
}

// ---- Reductions and scans ----

Id GroupFunctions::combine(const Request& request, Id value) {
    const Id type = builder_.type_of(value);
    if (builder_.is_vector(type))
        return by_component(value, [&](Id component) { return combine(request, component); });
    if (builder_.is_bool(type)) return combine_logical(request, value);
    if (builder_.width(type) < 32) return combine_narrow(request, value);
    if (request.work_group) return combine_work_group(request, value);
    if (size_ != 0) return combine_emulated(request, value);
    if (!has_instruction(request, type)) return by_shuffles(request, value);
    spirv::Operands operands = {sub_group(), request.operation, value};
    if (request.cluster) operands.push_back(request.cluster);
    return builder_.append(request.row.non_uniform, type, std::move(operands));
}

bool GroupFunctions::has_instruction(const Request& request, Id type) const {
    if (size_ != 0) return false;
    const bool offered = request.operation == GroupOperation::ClusteredReduce
                             ? profile_.subgroup_clustered && builder_.constant_value(request.cluster)
                             : profile_.subgroup_arithmetic;
    const bool is_double = builder_.is_float(type) && builder_.width(type) == 64;
    if (is_double && profile_.emulated_float64) return false;
    const bool is_long = builder_.is_int(type) && builder_.width(type) == 64;
    return offered && (!is_long || (profile_.int64 && profile_.subgroup_extended_types));
}

/// Combines narrow values with 32-bit operations. An integer is shifted to the upper bits, where it has the
/// same neutral values as a 32-bit one. The factors of a product are not shifted.
Id GroupFunctions::combine_narrow(const Request& request, Id value) {
    const Id type = builder_.type_of(value);
    if (builder_.is_float(type))
        return convert(combine(request, convert(value, builder_.type_float(32))), type);
    const Id u32 = builder_.type_int(32);
    const Id shift = number(request.row.name == "mul" ? 0 : 32 - builder_.width(type));
    const Id result = combine(request, integer(Op::OpShiftLeftLogical, convert(value, u32), shift));
    return convert(integer(Op::OpShiftRightLogical, result, shift), type);
}

Id GroupFunctions::combine_logical(const Request& request, Id value) {
    const Id type = builder_.type_of(value);
    if (!request.work_group && has_instruction(request, type)) {
        spirv::Operands operands = {sub_group(), request.operation, value};
        if (request.cluster) operands.push_back(request.cluster);
        return builder_.append(request.row.non_uniform, type, std::move(operands));
    }
    // Work-group functions have only minima and maxima.
    const Op op = request.row.name == "and"  ? Op::OpGroupUMin
                  : request.row.name == "or" ? Op::OpGroupUMax
                                             : Op::OpGroupBitwiseXorKHR;
    const Id bit = builder_.append(Op::OpSelect, builder_.type_int(32), {value, number(1), number(0)});
    const Id result = combine({*find_row(op), request.work_group, request.operation, request.cluster}, bit);
    return builder_.append(Op::OpINotEqual, type, {result, number(0)});
}

/// Combines sub-groups if the device has the instruction for them. Scans, whose order is that of the linear
/// id, also need sub-groups in that order.
Id GroupFunctions::combine_work_group(const Request& request, Id value) {
    const Id type = builder_.type_of(value);
    const bool reduces = request.operation == GroupOperation::Reduce;
    const bool named = request.row.name == "add" || request.row.name == "min" || request.row.name == "max";
    const bool by_sub_groups = profile_.subgroups && (reduces || profile_.linear_subgroups) && named &&
                               has_instruction(request, type);
    const std::string name = std::string(!by_sub_groups    ? "by_local_memory_"
                                         : totals_in_turn_ ? "by_sub_groups_in_turn_"
                                                           : "by_sub_groups_") +
                             (reduces                                              ? "reduce_"
                              : request.operation == GroupOperation::InclusiveScan ? "scan_inclusive_"
                                                                                   : "scan_exclusive_") +
                             std::string(request.row.name);
    return call(mangle(name, request.row.kind, builder_.width(type)), type, {value});
}

/// The library's function takes the range of local ids of the work-items to combine.
Id GroupFunctions::by_shuffles(const Request& request, Id value) {
    const Id type = builder_.type_of(value);
    Id first = number(0), end = number(~0u);
    switch (request.operation) {
        case GroupOperation::InclusiveScan: end = integer(Op::OpIAdd, local_id(), number(1)); break;
        case GroupOperation::ExclusiveScan: end = local_id(); break;
        case GroupOperation::ClusteredReduce: {
            const Id inside = integer(Op::OpISub, request.cluster, number(1));
            const Id mask = builder_.append(Op::OpNot, builder_.type_int(32), {inside});
            first = integer(Op::OpBitwiseAnd, local_id(), mask);
            end = integer(Op::OpIAdd, first, request.cluster);
            break;
        }
        default: break;
    }
    const std::string name = "by_shuffles_" + std::string(request.row.name);
    return call(mangle(name, request.row.kind, builder_.width(type), "jj"), type, {value, first, end});
}

// ---- The library ----

std::string GroupFunctions::mangle(const std::string& name, char kind, uint32_t width,
                                   std::string_view more) {
    const bool is_long = width == 64;
    Mangler mangler(name);
    mangler.add(kind == 'f'   ? (is_long ? "d" : "f")
                : kind == 'i' ? (is_long ? "l" : "i")
                : is_long     ? "m"
                              : "j",
                1, false);
    return mangler.text() + std::string(more);
}

Id GroupFunctions::call(const std::string& mangled_name, Id type, spirv::Operands args) {
    provide_scratch();
    const Result<Id> function = linker_.import_function(mangled_name);
    if (!function || !*function) {
        error_ = function ? "the library has no " + mangled_name : function.error().message;
        return builder_.undef(type);
    }
    args.insert(args.begin(), *function);
    return builder_.append(Op::OpFunctionCall, type, std::move(args));
}

void GroupFunctions::provide_scratch() {
    if (!scratch_.empty()) return;
    for (const bool per_work_item : {true, false})
        for (const bool is_float : {false, true})
            for (const uint32_t width : {32u, 64u}) {
                const std::string type =
                    is_float ? (width == 32 ? "float" : "double") : (width == 32 ? "uint" : "ulong");
                const std::string name = (per_work_item ? "group_values_" : "group_totals_") + type;
                const Id function = builder_.fresh();
                scratch_[function] = {.width = width, .is_float = is_float, .per_work_item = per_work_item};
                linker_.provide(name, function);
            }
}

/// One element for each work-item of the largest group, or for each sub-group.
uint32_t GroupFunctions::scratch_length(const Scratch& scratch) const {
    const uint32_t size = profile_.max_local_invocations;
    if (scratch.per_work_item) return size;
    return profile_.subgroups ? (size + profile_.min_subgroup_size - 1) / profile_.min_subgroup_size : 1;
}

/// The pointer that the library's declared `function` returns.
Id GroupFunctions::scratch(Id function) {
    Scratch& scratch = scratch_.at(function);
    const Id element =
        scratch.is_float ? builder_.type_float(scratch.width) : builder_.type_int(scratch.width);
    if (!scratch.variable) {
        scratch.variable = builder_.variable(spv::StorageClass::Workgroup,
                                             builder_.type_array(element, scratch_length(scratch)));
        builder_.name(scratch.variable,
                      scratch.per_work_item ? "caldera.group_values" : "caldera.group_totals");
    }
    return builder_.append(Op::OpInBoundsAccessChain,
                           builder_.type_pointer(spv::StorageClass::Workgroup, element),
                           {scratch.variable, number(0)});
}

void GroupFunctions::describe(ProgramInterface& program, PassVariables& variables) {
    const spirv::Module& module = builder_.module();
    CallGraph graph(module, true);
    for (const auto& [function, scratch] : scratch_) {
        if (!scratch.variable) continue;
        (scratch.per_work_item ? variables.group_values : variables.group_totals).push_back(scratch.variable);
        for (size_t i = 0; i < module.entry_points.size(); ++i) {
            const std::vector<Id> used = graph.variables(module.entry_points[i].id(1));
            if (std::ranges::find(used, scratch.variable) == used.end()) continue;
            if (scratch.per_work_item)
                program.kernels[i].local_bytes_per_work_item += scratch.width / 8;
            else
                program.kernels[i].local_bytes += uint64_t{scratch_length(scratch)} * (scratch.width / 8);
            if (program.kernels[i].local_bytes + program.kernels[i].local_bytes_per_work_item >
                profile_.max_local_bytes)
                error_ = "kernel '" + program.kernels[i].name +
                         "': its group functions leave too little local memory on " + profile_.name;
        }
    }
}

Id GroupFunctions::input(spv::BuiltIn built_in) {
    const Id u32 = builder_.type_int(32);
    Id& variable = inputs_[built_in];
    if (!variable) variable = new_built_in_variable(builder_, built_in, u32);
    return builder_.append(Op::OpLoad, u32, {variable});
}

}  // namespace caldera::vulkan
