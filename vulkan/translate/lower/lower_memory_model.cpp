// SPDX-License-Identifier: Apache-2.0
// lower_memory_model: turns OpMemoryModel, memory operands, scopes and semantics into Vulkan's.
//
// With the Vulkan memory model, every access to memory that others see is NonPrivatePointer: otherwise
// barriers do not order plain accesses. Each release makes available what it releases, and each acquire makes
// visible. Vulkan does not allow sequentially consistent semantics, so a fence and acquire-release replace
// them.
//
// A driver that compiles fences to barriers gets none. There an atomic operation on a word of local memory
// replaces a fence, because the compiler moves nothing over it. Atomic operations that only load or store get
// such a fence on one side, and sequentially consistent ones on both sides. The same replaces a sub-group
// barrier, because such a driver (llvmpipe) runs a sub-group as one thread. Its compiler reuses the value of
// an earlier atomic load whatever is in between, so atomic loads are volatile there. It also fails if a
// compare-exchange compares with the result of a float operation, so that result becomes an integer sum. A
// driver whose compiler moves volatile accesses to local memory past each other gets fences between them.
//
// Before: pointers are Vulkan's, scopes and semantics constants.   After: nothing of OpenCL's memory model
// remains.
#include <algorithm>

#include "spirv/builder.h"
#include "spirv/cooperative_matrix.h"
#include "spirv/op_class.h"
#include "spirv/spirv.h"
#include "spirv/support/check.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/memory_semantics.h"
#include "vulkan/translate/support/opaque.h"
#include "vulkan/translate/support/reach.h"

namespace caldera::vulkan {
namespace {

using spirv::Id;
using spirv::Instruction;
using spirv::Operand;
using spirv::Operands;

constexpr uint32_t bits(spv::MemorySemanticsMask mask) { return static_cast<uint32_t>(mask); }
constexpr uint32_t bits(spv::MemoryAccessMask mask) { return static_cast<uint32_t>(mask); }

constexpr uint32_t kUniformMemory = bits(spv::MemorySemanticsMask::UniformMemory);
constexpr uint32_t kWorkgroup = bits(spv::MemorySemanticsMask::WorkgroupMemory);
constexpr uint32_t kCrossWorkgroup = bits(spv::MemorySemanticsMask::CrossWorkgroupMemory);
constexpr uint32_t kImage = bits(spv::MemorySemanticsMask::ImageMemory);
constexpr uint32_t kMakeAvailable = bits(spv::MemorySemanticsMask::MakeAvailable);
constexpr uint32_t kMakeVisible = bits(spv::MemorySemanticsMask::MakeVisible);
constexpr uint32_t kVolatile = bits(spv::MemorySemanticsMask::Volatile);

/// Semantics that an instruction may have: a load cannot release, a store cannot acquire (SPIR-V 3.52.18).
enum class Ability : uint8_t { Both, AcquireOnly, ReleaseOnly };

class MemoryModel {
 public:
    MemoryModel(spirv::Module& module, const DeviceProfile& profile)
        : module_(module), builder_(module), profile_(profile), vulkan_(profile.vulkan_memory_model) {}

    void run() {
        const bool physical =
            std::any_of(module_.globals.begin(), module_.globals.end(), [](const Instruction& inst) {
                return inst.op == spv::Op::OpTypePointer &&
                       inst.word(0) == static_cast<uint32_t>(spv::StorageClass::PhysicalStorageBuffer);
            });
        module_.memory_model = {.op = spv::Op::OpMemoryModel,
                                .operands = {physical ? spv::AddressingModel::PhysicalStorageBuffer64
                                                      : spv::AddressingModel::Logical,
                                             vulkan_ ? spv::MemoryModel::Vulkan : spv::MemoryModel::GLSL450}};
        std::erase_if(module_.annotations, [](const Instruction& inst) {
            if (inst.op != spv::Op::OpDecorate) return false;
            const auto decoration = static_cast<spv::Decoration>(inst.word(1));
            return decoration == spv::Decoration::Volatile || decoration == spv::Decoration::Coherent;
        });
        share_images();
        has_images_ = std::ranges::any_of(
            module_.globals, [](const Instruction& inst) { return inst.op == spv::Op::OpTypeImage; });
        for (spirv::Function& function : module_.functions) {
            no_groups_ = {};
            std::vector<Instruction> at_entry;
            at_entry_ = &at_entry;
            for (spirv::Block& block : function.blocks) {
                std::vector<Instruction> body;
                body.reserve(block.body.size());
                builder_.set_sink(&body);
                for (Instruction& inst : block.body) rewrite(std::move(inst));
                block.body = std::move(body);
            }
            if (!at_entry.empty()) function.insert_at_entry(std::move(at_entry));
        }
        builder_.set_sink(nullptr);
    }
    bool made_variables() const { return made_variables_; }

