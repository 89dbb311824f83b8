// SPDX-License-Identifier: Apache-2.0
// check_alignment: reports accesses whose address is no multiple of what their type asks for (OpenCL C 3.0
// 6.3.5): the alignment that the instruction itself gives, which is that of the element in packed structs and
// for vloadn. An access to global memory gets the address of a spare area then, as check_accesses has it.
// Others are made, as all are where check_accesses follows, which would report that area.
//
// Places in private and local variables are judged by their offset: where that is constant, or a sum of
// multiples, nothing is left to check. That holds for parameters, too, which all calls pass such places.
// Places that multiples are between are aligned or misaligned together. Where one of them is always accessed
// before, an access needs no check of its own, and no report.
//
// Before: as before check_accesses, which must come later: its pointers are sums. After:
// interface.check_sites has the places that are reported.
#include <algorithm>
#include <map>
#include <tuple>

#include "spirv/support/align.h"
#include "spirv/uses.h"
#include "vulkan/translate/checks/calls.h"
#include "vulkan/translate/checks/instrument.h"
#include "vulkan/translate/optimize/promote.h"

namespace caldera::vulkan {
namespace {

using spirv::Function;
using spirv::Id;
using spirv::Instruction;
using spv::Op;
using spv::StorageClass;

class AlignmentChecks {
 public:
    AlignmentChecks(spirv::Module& module, PassContext& context)
        : module_(module),
          leaves_out_(!has(context.options.checks, MemoryChecks::Bounds)),
          unreported_(context.variables.unreported),
          instrument_(module, context),
          builder_(instrument_.builder()) {}

