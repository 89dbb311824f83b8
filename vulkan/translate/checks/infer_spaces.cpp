// SPDX-License-Identifier: Apache-2.0
// infer_spaces: gives generic pointers the storage class of the only space that they can point into. OpenCL
// C 3.0 makes nearly every pointer generic, and checks of a generic pointer look for its space and its object
// at run time. LLVM's InferAddressSpaces does the same with a lattice of values; here the spaces are those
// that lower_memory's points-to analysis (PointsTo) finds for the whole module, so pointers in variables,
// members and results count too.
//
// Memory keeps generic pointers: what is loaded is cast, and what is stored is cast back. Parameters and
// results of functions that are only called change their types. Whoever needs the generic pointer gets a
// cast: conversions to integers, questions about the space, and comparisons with pointers of another space.
//
// Before: calls may be of functions without bodies, which do nothing with the space of a pointer but return
// it. After: a pointer of class Generic may point into several spaces, or comes from memory, or goes there.
#include <spirv/unified1/OpenCL.std.h>

#include <algorithm>
#include <map>
#include <optional>

#include "spirv/debug_info.h"
#include "spirv/op_class.h"
#include "vulkan/translate/checks/calls.h"
#include "vulkan/translate/import/printf_calls.h"
#include "vulkan/translate/memory/points_to.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/function_type.h"

namespace caldera::vulkan {
namespace {

using spirv::Block;
using spirv::Builder;
using spirv::Function;
using spirv::Id;
using spirv::Instruction;
using spv::Op;
using spv::StorageClass;

class SpaceInference {
 public:
    SpaceInference(spirv::Module& module, const PassContext& context)
        : module_(module),
          source_(module, context.variables),
          points_to_(module, source_, constants_, memory::PointsTo::Calls::SomeUnknown),
          builder_(module),
          opencl_std_(opencl_std_of(module)),
          named_(named_elsewhere(module)) {}

    void run() {
        for (Function& function : module_.functions)
            if (!function.blocks.empty() && !named_.contains(function.id())) change_interface(function);
        for (const Function& function : module_.functions)
            for (const Block& block : function.blocks)
                for (const Instruction& inst : block.body)
                    if (takes_space(inst)) changed_[inst.result] = *space_of(inst.result);
        for (Function& function : module_.functions)
            if (!function.blocks.empty()) rewrite(function);
    }

 private:
    bool is_generic(Id value) const { return source_.storage(value) == StorageClass::Generic; }

    /// The storage class of the space into which a generic pointer points; none if there may be several.
    std::optional<StorageClass> space_of(Id pointer) const {
        if (!is_generic(pointer) || is_constant(pointer)) return std::nullopt;
        switch (points_to_.space_of(pointer)) {
            case memory::Space::Global: return StorageClass::CrossWorkgroup;
            case memory::Space::Local: return StorageClass::Workgroup;
            case memory::Space::Private: return StorageClass::Function;
            case memory::Space::Generic: break;
        }
        return std::nullopt;
    }
    /// NULL, OpUndef or an address of a constant: its class is that of nobody else.
    bool is_constant(Id pointer) const { return source_.function_of(pointer) == memory::kNoFunction; }

    Id type_in(StorageClass space, Id generic_type) {
        return builder_.type_pointer(space, builder_.pointee(generic_type));
    }

    // ---- Values whose type changes ----

    /// The function is only called.
    void change_interface(Function& function) {
        for (Instruction& param : function.params) change_type(param);
        if (const auto space = space_of_result(function)) {
            results_[function.id()] = *space;
            function.def.type = type_in(*space, function.return_type());
        }
        match_params(builder_, function);
    }

    void change_type(Instruction& value) {
        const std::optional<StorageClass> space = space_of(value.result);
        if (!space) return;
        changed_[value.result] = *space;
        value.type = type_in(*space, value.type);
    }

    /// A function's own id has the class of what it returns.
    std::optional<StorageClass> space_of_result(const Function& function) const {
        const bool is_pointer = builder_.is_pointer(function.return_type());
        if (!is_pointer || builder_.storage(function.return_type()) != StorageClass::Generic)
            return std::nullopt;
        return space_of(function.id());
    }

