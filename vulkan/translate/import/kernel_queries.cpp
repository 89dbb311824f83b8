// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/kernel_queries.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "spirv/uses.h"
#include "vulkan/translate/import/function_pointers.h"
#include "vulkan/translate/support/opencl_layout.h"
#include "vulkan/translate/support/reach.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;
using spv::Op;

/// clang/lib/CodeGen/CGBuiltin.cpp. The arguments are a pointer to an NDRange, for some, the kernel's address
/// and a pointer to the block.
struct QueryRow {
    std::string_view name = {};
    Op op = {};
    bool has_range = false;
};
constexpr QueryRow kQueryRows[] = {
    {"__get_kernel_work_group_size_impl", Op::OpGetKernelWorkGroupSize, false},
    {"__get_kernel_preferred_work_group_size_multiple_impl", Op::OpGetKernelPreferredWorkGroupSizeMultiple,
     false},
    {"__get_kernel_max_sub_group_size_for_ndrange_impl", Op::OpGetKernelNDrangeMaxSubGroupSize, true},
    {"__get_kernel_sub_group_count_for_ndrange_impl", Op::OpGetKernelNDrangeSubGroupCount, true},
};

IdMap<const QueryRow*> imported_queries(const Module& module) {
    IdMap<const QueryRow*> found;
    for (const Instruction& inst : module.annotations) {
        const std::optional<Linkage> linkage = linkage_of(inst);
        if (!linkage || linkage->type != spv::LinkageType::Import) continue;
        const auto row = std::ranges::find(kQueryRows, linkage->name, &QueryRow::name);
        if (row != std::end(kQueryRows)) found[linkage->target] = &*row;
    }
    return found;
}

class QueryTaking {
 public:
    QueryTaking(Module& module, const IdMap<const QueryRow*>& queries)
        : module_(module), queries_(queries), builder_(module), layout_(builder_) {}

    bool run() {
        bool takes = false;
        for (Function& function : module_.functions) {
            definitions_.clear();
            for (const Block& block : function.blocks)
                for (const Instruction& inst : block.body)
                    if (inst.result) definitions_[inst.result] = &inst;
            for (Block& block : function.blocks)
                for (Instruction& inst : block.body) takes |= take(inst);
        }
        if (!takes) return false;
        builder_.capability(spv::Capability::DeviceEnqueue);
        remove_uncalled();
        return true;
    }

 private:
    bool take(Instruction& inst) {
        const auto found = inst.op == Op::OpFunctionCall ? queries_.find(inst.id(0)) : queries_.end();
        if (found == queries_.end()) return false;
        const QueryRow& row = *found->second;
        const size_t first = row.has_range ? 2 : 1;
        if (inst.operands.size() != first + 2 || !builder_.is_int(inst.type)) return false;
        const Instruction* address = source(inst.id(first));
        const std::optional<TypeLayout> captures = captures_of(inst.id(first + 1));
        if (!address || address->op != Op::OpConstantFunctionPointerINTEL || !captures) return false;
        Operands operands = {address->result, inst.id(first + 1),
                             builder_.constant_u32(static_cast<uint32_t>(captures->size_bytes)),
                             builder_.constant_u32(static_cast<uint32_t>(captures->alignment_bytes))};
        if (row.has_range) {
            const Id range = inst.id(1);
            const Instruction* whole = source(range);
            if (!builder_.is_pointer(builder_.type_of(range))) return false;
            operands.insert(operands.begin(), whole && whole->type ? whole->result : range);
        }
        inst.op = row.op;
        inst.operands = std::move(operands);
        return true;
    }

    /// The definition of what is cast to `pointer`, or none.
    const Instruction* source(Id pointer) const {
        constexpr int kMaxCasts = 16;
        for (int i = 0; i < kMaxCasts; ++i) {
            const auto found = definitions_.find(pointer);
            const Instruction* inst =
                found != definitions_.end() ? found->second : builder_.find_global(pointer);
            if (!inst) return nullptr;
            const bool is_constant = inst->op == Op::OpSpecConstantOp;
            if (!is_address_cast(is_constant ? static_cast<Op>(inst->word(0)) : inst->op)) return inst;
            pointer = inst->id(is_constant ? 1 : 0);
        }
        return nullptr;
    }

    /// How large and how aligned the block is. Its first members are those two numbers and the function's
    /// address.
    std::optional<TypeLayout> captures_of(Id block) const {
        const Instruction* object = source(block);
        if (!object || !object->type || !builder_.is_pointer(object->type)) return {};
        const Id type = builder_.pointee(object->type);
        if (builder_.op_of_type(type) != Op::OpTypeStruct || builder_.member_count(type) < 3) return {};
        std::optional<TypeLayout> layout = layout_.find(type);
        if (layout) layout->alignment_bytes = std::max<uint64_t>(layout->alignment_bytes, sizeof(uint64_t));
        return layout;
    }

    void remove_uncalled() {
        IdSet used;
        for (const Function& function : module_.functions)
            for_each_use(function, [&](const Operand& operand) { used.insert(operand.id()); });
        std::erase_if(module_.functions, [&](const Function& function) {
            return queries_.contains(function.id()) && !used.contains(function.id());
        });
        drop_stale_names(module_);
    }

    Module& module_;
    const IdMap<const QueryRow*>& queries_;
    Builder builder_;
    OpenclLayout layout_;
    IdMap<const Instruction*> definitions_ = {};
};

}  // namespace

bool take_kernel_queries(Module& module) {
    const IdMap<const QueryRow*> queries = imported_queries(module);
    return !queries.empty() && QueryTaking(module, queries).run();
}

}  // namespace caldera::vulkan
