// SPDX-License-Identifier: Apache-2.0
// lower_pipes: turns a pipe into a pointer to its ring buffer in global memory, and its instructions into
// calls of the library (builtins/pipe/pipe.cl). Before: kernels are described; packet sizes are constants.
// After: there is no type or instruction of pipes. A reservation is its first position and its number of
// packets, which is 0 if it is invalid.
#include <algorithm>
#include <numeric>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "spirv/support/check.h"
#include "vulkan/translate/link/library_imports.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/reach.h"
#include "vulkan/translate/support/replace_types.h"
#include "vulkan/translate/support/rewrite_block.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spv::Op;
using spv::StorageClass;

/// False when the module has no pipes.
bool replace_pipe_types(spirv::Module& module) {
    std::vector<Id> pipes, reservations;
    for (const Instruction& inst : module.globals) {
        if (inst.op == Op::OpTypePipe) pipes.push_back(inst.result);
        if (inst.op == Op::OpTypeReserveId) reservations.push_back(inst.result);
    }
    if (pipes.empty() && reservations.empty()) return false;
    FirstTypes first(module);
    const Id u32 = first.add(Op::OpTypeInt, {32u, 0u});
    const Id pair = first.add(Op::OpTypeVector, {u32, 2u});
    const Id ring = first.add(Op::OpTypePointer, {StorageClass::CrossWorkgroup, u32});
    spirv::IdMap<Id> types;
    for (const Id pipe : pipes) types[pipe] = ring;
    for (const Id reservation : reservations) types[reservation] = pair;
    replace_types(module, std::move(types));
    return true;
}

enum class Last : uint8_t { Nothing, Shared, To, From };

/// Calls the library's function for an instruction. It takes the pipe, so many of the operands after that,
/// and possibly another argument.
struct PipeRow {
    Op op = {};
    std::string_view name = {};
    uint32_t pipe_at = 0, arguments = 0;
    Last last = {};
    std::string_view sub_group_name =
        {};  ///< where the scope before the pipe is a sub-group; takes nothing more
};
constexpr PipeRow kPipeRows[] = {
    {Op::OpReadPipe, "pipe_read", 0, 0, Last::To},
    {Op::OpWritePipe, "pipe_write", 0, 0, Last::From},
    {Op::OpReservedReadPipe, "pipe_read", 0, 2, Last::To},
    {Op::OpReservedWritePipe, "pipe_write", 0, 2, Last::From},
    {Op::OpReserveReadPipePackets, "pipe_reserve_read", 0, 1},
    {Op::OpReserveWritePipePackets, "pipe_reserve_write", 0, 1},
    {Op::OpCommitReadPipe, "pipe_commit_read", 0, 1},
    {Op::OpCommitWritePipe, "pipe_commit_write", 0, 1},
    {Op::OpGroupReserveReadPipePackets, "pipe_group_reserve_read", 1, 1, Last::Shared,
     "pipe_sub_group_reserve_read"},
    {Op::OpGroupReserveWritePipePackets, "pipe_group_reserve_write", 1, 1, Last::Shared,
     "pipe_sub_group_reserve_write"},
    {Op::OpGroupCommitReadPipe, "pipe_group_commit_read", 1, 1, Last::Nothing, "pipe_sub_group_commit_read"},
    {Op::OpGroupCommitWritePipe, "pipe_group_commit_write", 1, 1, Last::Nothing,
     "pipe_sub_group_commit_write"},
    {Op::OpGetNumPipePackets, "pipe_num_packets"},
    {Op::OpGetMaxPipePackets, "pipe_max_packets"},
};

class PipeLowering {
 public:
    explicit PipeLowering(spirv::Module& module) : module_(module), builder_(module), imports_(builder_) {}

    void run(ProgramInterface& program) {
        CallGraph graph(module_);
        for (const uint32_t index : graph.order().callees_first) {
            lower(module_.functions[index]);
            find_packet_bytes(module_.functions[index], graph);
        }
        for (size_t k = 0; k < module_.entry_points.size(); ++k) {
            const auto& params = module_.functions[graph.index_of(module_.entry_points[k].id(1))].params;
            for (size_t i = 0; i < params.size(); ++i)
                if (KernelArgument& argument = program.kernels[k].arguments[i];
                    argument.kind == ArgumentKind::Pipe)
                    argument.element_bytes = packet_bytes_[params[i].result];
        }
        imports_.finish();
    }

 private:
    void lower(spirv::Function& function) {
        for (spirv::Block& block : function.blocks) {
            rewrite_block(builder_, block, [&](Instruction& inst, std::vector<Instruction>&) {
                if (!lower(inst)) builder_.append(std::move(inst));
            });
        }
    }

    /// Derives the packet sizes of arguments and variables from the parameters and loaded values that use
    /// them.
    void find_packet_bytes(const spirv::Function& function, const CallGraph& graph) {
        auto learn = [&](Id pipe, Id from) {
            if (const auto known = packet_bytes_.find(from); known != packet_bytes_.end() && known->second)
                packet_bytes_[pipe] = uint32_t{known->second};
        };
        for (const Op op : {Op::OpFunctionCall, Op::OpLoad, Op::OpStore})
            for (const spirv::Block& block : function.blocks)
                for (const Instruction& inst : block.body) {
                    if (inst.op != op) continue;
                    if (op == Op::OpLoad) learn(inst.id(0), inst.result);
                    if (op == Op::OpStore) learn(inst.id(1), inst.id(0));
                    const uint32_t callee =
                        op == Op::OpFunctionCall ? graph.index_of(inst.id(0)) : CallGraph::kNone;
                    if (callee == CallGraph::kNone) continue;
                    const auto& params = module_.functions[callee].params;
                    for (size_t i = 0; i < params.size(); ++i) learn(inst.id(i + 1), params[i].result);
                }
    }