 private:
    void rewrite(Instruction inst) {
        switch (inst.op) {
            case spv::Op::OpLoad: access(inst, 1); break;
            case spv::Op::OpStore: access(inst, 2); break;
            case spv::Op::OpImageRead: share_texel(inst, 2); break;
            case spv::Op::OpImageWrite: share_texel(inst, 3); break;
            case spv::Op::OpControlBarrier:
                if (profile_.quirks.fences_are_barriers && is_sub_group_barrier(inst)) return fence();
                control_barrier(inst);
                break;
            case spv::Op::OpMemoryBarrier:
                if (orders_nothing(inst)) return;
                if (profile_.quirks.fences_are_barriers) return fence();
                inst.operands[0] = scope(inst.id(0));
                inst.operands[1] =
                    constant(semantics(value(inst.id(1)), Ability::Both, kUniformMemory | kWorkgroup));
                break;
            default:
                if (inst.op == spirv::kMatrixLoad) access(inst, 3);
                if (inst.op == spirv::kMatrixStore) access(inst, 4);
                if (!spirv::is_atomic(inst.op)) break;
                if (profile_.quirks.fences_are_barriers) return atomic_between_fences(std::move(inst));
                atomic(inst);
                break;
        }
        builder_.append(std::move(inst));
    }

    spv::StorageClass storage(Id pointer) const { return builder_.storage(builder_.type_of(pointer)); }

    bool is_own(Id scope) const { return static_cast<spv::Scope>(value(scope)) == spv::Scope::Invocation; }
    /// A work-item always sees its own accesses.
    bool orders_nothing(const Instruction& fence) const {
        return is_own(fence.id(0)) || (value(fence.id(1)) & kOrders) == 0;
    }

    void access(Instruction& inst, size_t index) {
        order_volatile(inst, index);
        if (!vulkan_) return;
        switch (storage(inst.id(0))) {
            case spv::StorageClass::PhysicalStorageBuffer:
            case spv::StorageClass::StorageBuffer:
            case spv::StorageClass::Workgroup: break;
            default: return;
        }
        if (inst.operands.size() <= index) inst.operands.push_back(0u);
        inst.operands[index] = inst.word(index) | bits(spv::MemoryAccessMask::NonPrivatePointer);
    }

    /// Other work-items may access the texel.
    void share_texel(Instruction& inst, size_t index) const {
        if (!vulkan_) return;
        if (inst.operands.size() <= index) inst.operands.push_back(0u);
        inst.operands[index] =
            inst.word(index) | static_cast<uint32_t>(spv::ImageOperandsMask::NonPrivateTexel);
    }
    /// The same without Vulkan's memory model, which has a decoration for it.
    void share_images() {
        if (vulkan_) return;
        spirv::IdSet only_written;
        for (const Instruction& inst : module_.annotations)
            if (inst.op == spv::Op::OpDecorate &&
                inst.word(1) == static_cast<uint32_t>(spv::Decoration::NonReadable))
                only_written.insert(inst.id(0));
        std::vector<Id> shared;
        for (const Instruction& inst : module_.globals)
            if (inst.op == spv::Op::OpVariable && is_storage_image(builder_.pointee(inst.type)) &&
                !only_written.contains(inst.result))
                shared.push_back(inst.result);
        for (const Id variable : shared) builder_.decorate(variable, spv::Decoration::Coherent);
    }
    bool is_storage_image(Id type) const {
        constexpr size_t kSampled = 5;
        const Instruction* image = builder_.find_global(type);
        return image && image->op == spv::Op::OpTypeImage && image->word(kSampled) == 2;
    }

