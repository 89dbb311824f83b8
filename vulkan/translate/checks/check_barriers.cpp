// SPDX-License-Identifier: Apache-2.0
// check_barriers: reports barriers that some work-items of a group do not reach, because they wait at another
// one or have left the kernel (OpenCL C 3.0 6.15.8). The group counts in local memory who has come to its
// n-th barrier, in one of three counters in turn: while one counts, the next may be in use by work-items that
// have gone on, and the third is cleared.
//
// The waiting is not changed: a device that goes on without the missing work-items reports them.
//
// A kernel whose variables leave no local memory for the counters is not looked at, nor are functions that it
// calls.
//
// Before: kernels are described, and functions of groups are instructions. After: the kernels that may wait
// have the counters, each work-item counts its barriers, and interface.check_sites has the barriers.
#include <algorithm>
#include <optional>

#include "spirv/support/align.h"
#include "vulkan/barrier_counters.h"
#include "vulkan/translate/checks/instrument.h"
#include "vulkan/translate/support/reach.h"

namespace caldera::vulkan {
namespace {

using spirv::Function;
using spirv::Id;
using spirv::Instruction;
using spv::Op;
using spv::StorageClass;

constexpr uint64_t kAlignment = 16;  // of large objects in local memory

class BarrierChecks {
 public:
    BarrierChecks(spirv::Module& module, PassContext& context)
        : module_(module),
          most_bytes_(context.options.profile.max_local_bytes),
          instrument_(module, context),
          builder_(instrument_.builder()) {}

    void run() {
        find_functions_without_room();
        for (Function& function : module_.functions) {
            if (function.blocks.empty() || has_no_room_.contains(function.id())) continue;
            instrument_.rewrite(function,
                                [&](Instruction& inst, std::vector<Instruction>& out) { check(inst, out); });
        }
        if (counters_) clear_in_kernels();
        instrument_.finish();
    }

 private:
    void find_functions_without_room() {
        CallGraph graph(module_, true);
        for (const Instruction& entry_point : module_.entry_points) {
            uint64_t bytes = kBarrierWords * sizeof(uint32_t) + kAlignment;
            for (const Id variable : graph.variables(entry_point.id(1)))
                if (instrument_.storage(variable) == StorageClass::Workgroup) {
                    const std::optional<TypeLayout> layout =
                        instrument_.layout().find(instrument_.pointee(variable));
                    bytes += layout ? align_up(layout->size_bytes, kAlignment) : 0;
                }
            if (bytes <= most_bytes_) continue;
            for (const uint32_t function : graph.functions(entry_point.id(1)))
                has_no_room_.insert(module_.functions[function].id());
        }
    }

    void check(Instruction& inst, std::vector<Instruction>& out) {
        const bool waits = is_group_barrier(inst);
        if (!waits && !is_for_whole_group(inst)) return out.push_back(std::move(inst));
        const Id site = instrument_.site(inst, {.kind = CheckKind::Barrier});
        const Id number = builder_.append(Op::OpLoad, builder_.type_int(32), {turn()});
        const Id counters = first_counter(), four = builder_.type_vector(builder_.type_int(64), 4);
        report(site, instrument_.call("_Z12check_arrivejPU3AS3jj", four, {site, counters, number}));
        if (waits)
            out.push_back(std::move(inst));
        else
            wait();
        report(site, instrument_.call("_Z14check_completePU3AS3jj", four, {counters, number}));
        const Id next =
            builder_.append(Op::OpIAdd, builder_.type_int(32), {number, builder_.constant_u32(1)});
        builder_.append_void(Op::OpStore, {turn(), next});
        if (!waits) out.push_back(std::move(inst));
    }

