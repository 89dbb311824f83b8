// SPDX-License-Identifier: Apache-2.0
// check_accesses: lets kernels access only what is theirs (MemoryChecks). Functions of builtins/check get the
// address and the size of an access, and return the address or that of a spare area, where nothing is harmed.
// So the access itself needs no branch, and its pointer becomes pointer + (returned - address).
//
// The object of a pointer is the kernel's argument or the variable from which it is derived in the same
// function, as Jones and Kelly 1997 have it. All other pointers may point into any object of CheckState.
// Private and local objects are checked where an index is dynamic, and only to report: lower_memory keeps
// each access in its array in any case.
//
// Before: kernels are described; only the program's own functions have bodies, and what passes add later is
// not checked. After: interface.check_sites has the places that are reported.
#include <spirv/unified1/OpenCL.std.h>

#include <algorithm>
#include <optional>

#include "spirv/grammar.h"
#include "spirv/op_class.h"
#include "vulkan/translate/checks/instrument.h"
#include "vulkan/translate/import/printf_calls.h"
#include "vulkan/translate/optimize/promote.h"
#include "vulkan/translate/support/reach.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Function;
using spirv::Id;
using spirv::Instruction;
using spirv::Operand;
using spirv::Operands;
using spv::Op;
using spv::StorageClass;

class AccessChecks {
 public:
    AccessChecks(spirv::Module& module, PassContext& context)
        : module_(module),
          reports_all_(reports(context.options.checks)),
          unreported_(context.variables.unreported),
          opencl_std_(opencl_std_of(module)),
          instrument_(module, context),
          builder_(instrument_.builder()) {}

    Result<Done> run() {
        for (const Function& function : module_.functions)
            if (function.blocks.empty()) declared_.insert(function.id());
        for (Function& function : module_.functions)
            if (!function.blocks.empty()) rewrite(function);
        instrument_.finish();
        return error_.empty() ? Result<Done>(Done{}) : Result<Done>(Error{error_});
    }

 private:
    void rewrite(Function& function) {
        promote_to_values(builder_, function);
        instrument_.rewrite(function, [&](Instruction& inst, std::vector<Instruction>& out) {
            check(inst);
            out.push_back(std::move(inst));
        });
    }

    // ---- Instructions ----

    void check(Instruction& inst) {
        reports_ = reports_all_ && !unreported_.contains(inst.result);
        if (inst.op == Op::OpGroupAsyncCopy) return check_async_copy(inst);
        if (is_long_copy(inst)) return check_long_copy(inst);
        std::vector<Access> accesses = instrument_.accesses().of(inst);
        for (const Access& access : accesses) {
            const Id pointer = inst.id(access.operand);
            if (access.bytes > kCheckAreaBytes && is_global(pointer))
                return decline(inst, "a value of " + std::to_string(access.bytes) + " bytes");
            inst.operands[access.operand] = checked(pointer, access, inst);
        }
        if (!reports_all_) decline_others(inst, accesses);
    }

    /// In a program that must not reach what is not its own, what is not understood is declined.
    void decline_others(const Instruction& inst, const std::vector<Access>& accesses) {
        if (only_moves_pointers(inst.op)) return;
        switch (inst.op) {
            case Op::OpLifetimeStart:
            case Op::OpLifetimeStop:
            case Op::OpVariable: return;
            case Op::OpFunctionCall:
                if (!declared_.contains(inst.id(0))) return;
                break;
            case Op::OpExtInst:
                if (inst.id(0) == opencl_std_ &&
                    (inst.word(1) == OpenCLLIB::Printf || inst.word(1) == OpenCLLIB::Prefetch))
                    return;
                break;
            default: break;
        }
        for (size_t i = 0; i < inst.operands.size(); ++i) {
            if (!inst.operands[i].is_id || !is_global(inst.id(i))) continue;
            const bool is_value = (inst.op == Op::OpStore && i == 1) || (spirv::is_atomic(inst.op) && i > 0);
            const bool is_checked = std::ranges::count(accesses, i, &Access::operand) != 0;
            if (is_value || is_checked || is_of_variable(inst.id(i))) continue;
            return decline(inst, inst.op == Op::OpFunctionCall
                                     ? "the function '" + instrument_.name_of(inst.id(0)) + "'"
                                     : std::string(spirv::op_name(inst.op)));
        }
    }

    void decline(const Instruction& inst, const std::string& what) {
        if (!error_.empty()) return;
        error_ = "accesses of " + what + " cannot be checked";
        if (const std::string place = instrument_.place_of(inst); !place.empty())
            error_ += " (" + place + ")";
    }