    /// In programs, the work-items of a sub-group exchange data through volatile accesses to local memory,
    /// without a barrier.
    void order_volatile(const Instruction& inst, size_t index) {
        if (!profile_.quirks.reorders_volatile || storage(inst.id(0)) != spv::StorageClass::Workgroup ||
            inst.operands.size() <= index || !(inst.word(index) & bits(spv::MemoryAccessMask::Volatile)))
            return;
        if (profile_.quirks.fences_are_barriers) return fence();
        builder_.append_void(spv::Op::OpMemoryBarrier,
                             {scope(constant(static_cast<uint32_t>(spv::Scope::Subgroup))),
                              constant(order(kAcquireRelease, Ability::Both) | kWorkgroup)});
    }

    bool is_sub_group_barrier(const Instruction& inst) const {
        return profile_.subgroups && static_cast<spv::Scope>(value(inst.id(0))) == spv::Scope::Subgroup;
    }
    /// SPIR-V guarantees nothing about memory at a barrier without semantics, or with the work-item's scope.
    /// But programs with clang's barrier(0), such as Julia's, rely on what every implementation does.
    void control_barrier(Instruction& inst) {
        inst.operands[0] = constant(
            static_cast<uint32_t>(is_sub_group_barrier(inst) ? spv::Scope::Subgroup : spv::Scope::Workgroup));
        inst.operands[1] = is_own(inst.id(1)) ? inst.operands[0] : spirv::Operand(scope(inst.id(1)));
        const uint32_t orders = value(inst.id(2)) & kOrders;
        inst.operands[2] = constant(semantics(value(inst.id(2)) | (orders ? 0 : kAcquireRelease),
                                              Ability::Both, kUniformMemory | kWorkgroup));
    }

    void atomic(Instruction& inst) {
        const bool stores = inst.op == spv::Op::OpAtomicStore;
        const Ability ability = stores                             ? Ability::ReleaseOnly
                                : inst.op == spv::Op::OpAtomicLoad ? Ability::AcquireOnly
                                                                   : Ability::Both;
        const uint32_t memory =
            storage(inst.id(0)) == spv::StorageClass::Workgroup ? kWorkgroup : kUniformMemory;
        const bool own = is_own(inst.id(1)), sequential = !own && value(inst.id(2)) & kSequential;
        inst.operands[1] = scope(inst.id(1));
        inst.operands[2] = constant(own ? 0 : semantics(value(inst.id(2)), ability, memory));
        if (inst.op == spv::Op::OpAtomicCompareExchange)
            inst.operands[3] = constant(own ? 0 : semantics(value(inst.id(3)), Ability::AcquireOnly, memory));
        if (sequential) {
            const uint32_t fence = order(kSequential, Ability::Both) | memory;
            builder_.append_void(spv::Op::OpMemoryBarrier, {inst.operands[1], constant(fence)});
        }
    }

    void fence() {
        const Id u32 = builder_.type_int(32);
        if (!fence_word_) fence_word_ = builder_.variable(spv::StorageClass::Workgroup, u32);
        made_variables_ = true;
        builder_.append(
            spv::Op::OpAtomicIAdd, u32,
            {fence_word_, constant(static_cast<uint32_t>(spv::Scope::Workgroup)), constant(0), constant(0)});
    }

