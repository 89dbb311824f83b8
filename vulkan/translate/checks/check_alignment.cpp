// SPDX-License-Identifier: Apache-2.0
// check_alignment: reports accesses whose address is no multiple of what their type asks for (OpenCL C 3.0
// 6.3.5): the alignment that the instruction itself gives, which is that of the element in packed structs and
// for vloadn. An access to global memory gets the address of a spare area then, as check_accesses has it.
// Others are made, as all are where check_accesses follows, which would report that area.
//
// Places in private and local variables are judged by their offset: where that is constant, or a sum of
// multiples, nothing is left to check.
//
// Before: as before check_accesses, which must come later: its pointers are sums. After:
// interface.check_sites has the places that are reported.
#include <algorithm>

#include "vulkan/translate/checks/instrument.h"
#include "vulkan/translate/optimize/promote.h"

namespace caldera::vulkan {
namespace {

using spirv::Function;
using spirv::Id;
using spirv::Instruction;
using spv::Op;

class AlignmentChecks {
 public:
    AlignmentChecks(spirv::Module& module, PassContext& context)
        : module_(module),
          leaves_out_(!has(context.options.checks, MemoryChecks::Bounds)),
          unreported_(context.variables.unreported),
          instrument_(module, context),
          builder_(instrument_.builder()) {}

    void run() {
        for (Function& function : module_.functions) {
            if (function.blocks.empty()) continue;
            promote_to_values(builder_, function);
            instrument_.rewrite(function, [&](Instruction& inst, std::vector<Instruction>& out) {
                check(inst);
                out.push_back(std::move(inst));
            });
        }
        instrument_.finish();
    }

 private:
    void check(Instruction& inst) {
        if (unreported_.contains(inst.result)) return;
        if (inst.op == Op::OpGroupAsyncCopy) return check_async_copy(inst);
        for (const Access& access : instrument_.accesses().of(inst)) {
            const Id pointer = inst.id(access.operand);
            if (is_aligned(pointer, access)) continue;
            const std::optional<ObjectPath> path = instrument_.paths().path_of(pointer);
            if (instrument_.is_global(path ? path->variable : pointer))
                inst.operands[access.operand] = checked(pointer, access, inst);
            else
                report(pointer, access, inst);
        }
    }

    /// The copy is made: its elements have their own alignment on the device.
    void check_async_copy(const Instruction& inst) {
        constexpr size_t kTo = 1, kFrom = 2;
        for (const size_t side : {kTo, kFrom}) {
            const Id pointer = inst.id(side);
            const uint64_t alignment = instrument_.layout().of(instrument_.pointee(pointer)).alignment_bytes;
            const Access access{
                .alignment_bytes = alignment, .kind = CheckedAccess::Copy, .writes = side == kTo};
            if (!is_aligned(pointer, access)) report(pointer, access, inst);
        }
    }

    /// Whether that is known of every such access.
    bool is_aligned(Id pointer, const Access& access) const {
        if (access.alignment_bytes <= 1) return true;
        const std::optional<ObjectPath> path = instrument_.paths().path_of(pointer);
        if (!path || access.index) return false;
        const uint64_t alignment = access.alignment_bytes;
        if (instrument_.is_global(path->variable) &&
            instrument_.layout().of(instrument_.pointee(path->variable)).alignment_bytes < alignment)
            return false;
        return static_cast<uint64_t>(path->constant) % alignment == 0 &&
               std::ranges::all_of(path->terms,
                                   [&](const auto& term) { return term.second % alignment == 0; });
    }

    /// The pointer for the access.
    Id checked(Id pointer, const Access& access, const Instruction& inst) {
        const CheckedObject* object = instrument_.object_of(pointer);
        const Id address = instrument_.address_of(pointer, access),
                 is_misaligned = misaligned(address, access.alignment_bytes);
        FaultDetails details{.address = address};
        if (object) {
            details.begin = object->begin;
            details.size = object->size;
        }
        instrument_.report_if(is_misaligned, instrument_.site(inst, CheckKind::Alignment, access, object),
                              details);
        if (!leaves_out_) return pointer;
        const Id allowed = builder_.append(Op::OpSelect, builder_.type_int(64),
                                           {is_misaligned, instrument_.spare(access.writes), address});
        return instrument_.moved(pointer, address, allowed);
    }

    /// Records that the access is not aligned, wherever it is.
    void report(Id pointer, const Access& access, const Instruction& inst) {
        const std::optional<ObjectPath> path = instrument_.paths().path_of(pointer);
        const bool is_in_variable = path && !access.index && !instrument_.is_global(path->variable);
        CheckedObject object;
        if (is_in_variable) object.name = instrument_.name_of(path->variable);
        const Id at = is_in_variable ? instrument_.offset_of(*path) : instrument_.address_of(pointer, access);
        const Id size = builder_.constant_u64(is_in_variable ? instrument_.paths().size_bytes(*path) : 0);
        const Id site = instrument_.site(inst, CheckKind::Alignment, access, &object,
                                         instrument_.storage(path ? path->variable : pointer));
        instrument_.report_if(misaligned(at, access.alignment_bytes), site, {.address = at, .size = size});
    }

    /// Whether the address is no multiple of a power of two.
    Id misaligned(Id address, uint64_t alignment) {
        const Id u32 = builder_.type_int(32), low = builder_.append(Op::OpUConvert, u32, {address});
        const Id rest = builder_.append(Op::OpBitwiseAnd, u32,
                                        {low, builder_.constant_u32(static_cast<uint32_t>(alignment - 1))});
        return builder_.append(Op::OpINotEqual, builder_.type_bool(), {rest, builder_.constant_u32(0)});
    }

    spirv::Module& module_;
    const bool leaves_out_;  // faulting accesses
    const spirv::IdSet& unreported_;
    Instrument instrument_;
    spirv::Builder& builder_;
};

}  // namespace

Result<Done> check_alignment(spirv::Module& module, PassContext& context) {
    if (!has(context.options.checks, MemoryChecks::Alignment)) return Done{};
    if (context.options.abi != Abi::Addresses) return Error{kNeedsAddresses};
    AlignmentChecks(module, context).run();
    return Done{};
}

}  // namespace caldera::vulkan