    // ---- Copies whose length may be too much for the spare areas ----

    bool is_long_copy(const Instruction& inst) const {
        if (inst.op == Op::OpCopyMemory)
            return instrument_.layout().of(pointee(inst.id(0))).size_bytes > kCheckAreaBytes;
        if (inst.op != Op::OpCopyMemorySized) return false;
        const std::optional<uint64_t> bytes = builder_.constant_value(inst.id(2));
        return !bytes || *bytes > kCheckAreaBytes;
    }

    void check_long_copy(Instruction& inst) {
        if (!is_global(inst.id(0)) && !is_global(inst.id(1))) return;
        Id bytes;
        if (inst.op == Op::OpCopyMemory) {
            const TypeLayout layout = instrument_.layout().of(pointee(inst.id(0)));
            bytes = builder_.constant_u64(layout.size_bytes);
            inst.op = Op::OpCopyMemorySized;
            Operands operands = {inst.id(0), inst.id(1), bytes};
            operands.insert(operands.end(), inst.operands.begin() + 2, inst.operands.end());
            if (operands.size() == 3) {
                operands.push_back(static_cast<uint32_t>(spv::MemoryAccessMask::Aligned));
                operands.push_back(static_cast<uint32_t>(layout.alignment_bytes));
            }
            inst.operands = std::move(operands);
        }
        const Id one = builder_.constant_u64(1);
        for (const size_t side : {0, 1})
            inst.operands[2] = checked_count(inst, inst.id(side), inst.id(2), 1, one, side == 0);
    }

    void check_async_copy(Instruction& inst) {
        constexpr size_t kTo = 1, kFrom = 2, kCount = 3, kStride = 4;
        const uint64_t element = instrument_.layout().of(pointee(inst.id(kTo))).size_bytes;
        const Id one = builder_.constant_int(builder_.type_of(inst.id(kStride)), 1),
                 stride = inst.id(kStride);
        for (const size_t side : {kTo, kFrom}) {
            const bool is_local = instrument_.storage(inst.id(side)) == StorageClass::Workgroup;
            inst.operands[kCount] = checked_count(inst, inst.id(side), inst.id(kCount), element,
                                                  is_local ? one : stride, side == kTo);
        }
    }

    /// The count, or 0 if one of so many elements is outside of all objects.
    Id checked_count(const Instruction& inst, Id pointer, Id count, uint64_t element_bytes, Id stride,
                     bool writes) {
        if (!is_global(pointer)) return count;
        const Id u64 = builder_.type_int(64), type = builder_.type_of(count);
        const Id element = builder_.constant_u32(static_cast<uint32_t>(element_bytes));
        std::vector<Id> values = {instrument_.state()};
        if (reports_) {
            const Access access{.kind = writes ? CheckedAccess::Store : CheckedAccess::Load,
                                .writes = writes};
            values.push_back(instrument_.site(inst, CheckKind::Bounds, access, nullptr));
        }
        for (const Id value :
             {builder_.append(Op::OpConvertPtrToU, u64, {pointer}), element,
              instrument_.widened(count, Op::OpUConvert), instrument_.widened(stride, Op::OpUConvert)})
            values.push_back(value);
        const Id allowed = instrument_.call(
            reports_ ? "_Z11check_countPU3AS1jjmjmm" : "_Z11guard_countPU3AS1jmjmm", u64, values);
        return type == u64 ? allowed : builder_.append(Op::OpUConvert, type, {allowed});
    }

    // ---- One access ----

    /// The pointer for the access.
    Id checked(Id pointer, const Access& access, const Instruction& inst) {
        const ObjectPaths& paths = instrument_.paths();
        const std::optional<ObjectPath> path = paths.path_of(pointer);
        if (path && !access.index && path->terms.empty() && paths.is_inside(*path, access.bytes))
            return pointer;
        if (!is_global(pointer))
            return path && reports_ ? checked_index(pointer, *path, access, inst) : pointer;
        const Id address = instrument_.address_of(pointer, access);
        return instrument_.moved(pointer, address, allowed_address(pointer, address, access, inst));
    }