    void atomic_between_fences(Instruction inst) {
        const bool loads = inst.op == spv::Op::OpAtomicLoad, stores = inst.op == spv::Op::OpAtomicStore;
        const uint32_t orders = order(value(inst.id(2)) & kOrders, Ability::Both);
        const bool sequential = (loads || stores) && (value(inst.id(2)) & kSequential);
        inst.operands[1] = scope(inst.id(1));
        inst.operands[2] = constant(loads && vulkan_ && !is_own(inst.id(1)) ? kVolatile : 0);
        if (inst.op == spv::Op::OpAtomicCompareExchange) {
            inst.operands[3] = constant(0);
            inst.operands[5] = integer_sum(inst.id(5));
        }
        if (sequential || (stores && (orders & (kRelease | kAcquireRelease)))) fence();
        builder_.append(std::move(inst));
        if (sequential || (loads && (orders & (kAcquire | kAcquireRelease)))) fence();
    }

    /// The integer plus 0, which no compiler knows to be that.
    Id integer_sum(Id integer) {
        if (builder_.constant_value(integer)) return integer;
        if (!no_groups_) no_groups_ = no_groups(builder_, *at_entry_);
        made_variables_ = true;
        const Id type = builder_.type_of(integer);
        const Id zero =
            builder_.append(spv::Op::OpSelect, type,
                            {no_groups_, builder_.constant_int(type, 1), builder_.constant_int(type, 0)});
        return builder_.append(spv::Op::OpIAdd, type, {integer, zero});
    }

    /// Scopes beyond the device are the device; without device scope, the queue family is all there is.
    Id scope(Id id) {
        auto scope = static_cast<spv::Scope>(value(id));
        if (scope == spv::Scope::CrossDevice) scope = spv::Scope::Device;
        if (scope == spv::Scope::Subgroup && !profile_.subgroups) scope = spv::Scope::Workgroup;
        if (scope == spv::Scope::Device && vulkan_ && !profile_.vulkan_memory_model_device_scope)
            scope = spv::Scope::QueueFamily;
        return constant(static_cast<uint32_t>(scope));
    }

    uint32_t order(uint32_t order, Ability ability) const {
        if (order & (kSequential | kAcquireRelease)) order = kAcquireRelease;
        if ((order & kAcquire) && (order & kRelease)) order = kAcquireRelease;
        if (ability == Ability::AcquireOnly) order = order & (kAcquireRelease | kAcquire) ? kAcquire : 0;
        if (ability == Ability::ReleaseOnly) order = order & (kAcquireRelease | kRelease) ? kRelease : 0;
        if (!vulkan_) return order;
        if (order & (kRelease | kAcquireRelease)) order |= kMakeAvailable;
        if (order & (kAcquire | kAcquireRelease)) order |= kMakeVisible;
        return order;
    }

    /// `memory` is the memory that is ordered if the source does not specify it.
    uint32_t semantics(uint32_t source, Ability ability, uint32_t memory) const {
        const uint32_t result = order(source & kOrders, ability);
        if (result == 0) return 0;
        uint32_t classes = source & (kUniformMemory | kWorkgroup);
        if (source & (kCrossWorkgroup | kImage))
            classes |= kUniformMemory;  // images lie in memory like all else, if they are not Vulkan's
        if (has_images_) classes |= source & kImage;
        return result | (classes ? classes : memory);
    }

    /// A scope or semantics: lower_memory has made constants of others.
    uint32_t value(Id id) const {
        const std::optional<uint64_t> value = builder_.constant_value(id);
        check(value.has_value(), "a scope or memory semantics is not constant");
        return static_cast<uint32_t>(*value);
    }
    Id constant(uint32_t value) { return builder_.constant_u32(value); }

    spirv::Module& module_;
    spirv::Builder builder_;
    const DeviceProfile& profile_;
    const bool vulkan_;
    Id fence_word_ = {};
    bool made_variables_ = false;
    bool has_images_ = false;  // of Vulkan's
    Id no_groups_ = {};        // of the function, at its entry
    std::vector<Instruction>* at_entry_ = nullptr;
};

}  // namespace

Result<Done> lower_memory_model(spirv::Module& module, PassContext& context) {
    MemoryModel model(module, context.options.profile);
    model.run();
    if (model.made_variables())
        set_entry_point_interfaces(module, spirv::spirv_version(context.options.target) >= 0x00010400);
    return Done{};
}

}  // namespace caldera::vulkan