    /// Returns true if emitted code replaces the instruction.
    bool lower(const Instruction& inst) {
        if (inst.op == Op::OpIsValidReserveId) {
            const Id count = builder_.append(Op::OpCompositeExtract, builder_.type_int(32), {inst.id(0), 1u});
            append(inst, Op::OpINotEqual, {count, builder_.constant_u32(0)});
            return true;
        }
        const auto row = std::ranges::find(kPipeRows, inst.op, &PipeRow::op);
        if (row == std::end(kPipeRows)) return false;
        const bool has_packet = row->last == Last::To || row->last == Last::From;
        const size_t end = row->pipe_at + row->arguments + 1, size_at = has_packet ? end + 1 : end;
        const auto bytes = static_cast<uint32_t>(builder_.constant_value(inst.id(size_at)).value_or(0));
        packet_bytes_[inst.id(row->pipe_at)] = bytes;

        std::vector<Id> args;
        for (size_t i = row->pipe_at; i < end; ++i) args.push_back(inst.id(i));
        const bool is_sub_group = row->pipe_at == 1 && builder_.constant_value(inst.id(0)) ==
                                                           static_cast<uint32_t>(spv::Scope::Subgroup);
        if (row->last == Last::Shared && !is_sub_group) args.push_back(shared());
        if (has_packet) add_packet(inst.id(end), bytes, inst.id(size_at + 1), args);
        call(inst, is_sub_group ? row->sub_group_name : row->name, args, row->last == Last::From ? "K" : "");
        return true;
    }

    void append(const Instruction& like, Op op, spirv::Operands operands) {
        builder_.append({.op = op,
                         .type = like.type ? like.type : builder_.type_void(),
                         .result = like.result ? like.result : builder_.fresh(),
                         .operands = std::move(operands),
                         .line = like.line});
    }

    /// A packet goes element by element, as large as its alignment and the library allow.
    void add_packet(Id pointer, uint32_t bytes, Id alignment, std::vector<Id>& args) {
        const auto align_bytes = static_cast<uint32_t>(builder_.constant_value(alignment).value_or(1));
        const uint32_t unit = std::gcd(std::gcd(bytes, std::max(align_bytes, 1u)), 4u);
        args.push_back(builder_.constant_u32(bytes / unit));
        args.push_back(builder_.constant_u32((bytes + 3) / 4));
        args.push_back(generic(pointer, builder_.type_int(8 * unit)));
    }

    /// `qualifier`: of what the last argument points to, where that is a packet.
    void call(const Instruction& inst, std::string_view name, const std::vector<Id>& args,
              const std::string& qualifier) {
        std::string mangled = "_Z" + std::to_string(name.size()) + std::string(name);
        std::vector<Id> types;
        spirv::Operands operands;
        for (const Id arg : args) {
            types.push_back(builder_.type_of(arg));
            mangled += code(types.back(), qualifier);
            operands.push_back(arg);
        }
        const Id result = inst.type ? inst.type : builder_.type_void();
        operands.insert(operands.begin(), imports_.function(mangled, result, types));
        append(inst, Op::OpFunctionCall, std::move(operands));
    }

    /// The mangling of the types that the library's functions take.
    std::string code(Id type, const std::string& qualifier) const {
        if (builder_.is_vector(type)) return "Dv2_j";
        if (!builder_.is_pointer(type)) return "j";
        const Id pointee = builder_.pointee(type);
        switch (builder_.storage(type)) {
            case StorageClass::CrossWorkgroup: return "PU3AS1j";
            case StorageClass::Workgroup: return "PU3AS3Dv2_j";
            default: break;
        }
        const uint32_t width = builder_.width(pointee);
        return "PU3AS4" + qualifier + (width == 8 ? "h" : width == 16 ? "t" : "j");
    }

    Id generic(Id pointer, Id element) {
        const Id from = builder_.type_of(pointer);
        if (builder_.storage(from) != StorageClass::Generic)
            pointer = builder_.append(Op::OpPtrCastToGeneric,
                                      builder_.type_pointer(StorageClass::Generic, builder_.pointee(from)),
                                      {pointer});
        const Id type = builder_.type_pointer(StorageClass::Generic, element);
        return builder_.type_of(pointer) == type ? pointer : builder_.append(Op::OpBitcast, type, {pointer});
    }

    /// Local memory in which a work-group's first work-item stores its reservation.
    Id shared() {
        if (!shared_)
            shared_ =
                builder_.variable(StorageClass::Workgroup, builder_.type_vector(builder_.type_int(32), 2));
        return shared_;
    }

    spirv::Module& module_;
    Builder builder_;
    LibraryImports imports_;
    spirv::IdMap<uint32_t> packet_bytes_ = {};  // of pipes, and of private variables that hold them
    Id shared_ = {};
};

}  // namespace

Result<Done> lower_pipes(spirv::Module& module, PassContext& context) {
    if (replace_pipe_types(module)) PipeLowering(module).run(context.interface);
    return Done{};
}

}  // namespace caldera::vulkan