    /// Whether the result is a generic pointer of a known space that is computed from others, or returned.
    bool takes_space(const Instruction& inst) const {
        const std::optional<StorageClass> space = inst.result ? space_of(inst.result) : std::nullopt;
        if (!space) return false;
        switch (inst.op) {
            case Op::OpPhi:
            case Op::OpSelect: return true;
            case Op::OpFunctionCall: return results_.contains(inst.id(0));
            case Op::OpPtrCastToGeneric: return source_.storage(inst.id(0)) == *space;
            default: return spirv::computes_pointer(inst.op) && is_generic(inst.id(0));
        }
    }

    // ---- Uses ----

    /// The pointer as one into this space, which is the only one that it has.
    Id specific(Id pointer, StorageClass space) {
        if (!is_generic(pointer) || changed_.contains(pointer)) return pointer;
        if (!is_constant(pointer)) return fresh(specifics_[pointer]);
        const Id type = type_in(space, source_.type_of(pointer));
        switch (source_.def(pointer)->op) {
            case Op::OpConstantNull: return builder_.constant_null(type);
            case Op::OpUndef: return builder_.undef(type);
            default: break;
        }
        Id& cast = constants_of_[{pointer, space}];
        if (!cast)
            entry_.push_back({.op = Op::OpGenericCastToPtr,
                              .type = type,
                              .result = cast = builder_.fresh(),
                              .operands = {pointer}});
        return cast;
    }
    Id generic(Id value) { return changed_.contains(value) ? fresh(generics_[value]) : value; }
    Id fresh(Id& id) { return id ? id : id = builder_.fresh(); }

    /// The same for an operand, if its space is known.
    void make_specific(Instruction& inst, size_t operand) {
        const auto space = changed_.find(inst.id(operand));
        const auto known = space != changed_.end() ? space->second : space_of(inst.id(operand));
        if (known) inst.operands[operand] = specific(inst.id(operand), *known);
    }

    void rewrite(Function& function) {
        specifics_.clear();
        generics_.clear();
        constants_of_.clear();
        entry_.clear();
        for (Block& block : function.blocks) {
            for (Instruction& inst : block.body) rewrite(inst);
            rewrite_end(block.terminator, function.id());
        }
        std::vector<Instruction> at_entry;
        for (const Instruction& param : function.params) add_casts(param, at_entry);
        at_entry.insert(at_entry.end(), entry_.begin(), entry_.end());
        for (Block& block : function.blocks) add_casts(block);
        if (!at_entry.empty()) function.insert_at_entry(std::move(at_entry));
    }

    void rewrite(Instruction& inst) {
        if (spirv::is_debug(inst)) return;
        if (inst.op == Op::OpFunctionCall) return rewrite_call(inst);
        if (const auto space = changed_.find(inst.result); inst.result && space != changed_.end())
            return compute_in(inst, space->second);
        switch (inst.op) {
            case Op::OpPtrEqual:
            case Op::OpPtrNotEqual:
            case Op::OpPtrDiff: return rewrite_comparison(inst);
            case Op::OpGenericCastToPtr: return rewrite_cast(inst);
            default: break;
        }
        for (size_t i = 0; i < inst.operands.size(); ++i) {
            if (!inst.operands[i].is_id) continue;
            if (is_accessed(inst, i))
                make_specific(inst, i);
            else
                inst.operands[i] = generic(inst.id(i));
        }
    }

    /// Whether the instruction accesses memory by the operand, and takes pointers of any storage class there.
    bool is_accessed(const Instruction& inst, size_t operand) const {
        switch (inst.op) {
            case Op::OpLoad:
            case Op::OpStore: return operand == 0;
            case Op::OpCopyMemory:
            case Op::OpCopyMemorySized: return operand < 2;
            case Op::OpExtInst:
                return inst.id(0) == opencl_std_ && inst.word(1) != OpenCLLIB::Printf &&
                       is_generic(inst.id(operand));
            default: return spirv::is_atomic(inst.op) && operand == 0;
        }
    }

    void compute_in(Instruction& inst, StorageClass space) {
        const Id type = type_in(space, inst.type);
        inst.type = type;
        switch (inst.op) {
            case Op::OpPhi:
                for (size_t i = 0; i < inst.operands.size(); i += 2)
                    inst.operands[i] = specific(inst.id(i), space);
                break;
            case Op::OpSelect:
                for (const size_t i : {1, 2}) inst.operands[i] = specific(inst.id(i), space);
                break;
            case Op::OpPtrCastToGeneric:
                inst.op = source_.type_of(inst.id(0)) == type ? Op::OpCopyObject : Op::OpBitcast;
                break;
            default: inst.operands[0] = specific(inst.id(0), space); break;
        }
    }

