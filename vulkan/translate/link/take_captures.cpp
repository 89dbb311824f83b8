// SPDX-License-Identifier: Apache-2.0
// take_captures: lets kernels of blocks take their captures by value instead of a pointer to them. Before: a
// block's kernel takes a generic pointer, then pointers to local memory. Instructions of device-side enqueue
// name its function, or another function that the kernel only calls (as LLVM's translator writes it). After:
// they name the kernel's function, which takes the captures by value. Every enqueued block has such a kernel,
// and no other block is a kernel.
#include <algorithm>

#include "spirv/builder.h"
#include "spirv/debug_info.h"
#include "spirv/id_map.h"
#include "spirv/sink_scope.h"
#include "spirv/support/check.h"
#include "spirv/support/try.h"
#include "vulkan/translate/import/enqueue_calls.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/function_type.h"
#include "vulkan/translate/support/reach.h"
#include "vulkan/translate/support/replace_types.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Function;
using spirv::Id;
using spirv::Instruction;
using spv::Op;

/// A sampler has 4 bytes (lower_images), but blocks have 8 for it: it becomes a struct of two numbers there.
void widen_samplers(spirv::Module& module) {
    const auto sampler = std::ranges::find(module.globals, Op::OpTypeSampler, &Instruction::op);
    if (sampler == module.globals.end()) return;
    const Id type = sampler->result;
    const bool any = std::ranges::any_of(module.globals, [&](const Instruction& inst) {
        return inst.op == Op::OpTypeStruct &&
               std::ranges::any_of(inst.operands,
                                   [&](const spirv::Operand& member) { return member.id() == type; });
    });
    if (!any) return;
    FirstTypes first(module);
    const Id u32 = first.add(Op::OpTypeInt, {32u, 0u});
    first.add(Op::OpTypeSampler, {});
    const Id wide = first.add(Op::OpTypeStruct, {type, u32});
    spirv::IdSet pointers;  // types, to samplers
    for (Instruction& inst : module.globals) {
        if (inst.op == Op::OpTypePointer && inst.id(1) == type) pointers.insert(inst.result);
        if (inst.op != Op::OpTypeStruct || inst.result == wide) continue;
        for (spirv::Operand& member : inst.operands)
            if (member.id() == type) member = wide;
    }
    const Id zero = Builder(module).constant_u32(0);
    for (Function& function : module.functions)
        for (spirv::Block& block : function.blocks)
            for (Instruction& inst : block.body) {
                const bool is_chain = inst.op == Op::OpAccessChain || inst.op == Op::OpInBoundsAccessChain;
                const bool is_pointer_chain =
                    inst.op == Op::OpPtrAccessChain || inst.op == Op::OpInBoundsPtrAccessChain;
                const size_t indices = inst.operands.size() - (is_pointer_chain ? 2 : 1);
                if ((is_chain || is_pointer_chain) && indices > 0 && pointers.contains(inst.type))
                    inst.operands.push_back(zero);
                if (inst.op == Op::OpCompositeExtract && inst.type == type) inst.operands.push_back(0u);
            }
}

class CaptureTaking {
 public:
    explicit CaptureTaking(spirv::Module& module) : module_(module), builder_(module), layout_(builder_) {}

    Result<Done> run() {
        TRY(name_kernels());
        spirv::IdMap<const Function*> functions;
        for (const Function& function : module_.functions) functions.emplace(function.id(), &function);
        for (const auto& [kernel, size] : sizes_)
            types_.emplace(kernel, type_of_captures(functions, kernel, size));
        for (Function& function : module_.functions)
            if (const auto type = types_.find(function.id()); type != types_.end())
                TRY(take(function, type->second));
        return Done{};
    }

 private:
    Result<Done> name_kernels() {
        spirv::IdMap<Id>
            kernel_of;  // by the function that is named: itself, or the kernel that only calls it
        for (const Instruction& entry : module_.entry_points) kernel_of[entry.id(1)] = entry.id(1);
        for (const Function& function : module_.functions)
            if (const Id callee = kernel_of.contains(function.id()) ? only_call(function) : Id{})
                kernel_of.emplace(callee, function.id());
        std::vector<Function> unnamed;
        for (const Function& function : module_.functions)
            for (const spirv::Block& block : function.blocks)
                for (const Instruction& inst : block.body) {
                    const std::optional<BlockOperands> operands = block_operands(inst);
                    if (!operands || kernel_of.contains(operands->kernel)) continue;
                    const auto named = std::ranges::find(module_.functions, operands->kernel, &Function::id);
                    if (named == module_.functions.end())
                        return Error{.message = "an enqueued block is not defined"};
                    kernel_of[operands->kernel] = builder_.fresh();
                    unnamed.push_back({.def = named->def, .params = named->params});
                }
        for (const Function& function : unnamed) make_kernel(function, kernel_of.at(function.id()));
        for (Function& function : module_.functions)
            for (spirv::Block& block : function.blocks)
                for (Instruction& inst : block.body)
                    if (const std::optional<BlockOperands> operands = block_operands(inst)) {
                        const Id kernel = kernel_of.at(operands->kernel);
                        inst.operands[*block_operands_at(inst)] = kernel;
                        uint64_t& size = sizes_[kernel];
                        size = std::max(size,
                                        builder_.constant_value(operands->size).value_or(kBlockHeaderBytes));
                    }
        return Done{};
    }

