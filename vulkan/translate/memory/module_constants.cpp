// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/memory/module_constants.h"

#include <algorithm>
#include <numeric>

#include "spirv/op_class.h"

namespace caldera::vulkan::memory {
namespace {

/// Values that may be the same pointer to constant memory share a class.
class ConstantClasses {
 public:
    ConstantClasses(const spirv::Module& module, const Source& source)
        : source_(source), parents_(module.bound), is_bound_(module.bound) {
        std::iota(parents_.begin(), parents_.end(), 0u);
        for (const Instruction& inst : source.globals()) visit(inst, {});
        for (const spirv::Function& function : module.functions)
            for (const spirv::Block& block : function.blocks) {
                for (const Instruction& inst : block.body) visit(inst, function.id());
                visit(block.terminator, function.id());
            }
        for (const Instruction& entry : module.entry_points)
            for (const spirv::Function& function : module.functions)
                if (function.id() == entry.id(1))
                    for (const Instruction& param : function.params) bind(param.result);
    }

    bool is_constant_pointer(Id id) const {
        return source_.is_memory_pointer(id) && source_.storage(id) == spv::StorageClass::UniformConstant;
    }
    uint32_t find(uint32_t id) const {
        while (parents_[id] != id) id = parents_[id] = parents_[parents_[id]];
        return id;
    }
    /// The classes of variables alone, and how many bytes these have.
    std::vector<std::pair<uint32_t, uint64_t>> free_classes() const {
        std::vector<std::pair<uint32_t, uint64_t>> classes;
        for (const Id variable : variables_) {
            const uint32_t its = find(variable.value);
            if (is_bound_[its]) continue;
            auto known = std::ranges::find(classes, its, &std::pair<uint32_t, uint64_t>::first);
            if (known == classes.end()) known = classes.insert(known, {its, 0});
            known->second += source_.layout()[source_.pointee(variable)].size_bytes;
        }
        return classes;
    }

 private:
    /// The class points to memory that the host gives.
    void bind(Id id) {
        if (is_constant_pointer(id)) is_bound_[find(id.value)] = true;
    }
    void join(Id a, Id b) {
        if (!is_constant_pointer(a)) return bind(b);
        if (!is_constant_pointer(b)) return bind(a);
        const uint32_t one = find(a.value), other = find(b.value);
        parents_[other] = one;
        is_bound_[one] = is_bound_[one] || is_bound_[other];
    }

    void visit(const Instruction& inst, Id function) {
        switch (Source::op_of(inst)) {
            case spv::Op::OpVariable: return visit_variable(inst);
            case spv::Op::OpReturnValue: return join(function, inst.id(0));
            case spv::Op::OpPtrEqual:
            case spv::Op::OpPtrNotEqual:
            case spv::Op::OpPtrDiff: return join(Source::id_of(inst, 0), Source::id_of(inst, 1));
            case spv::Op::OpFunctionCall:
                for (size_t i = 1; i < inst.operands.size(); ++i)
                    join(source_.param(inst.id(0), i - 1), inst.id(i));
                return join(inst.id(0), inst.result);
            default: break;
        }
        if (source_.for_each_base(inst, [&](Id base) { join(inst.result, base); })) return;
        bind(inst.result);
        const Accesses accesses =
            spirv::is_atomic(inst.op) ? Accesses() : source_.accesses(inst);  // only read
        for (const Operand& operand : inst.operands)
            if (operand.is_id &&
                std::ranges::find(accesses, operand.id(), &AccessInfo::pointer) == accesses.end())
                bind(operand.id());
    }

    void visit_variable(const Instruction& inst) {
        const bool is_initialized = inst.operands.size() > 1;
        if (is_initialized) bind(inst.id(1));
        if (!is_constant_pointer(inst.result)) return;
        const TypeInfo& type = source_.layout()[source_.pointee(inst.result)];
        // Integers may be addresses too.
        if (is_initialized && !type.has_pointer && !source_.is_expanded(inst.id(1)) &&
            type.size_bytes <= kMaxModuleConstantBytes &&
            source_.host_buffer(inst.result) == HostBuffer::DataSegment)
            variables_.push_back(inst.result);
        else
            bind(inst.result);
    }

    const Source& source_;
    mutable std::vector<uint32_t> parents_;  // by id
    std::vector<bool> is_bound_;             // by class
    std::vector<Id> variables_ = {};
};

}  // namespace

ModuleConstants::ModuleConstants(const spirv::Module& module, const Source& source, uint64_t largest_bytes) {
    const ConstantClasses classes(module, source);
    auto chosen = classes.free_classes();
    std::erase_if(chosen, [&](const auto& each) { return each.second > largest_bytes; });
    std::ranges::stable_sort(chosen, {}, &std::pair<uint32_t, uint64_t>::second);
    uint64_t bytes = 0;
    const auto first_left_out = std::ranges::find_if(
        chosen, [&](const auto& each) { return (bytes += each.second) > kMaxModuleConstantBytes; });
    std::vector<bool> is_chosen(module.bound);
    for (auto each = chosen.begin(); each != first_left_out; ++each) is_chosen[each->first] = true;
    for (uint32_t id = 1; id < module.bound; ++id)
        if (classes.is_constant_pointer(Id{id}) && is_chosen[classes.find(id)]) pointers_.insert(Id{id});
}

}  // namespace caldera::vulkan::memory