    /// A fault of the library's, which has no size if there is none.
    void report(Id site, Id fault) {
        const auto part = [&](uint32_t index) {
            return builder_.append(Op::OpCompositeExtract, builder_.type_int(64), {fault, index});
        };
        const Id size = part(2);
        const Id is_fault =
            builder_.append(Op::OpINotEqual, builder_.type_bool(), {size, builder_.constant_u64(0)});
        instrument_.report_if(
            is_fault, site,
            {.address = part(0), .begin = part(1), .size = size, .other = part(3), .object_varies = true});
    }

    bool is_of_group(Id scope) const {
        return builder_.constant_value(scope) == static_cast<uint64_t>(spv::Scope::Workgroup);
    }
    bool is_group_barrier(const Instruction& inst) const {
        return inst.op == Op::OpGroupWaitEvents ||
               (inst.op == Op::OpControlBarrier && is_of_group(inst.id(0)));
    }
    /// Instructions that all work-items must reach, though they need not wait there.
    bool is_for_whole_group(const Instruction& inst) const {
        switch (inst.op) {
            case Op::OpGroupAsyncCopy:
            case Op::OpGroupAll:
            case Op::OpGroupAny:
            case Op::OpGroupBroadcast:
            case Op::OpGroupIAdd:
            case Op::OpGroupFAdd:
            case Op::OpGroupFMin:
            case Op::OpGroupUMin:
            case Op::OpGroupSMin:
            case Op::OpGroupFMax:
            case Op::OpGroupUMax:
            case Op::OpGroupSMax: return is_of_group(inst.id(0));
            default: return false;
        }
    }

    void wait() {
        const Id group = builder_.constant_u32(static_cast<uint32_t>(spv::Scope::Workgroup));
        const auto semantics = static_cast<uint32_t>(spv::MemorySemanticsMask::AcquireRelease) |
                               static_cast<uint32_t>(spv::MemorySemanticsMask::WorkgroupMemory);
        builder_.append_void(Op::OpControlBarrier, {group, group, builder_.constant_u32(semantics)});
    }

    /// How many barriers the work-item has reached, where all functions see it.
    Id turn() {
        if (!turn_) {
            turn_ = builder_.variable(StorageClass::Private, builder_.type_int(32), builder_.constant_u32(0));
            builder_.name(turn_, "caldera.barriers");
        }
        return turn_;
    }

    /// A pointer to the counters' first word.
    Id first_counter() {
        const Id u32 = builder_.type_int(32);
        if (!counters_) {
            const Id array = builder_.type_array(u32, builder_.constant_u32(kBarrierWords));
            counters_ = builder_.variable(StorageClass::Workgroup, array);
            builder_.name(counters_, "caldera.arrivals");
        }
        return builder_.append(Op::OpInBoundsAccessChain, builder_.type_pointer(StorageClass::Workgroup, u32),
                               {counters_, builder_.constant_u32(0)});
    }

    void clear_in_kernels() {
        CallGraph graph(module_, true);
        for (const Instruction& entry_point : module_.entry_points) {
            const std::vector<Id> used = graph.variables(entry_point.id(1));
            if (std::ranges::find(used, counters_) == used.end()) continue;
            std::vector<Instruction> entry;
            {
                const spirv::SinkScope sink(builder_, &entry);
                instrument_.call("_Z17check_no_arrivalsPU3AS3j", builder_.type_void(), {first_counter()});
                wait();
            }
            module_.functions[graph.index_of(entry_point.id(1))].insert_at_entry(std::move(entry));
        }
    }

    spirv::Module& module_;
    const uint64_t most_bytes_;  // of local memory
    Instrument instrument_;
    spirv::Builder& builder_;
    spirv::IdSet has_no_room_ = {};
    Id turn_ = {}, counters_ = {};
};

}  // namespace

Result<Done> check_barriers(spirv::Module& module, PassContext& context) {
    if (!has(context.options.checks, MemoryChecks::Barriers)) return Done{};
    if (context.options.abi != Abi::Addresses) return Error{kNeedsAddresses};
    BarrierChecks(module, context).run();
    return Done{};
}

}  // namespace caldera::vulkan