    /// The function that a function calls with its own parameters, if it does nothing else.
    static Id only_call(const Function& function) {
        if (function.blocks.size() != 1 || code_size(function.blocks[0]) != 1) return {};
        const Instruction& call = *std::ranges::find_if_not(function.blocks[0].body, spirv::is_debug);
        if (call.op != Op::OpFunctionCall || call.operands.size() != function.params.size() + 1) return {};
        for (size_t i = 0; i < function.params.size(); ++i)
            if (call.id(i + 1) != function.params[i].result) return {};
        return call.id(0);
    }

    /// A kernel that only calls the function.
    void make_kernel(const Function& function, Id kernel) {
        const auto names = names_of(module_);
        const auto known = names.find(function.id());
        const std::string name = (known != names.end() ? known->second : "block") + "_enqueued_" +
                                 std::to_string(function.id().value);
        builder_.begin_function(builder_.type_void(), function.def.id(1), {}, kernel);
        spirv::Operands call = {function.id()};
        for (const Instruction& param : function.params) call.push_back(builder_.param(param.type));
        builder_.begin_block(builder_.fresh());
        builder_.append(Op::OpFunctionCall, builder_.type_void(), std::move(call));
        builder_.return_();
        builder_.end_function();
        Instruction entry{.op = Op::OpEntryPoint, .operands = {spv::ExecutionModel::Kernel, kernel}};
        spirv::append_string(entry.operands, name);
        module_.entry_points.push_back(std::move(entry));
    }

    /// The type as which the block's function accesses its captures, if a kernel argument can have it; else
    /// words or bytes.
    Id type_of_captures(const spirv::IdMap<const Function*>& functions, Id kernel, uint64_t size_bytes) {
        const Id type = captures_type(builder_, layout_, functions, kernel, size_bytes);
        if (type && builder_.op_of_type(type) == Op::OpTypeStruct && !has_pointer_inwards(type)) return type;
        const uint32_t unit = size_bytes % 4 == 0 ? 4 : 1;
        return builder_.type_array(builder_.type_int(8 * unit), static_cast<uint32_t>(size_bytes / unit));
    }
    /// A pointer to private or local memory of the code that enqueues the block, which the block must not use
    /// (6.13.17).
    bool has_pointer_inwards(Id type) const {
        for (uint32_t i = 0; i < builder_.member_count(type); ++i)
            if (const Id member = builder_.member(type, i); builder_.is_pointer(member))
                if (const spv::StorageClass storage = builder_.storage(member);
                    storage == spv::StorageClass::Function || storage == spv::StorageClass::Workgroup)
                    return true;
        return false;
    }

    Result<Done> take(Function& function, Id type) {
        if (function.params.empty() || !builder_.is_pointer(function.params[0].type) ||
            function.blocks.empty())
            return Error{.message = "an enqueued block does not take a pointer to its captures"};
        Instruction& param = function.params[0];
        const Id pointer = param.result, pointer_type = param.type;
        param = {.op = Op::OpFunctionParameter, .type = type, .result = builder_.fresh()};
        match_params(builder_, function);

        std::vector<Instruction> code;
        const spirv::SinkScope sink(builder_, &code);
        const Id variable =
            builder_.append(Op::OpVariable, builder_.type_pointer(spv::StorageClass::Function, type),
                            {spv::StorageClass::Function});
        const auto alignment = static_cast<uint32_t>(std::max<uint64_t>(layout_.of(type).alignment_bytes, 8));
        builder_.decorate(variable, spv::Decoration::Alignment, {alignment});
        builder_.append_void(Op::OpStore,
                             {variable, param.result, spv::MemoryAccessMask::Aligned, alignment});
        const Id generic = builder_.append(
            Op::OpPtrCastToGeneric, builder_.type_pointer(spv::StorageClass::Generic, type), {variable});
        builder_.append(
            {.op = Op::OpBitcast, .type = pointer_type, .result = pointer, .operands = {generic}});
        function.insert_at_entry(std::move(code));
        return Done{};
    }

    spirv::Module& module_;
    Builder builder_;
    OpenclLayout layout_;
    spirv::IdMap<uint64_t> sizes_ = {};  // by kernel: bytes of captures
    spirv::IdMap<Id> types_ = {};        // by kernel: of the captures
};

bool names_blocks(const spirv::Module& module) {
    for (const Function& function : module.functions)
        for (const spirv::Block& block : function.blocks)
            for (const Instruction& inst : block.body)
                if (block_operands_at(inst)) return true;
    return false;
}

/// Kernels that still take a pointer to captures belong to blocks that only unreachable code enqueued: no
/// host can pass a generic pointer to them.
Result<Done> drop_blocks(spirv::Module& module) {
    const Builder builder(module);
    spirv::IdSet blocks;
    for (const Function& function : module.functions)
        if (takes_captures(builder, function)) blocks.insert(function.id());
    std::erase_if(module.entry_points,
                  [&](const Instruction& entry) { return blocks.contains(entry.id(1)); });
    std::erase_if(module.execution_modes,
                  [&](const Instruction& mode) { return blocks.contains(mode.id(0)); });
    if (module.entry_points.empty())
        return Error{.message = "the module's only kernels are those of blocks that nothing enqueues"};
    return Done{};
}

}  // namespace

Result<Done> take_captures(spirv::Module& module, PassContext&) {
    widen_samplers(module);
    if (names_blocks(module)) TRY(CaptureTaking(module).run());
    return drop_blocks(module);
}

}  // namespace caldera::vulkan