    void run() {
        for (Function& function : module_.functions)
            if (!function.blocks.empty()) promote_to_values(builder_, function);
        find_alignments();
        for (Function& function : module_.functions) {
            if (function.blocks.empty()) continue;
            made_.clear();
            instrument_.rewrite(function, [&](Instruction& inst, std::vector<Instruction>& out) {
                check(inst);
                out.push_back(std::move(inst));
                instrument_.add_result();
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
            const ObjectPath place = instrument_.paths().place_of(pointer);
            if (is_aligned(place, access)) continue;
            const Id is_misaligned = checked(pointer, place, access, inst);
            if (!instrument_.is_global(place.variable) || !leaves_out_) continue;
            inst.operands[access.operand] = allowed(pointer, access, is_misaligned);
            instrument_.replace_result(inst, is_misaligned, true);
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
            const ObjectPath place = instrument_.paths().place_of(pointer);
            if (!is_aligned(place, access)) checked(pointer, place, access, inst);
        }
    }

    // ---- What is known of pointers ----

    /// What variables are multiples of, and parameters of functions that calls alone name: they begin with
    /// the most, and keep what all calls pass.
    void find_alignments() {
        const auto add_variable = [&](const Instruction& inst) {
            if (inst.op != Op::OpVariable || !inst.type) return;
            const auto layout = instrument_.layout().find(instrument_.pointee(inst.result));
            if (!layout) return;
            alignments_[inst.result] =
                instrument_.is_global(inst.result) ? layout->alignment_bytes : kMostAlignment;
        };
        for (const Instruction& inst : module_.globals) add_variable(inst);
        const spirv::IdSet named = named_elsewhere(module_);
        spirv::IdMap<const Function*> callees;
        for (const Function& function : module_.functions) {
            if (function.blocks.empty()) continue;
            for (const Instruction& inst : function.blocks[0].body) add_variable(inst);
            if (named.contains(function.id())) continue;
            callees[function.id()] = &function;
            for (const Instruction& parameter : function.params)
                if (builder_.is_pointer(parameter.type)) alignments_[parameter.result] = kMostAlignment;
        }
        std::vector<std::pair<Id, ObjectPath>> passed;  // for which parameters
        for (const Function& function : module_.functions) {
            const ObjectPaths paths(builder_, instrument_.layout(), function);
            spirv::for_each_instruction(function, [&](const Instruction& call) {
                const auto callee = call.op == Op::OpFunctionCall ? callees.find(call.id(0)) : callees.end();
                if (callee == callees.end()) return;
                size_t at = 0;
                for (const Instruction& parameter : callee->second->params)
                    if (++at; builder_.is_pointer(parameter.type))
                        passed.emplace_back(parameter.result, paths.place_of(call.id(at)));
            });
        }
        for (bool changes = true; changes;) {
            changes = false;
            for (const auto& [parameter, place] : passed) {
                const uint64_t alignment = alignment_of(place);
                if (alignment >= alignments_[parameter]) continue;
                alignments_[parameter] = alignment;
                changes = true;
            }
        }
    }

    /// A power of two that the address is known to be a multiple of.
    uint64_t alignment_of(const ObjectPath& place) const {
        const auto root = alignments_.find(place.variable);
        return root == alignments_.end() ? 1 : common_alignment(place, root->second);
    }
    static uint64_t common_alignment(const ObjectPath& place, uint64_t alignment) {
        uint64_t bits = alignment | static_cast<uint64_t>(place.constant);
        for (const auto& [index, stride] : place.terms) bits |= stride;
        return power_of_two_in(bits);
    }

    /// Whether that is known of every such access.
    bool is_aligned(const ObjectPath& place, const Access& access) const {
        const bool keeps = !access.index || access.stride_bytes % access.alignment_bytes == 0;
        return access.alignment_bytes <= 1 || (keeps && alignment_of(place) >= access.alignment_bytes);
    }

    // ---- Checks ----

    /// Whether the access is misaligned. A new check is reported.
    Id checked(Id pointer, const ObjectPath& place, const Access& access, const Instruction& inst) {
        const uint64_t alignment = access.alignment_bytes,
                       rest = static_cast<uint64_t>(place.constant) % alignment;
        ObjectPath multiples = place;
        multiples.constant = 0;
        const bool keeps = common_alignment(multiples, alignment) == alignment &&
                           (!access.index || access.stride_bytes % alignment == 0);
        if (!keeps) return report(pointer, place, access, inst, {});
        std::vector<Made>& made = made_[{place.variable, alignment, rest}];
        const auto before = std::find_if(made.rbegin(), made.rend(), [&](const Made& check) {
            return instrument_.comes_after(check.block);
        });
        if (before != made.rend()) return before->is_misaligned;
        const Id root = rest == 0 && !is_variable(place) ? place.variable : Id{};
        const Id is_misaligned = report(pointer, place, access, inst, root);
        made.push_back({instrument_.block(), is_misaligned});
        return is_misaligned;
    }

    /// Records that the access is not aligned, wherever it is. `root` is a pointer that is aligned where the
    /// access is, or none.
    Id report(Id pointer, const ObjectPath& place, const Access& access, const Instruction& inst, Id root) {
        const bool is_own = is_variable(place) && !access.index && !instrument_.is_global(place.variable);
        const Id at = is_own ? instrument_.offset_of(place) : instrument_.address_of(pointer, access);
        const Id tested = root && root != pointer ? instrument_.address_of(root, {}) : at;
        const Id is_misaligned = misaligned(tested, access.alignment_bytes);
        FaultDetails details{.address = at};
        CheckedObject own;
        const CheckedObject* object = &own;
        if (is_own) {
            own.name = instrument_.name_of(place.variable);
            details.size = builder_.constant_u64(instrument_.paths().size_bytes(place));
        } else if (instrument_.is_global(place.variable)) {
            object = instrument_.object_of(pointer);
            if (object) details.begin = object->begin, details.size = object->size;
        }
        const StorageClass space = instrument_.storage(is_variable(place) ? place.variable : pointer);
        instrument_.report_if(is_misaligned,
                              instrument_.site(inst, CheckKind::Alignment, access, object, space), details);
        return is_misaligned;
    }
    /// A pointer that calls pass leads to a variable that only they know.
    bool is_variable(const ObjectPath& place) const {
        return instrument_.paths().path_of(place.variable).has_value();
    }

    /// The pointer for an access to global memory.
    Id allowed(Id pointer, const Access& access, Id is_misaligned) {
        const Id address = instrument_.address_of(pointer, access);
        const Id chosen = builder_.append(Op::OpSelect, builder_.type_int(64),
                                          {is_misaligned, instrument_.spare(access.writes), address});
        return instrument_.moved(pointer, address, chosen);
    }

    /// Whether the address is no multiple of a power of two.
    Id misaligned(Id address, uint64_t alignment) {
        const Id u32 = builder_.type_int(32), low = builder_.append(Op::OpUConvert, u32, {address});
        const Id rest = builder_.append(Op::OpBitwiseAnd, u32,
                                        {low, builder_.constant_u32(static_cast<uint32_t>(alignment - 1))});
        return builder_.append(Op::OpINotEqual, builder_.type_bool(), {rest, builder_.constant_u32(0)});
    }

    static constexpr uint64_t kMostAlignment = 128;  // of a type: long16

    struct Made {
        uint32_t block = 0;
        Id is_misaligned = {};
    };

    spirv::Module& module_;
    const bool leaves_out_;  // faulting accesses
    const spirv::IdSet& unreported_;
    Instrument instrument_;
    spirv::Builder& builder_;
    spirv::IdMap<uint64_t> alignments_ = {};  // of variables and parameters: a power of two, in bytes
    // of the function that is being rewritten, by the value from which pointers come, the alignment, and how
    // far they are from multiples of it
    std::map<std::tuple<Id, uint64_t, uint64_t>, std::vector<Made>> made_ = {};
};

}  // namespace

Result<Done> check_alignment(spirv::Module& module, PassContext& context) {
    if (!has(context.options.checks, MemoryChecks::Alignment)) return Done{};
    if (context.options.abi != Abi::Addresses) return Error{kNeedsAddresses};
    AlignmentChecks(module, context).run();
    return Done{};
}

}  // namespace caldera::vulkan
