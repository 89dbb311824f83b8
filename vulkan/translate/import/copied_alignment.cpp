// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/copied_alignment.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "spirv/support/align.h"
#include "vulkan/translate/support/memory_access.h"
#include "vulkan/translate/support/opencl_layout.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;
using spv::Op;

constexpr uint64_t kMost = uint64_t{1} << 31;
constexpr uint32_t kMostDefinitions = 256;  // from a pointer to what it is made of
constexpr uint32_t kTwoMasks = 0x00010400;

class PointerAlignment {
 public:
    explicit PointerAlignment(Module& module) : builder_(module), layout_(builder_) {
        for (const Instruction& inst : module.annotations) {
            if (inst.operands.size() != 3) continue;
            const auto decoration = static_cast<spv::Decoration>(inst.word(1));
            if (inst.op == Op::OpDecorate && decoration == spv::Decoration::Alignment)
                decorated_[inst.id(0)] = inst.word(2);
            if (inst.op == Op::OpDecorateId && decoration == spv::Decoration::AlignmentId)
                decorated_[inst.id(0)] = given(inst.id(2));
        }
        for (const Function& function : module.functions)
            for (const Block& block : function.blocks)
                for (const Instruction& inst : block.body)
                    if (inst.result && builder_.is_pointer(inst.type)) definitions_[inst.result] = &inst;
    }

    /// In bytes. The alignment of the pointee's type where nothing else is known.
    uint64_t of(Id pointer) {
        steps_ = 0;
        entered_ = {};
        return known(pointer);
    }

 private:
    /// By a constant. One that is specialised later may be anything.
    uint32_t given(Id alignment) const {
        const Instruction* constant = builder_.find_global(alignment);
        if (!constant || constant->op != Op::OpConstant) return 1;
        return static_cast<uint32_t>(std::min(builder_.constant_value(alignment).value_or(1), kMost));
    }
    uint64_t natural(Id pointer) const {
        const Id type = builder_.type_of(pointer);
        const auto layout =
            builder_.is_pointer(type) ? layout_.find(builder_.pointee(type)) : std::optional<TypeLayout>();
        return layout ? std::max<uint64_t>(layout->alignment_bytes, 1) : 1;
    }
    const Instruction* definition(Id pointer) const {
        const auto found = definitions_.find(pointer);
        return found == definitions_.end() ? builder_.find_global(pointer) : found->second;
    }
    /// A pointer of which only its types tell something: an argument, or one from memory.
    bool is_open(Id pointer) const {
        if (decorated_.contains(pointer)) return false;
        const Instruction* inst = definition(pointer);
        return !inst || inst->op == Op::OpLoad || inst->op == Op::OpFunctionCall ||
               inst->op == Op::OpConvertUToPtr || inst->op == Op::OpCompositeExtract;
    }

    uint64_t known(Id pointer) {
        if (const auto said = decorated_.find(pointer); said != decorated_.end())
            return std::max<uint64_t>(said->second, 1);
        const Instruction* inst = definition(pointer);
        if (!inst) return natural(pointer);
        if (++steps_ > kMostDefinitions) return 1;
        switch (inst->op) {
            case Op::OpBitcast:
            case Op::OpCopyObject:
            case Op::OpPtrCastToGeneric:
            case Op::OpGenericCastToPtr:
            case Op::OpGenericCastToPtrExplicit:
                if (!builder_.is_pointer(builder_.type_of(inst->id(0)))) return natural(pointer);
                return is_open(inst->id(0)) ? std::max(natural(pointer), known(inst->id(0)))
                                            : known(inst->id(0));
            case Op::OpAccessChain:
            case Op::OpInBoundsAccessChain: return std::min(known(inst->id(0)), step(*inst, 1, false));
            case Op::OpPtrAccessChain:
            case Op::OpInBoundsPtrAccessChain: return std::min(known(inst->id(0)), step(*inst, 1, true));
            case Op::OpSelect: return std::min(known(inst->id(1)), known(inst->id(2)));
            case Op::OpPhi: {
                if (!entered_.insert(pointer)) return kMost;  // what comes into it counts once
                uint64_t least = kMost;
                for (size_t at = 0; at < inst->operands.size(); at += 2)
                    least = std::min(least, known(inst->id(at)));
                return least;
            }
            default: return natural(pointer);
        }
    }

    /// The largest power of two that divides the offset of an access chain.
    uint64_t step(const Instruction& chain, size_t at, bool has_element) const {
        Id type = builder_.pointee(builder_.type_of(chain.id(0)));
        uint64_t bits = kMost;
        for (; at < chain.operands.size(); ++at) {
            const std::optional<uint64_t> index = builder_.constant_value(chain.id(at));
            if (!std::exchange(has_element, false)) {
                if (builder_.op_of_type(type) == Op::OpTypeStruct) {
                    if (!index || *index >= builder_.member_count(type)) return 1;
                    bits |= layout_.member_offset(type, static_cast<uint32_t>(*index));
                    type = builder_.member(type, static_cast<uint32_t>(*index));
                    continue;
                }
                type = builder_.element(type);
            }
            const std::optional<TypeLayout> element = layout_.find(type);
            if (!element) return 1;
            bits |= element->size_bytes * index.value_or(1);
        }
        return power_of_two_in(bits);
    }

    Builder builder_;
    OpenclLayout layout_;
    IdMap<uint32_t> decorated_ = {};
    IdMap<const Instruction*> definitions_ = {};
    IdSet entered_ = {};  // phis
    uint32_t steps_ = 0;
};

}  // namespace

bool mend_copied_alignment(Module& module) {
    if (!module.is_from_llvm()) return false;
    const auto is_copy = [](const Instruction& inst) {
        return inst.op == Op::OpCopyMemory || inst.op == Op::OpCopyMemorySized;
    };
    std::optional<PointerAlignment> alignment;
    bool any = false;
    for (Function& function : module.functions)
        for (Block& block : function.blocks)
            for (Instruction& inst : block.body) {
                if (!is_copy(inst)) continue;
                const AccessOperands said = copy_operands(inst).to;
                constexpr auto kAligned = static_cast<uint32_t>(spv::MemoryAccessMask::Aligned);
                if (said.last != said.first + 2 || said.last != inst.operands.size() ||
                    !(inst.word(said.first) & kAligned))
                    continue;
                if (!alignment) alignment.emplace(module);
                const auto known = static_cast<uint32_t>(std::min(alignment->of(inst.id(1)), kMost));
                if (known >= inst.word(said.first + 1)) continue;
                any = true;
                if (module.version < kTwoMasks) {
                    inst.operands[said.first + 1] = known;
                    continue;
                }
                const Operand mask = inst.operands[said.first];
                inst.operands.push_back(mask);
                inst.operands.push_back(known);
            }
    return any;
}

}  // namespace caldera::vulkan