    void rewrite_call(Instruction& inst) {
        const auto result = results_.find(inst.id(0));
        if (result != results_.end()) inst.type = type_in(result->second, inst.type);
        for (size_t i = 1; i < inst.operands.size(); ++i) {
            const auto param = changed_.find(source_.param(inst.id(0), i - 1));
            inst.operands[i] =
                param != changed_.end() ? specific(inst.id(i), param->second) : generic(inst.id(i));
        }
    }

    /// Two pointers into one space are compared there. NULL is in any.
    void rewrite_comparison(Instruction& inst) {
        const auto a = space_of(inst.id(0)), b = space_of(inst.id(1));
        const auto is_null = [&](size_t i) { return is_constant(inst.id(i)) && source_.is_null(inst.id(i)); };
        const bool is_one = (a && b && *a == *b) || (a && is_null(1)) || (b && is_null(0));
        for (const size_t i : {0, 1})
            inst.operands[i] = is_one ? specific(inst.id(i), a ? *a : *b) : generic(inst.id(i));
    }

    void rewrite_cast(Instruction& inst) {
        const std::optional<StorageClass> space = space_of(inst.id(0));
        if (!space || *space != source_.storage(inst.result)) {
            inst.operands[0] = generic(inst.id(0));
        } else if (changed_.contains(inst.id(0))) {
            const Id from = type_in(*space, source_.type_of(inst.id(0)));
            inst.op = from == inst.type ? Op::OpCopyObject : Op::OpBitcast;
        }
    }

    void rewrite_end(Instruction& terminator, Id function) {
        if (terminator.op != Op::OpReturnValue) return;
        const auto result = results_.find(function);
        terminator.operands[0] =
            result != results_.end() ? specific(terminator.id(0), result->second) : generic(terminator.id(0));
    }

    // ---- Casts behind definitions ----

    void add_casts(const Instruction& value, std::vector<Instruction>& out) {
        if (!value.result) return;
        const auto add = [&](Op op, Id type, Id result) {
            out.push_back(
                {.op = op, .type = type, .result = result, .operands = {value.result}, .line = value.line});
        };
        if (const auto cast = specifics_.find(value.result); cast != specifics_.end())
            add(Op::OpGenericCastToPtr, type_in(*space_of(value.result), value.type), cast->second);
        if (const auto cast = generics_.find(value.result); cast != generics_.end())
            add(Op::OpPtrCastToGeneric, source_.type_of(value.result), cast->second);
    }

    void add_casts(Block& block) {
        std::vector<Instruction> out, of_phis;
        out.reserve(block.body.size());
        for (Instruction& inst : block.body) {
            const bool is_phi = inst.op == Op::OpPhi;
            if (!is_phi && !of_phis.empty()) {
                std::ranges::move(of_phis, std::back_inserter(out));
                of_phis.clear();
            }
            out.push_back(std::move(inst));
            const Instruction made = out.back();
            add_casts(made, is_phi ? of_phis : out);
        }
        std::ranges::move(of_phis, std::back_inserter(out));
        block.body = std::move(out);
    }

    spirv::Module& module_;
    const memory::ModuleConstants constants_ = {};  // all constants are global memory
    const memory::Source source_;                   // the module before this pass
    const memory::PointsTo points_to_;
    Builder builder_;
    const Id opencl_std_;
    const spirv::IdSet named_;
    spirv::IdMap<StorageClass> changed_ = {};  // values that are no longer generic
    spirv::IdMap<StorageClass> results_ = {};  // the same for what functions return
    // of the function that is being rewritten: casts
    spirv::IdMap<Id> specifics_ = {}, generics_ = {};
    std::map<std::pair<Id, StorageClass>, Id> constants_of_ = {};
    std::vector<Instruction> entry_ = {};
};

bool has_generic_pointers(const spirv::Module& module) {
    return std::ranges::any_of(module.globals, [](const Instruction& inst) {
        return inst.op == Op::OpTypePointer && inst.word(0) == static_cast<uint32_t>(StorageClass::Generic);
    });
}

}  // namespace

Result<Done> infer_spaces(spirv::Module& module, PassContext& context) {
    using enum MemoryChecks;
    const bool is_wanted = has(context.options.checks, Guard | Bounds | Alignment | Races | Uninitialised);
    if (is_wanted && has_generic_pointers(module)) SpaceInference(module, context).run();
    return Done{};
}

}  // namespace caldera::vulkan