    Id allowed_address(Id pointer, Id address, const Access& access, const Instruction& inst) {
        const CheckedObject* object = instrument_.object_of(pointer);
        std::vector<Id> values;
        if (reports_ || !object) values.push_back(instrument_.state());
        if (reports_) values.push_back(instrument_.site(inst, CheckKind::Bounds, access, object));
        values.push_back(address);
        values.push_back(builder_.constant_u32(static_cast<uint32_t>(access.bytes)));
        if (object) values.insert(values.end(), {object->begin, object->size});
        values.push_back(instrument_.spare(access.writes));
        const bool is_generic = instrument_.storage(pointer) == StorageClass::Generic;
        const char* const name = reports_     ? object       ? "_Z12check_insidePU3AS1jjmjmmm"
                                                : is_generic ? "_Z13check_genericPU3AS1jjmjm"
                                                             : "_Z9check_anyPU3AS1jjmjm"
                                 : object     ? "_Z12guard_insidemjmmm"
                                 : is_generic ? "_Z13guard_genericPU3AS1jmjm"
                                              : "_Z9guard_anyPU3AS1jmjm";
        return instrument_.call(name, builder_.type_int(64), values);
    }

    /// Where an access chain to a part of a private or local variable has a dynamic index: the last such
    /// chain with an index that the library has checked, and what is derived from it.
    Id checked_index(Id pointer, const ObjectPath& path, const Access& access, const Instruction& inst) {
        if (path.terms.empty() || access.index) return pointer;
        const ObjectPaths& paths = instrument_.paths();
        std::vector<const Instruction*> later;
        const Instruction* chain = paths.def(pointer);
        size_t dynamic = 0;
        for (; chain && chain->op != Op::OpVariable; chain = paths.def(chain->id(0))) {
            dynamic = dynamic_index(*chain);
            if (dynamic != 0) break;
            later.push_back(chain);
        }
        if (!chain || dynamic == 0) return pointer;

        const CheckedObject object{.size = builder_.constant_u64(paths.size_bytes(path)),
                                   .name = instrument_.name_of(path.variable)};
        const Id site =
            instrument_.site(inst, CheckKind::Bounds, access, &object, instrument_.storage(pointer));
        const Id index = instrument_.widened(chain->id(dynamic), Op::OpSConvert),
                 at = instrument_.offset_of(path),
                 bytes = builder_.constant_u32(static_cast<uint32_t>(access.bytes));
        Instruction copy = *chain;
        copy.result = builder_.fresh();
        copy.operands[dynamic] = instrument_.call("_Z11check_indexPU3AS1jjmmjm", builder_.type_int(64),
                                                  {instrument_.state(), site, index, at, bytes, object.size});
        Id result = copy.result;
        builder_.append(std::move(copy));
        for (auto next = later.rbegin(); next != later.rend(); ++next) {
            Instruction derived = **next;
            derived.result = builder_.fresh();
            derived.operands[0] = result;
            result = derived.result;
            builder_.append(std::move(derived));
        }
        return result;
    }

    /// The last operand of an access chain that is an index and no constant, or 0.
    size_t dynamic_index(const Instruction& inst) const {
        if (inst.op == Op::OpBitcast || inst.op == Op::OpPtrCastToGeneric || inst.op == Op::OpCopyObject)
            return 0;
        size_t dynamic = 0;
        for (size_t i = 1; i < inst.operands.size(); ++i)
            if (!builder_.constant_value(inst.id(i))) dynamic = i;
        return dynamic;
    }

    /// Whether the pointer is derived from a variable, which may be of an opaque type.
    bool is_of_variable(Id pointer) const {
        const Id root = instrument_.paths().root_of(pointer).value_or(Id{});
        const Instruction* inst = instrument_.paths().def(root);
        if (!inst) inst = builder_.find_global(root);
        return inst && (inst->op == Op::OpVariable || inst->op == Op::OpConstantNull);
    }

    Id pointee(Id pointer) const { return instrument_.pointee(pointer); }
    bool is_global(Id value) const { return instrument_.is_global(value); }

    spirv::Module& module_;
    const bool reports_all_;
    const spirv::IdSet& unreported_;
    bool reports_ = false;  // of the instruction that is being checked
    const Id opencl_std_;
    Instrument instrument_;
    Builder& builder_;
    spirv::IdSet declared_ = {};
    std::string error_ = {};
};

}  // namespace

Result<Done> check_accesses(spirv::Module& module, PassContext& context) {
    if (!has(context.options.checks, MemoryChecks::Guard | MemoryChecks::Bounds)) return Done{};
    if (context.options.abi != Abi::Addresses) return Error{kNeedsAddresses};
    return AccessChecks(module, context).run();
}

}  // namespace caldera::vulkan
