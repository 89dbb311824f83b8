// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/memory/address.h"

#include <algorithm>

#include "spirv/support/check.h"

namespace caldera::vulkan::memory {
namespace {

constexpr size_t kMaxTerms = 8;  // longer formulas cost more than they save

/// For is_unsigned().
class UnsignedSearch {
 public:
    explicit UnsignedSearch(const Source& source) : source_(source) {}

    bool has(Id value) {
        if (const std::optional<int64_t> number = source_.constant(value)) return *number >= 0;
        const Instruction* def = source_.def(value);
        if (!def || left_ == 0) return false;
        --left_;
        if (def->op == spv::Op::OpUConvert) return width(value) > width(def->id(0));
        if (width(value) != 64) return false;
        switch (def->op) {
            case spv::Op::OpIAdd:
            case spv::Op::OpIMul:
            case spv::Op::OpBitwiseOr:
            case spv::Op::OpBitwiseXor: return has(def->id(0)) && has(def->id(1));
            case spv::Op::OpUDiv:
            case spv::Op::OpUMod:
            case spv::Op::OpShiftLeftLogical:
            case spv::Op::OpShiftRightLogical: return has(def->id(0));
            case spv::Op::OpBitwiseAnd: return has(def->id(0)) || has(def->id(1));
            case spv::Op::OpSelect: return has(def->id(1)) && has(def->id(2));
            case spv::Op::OpCompositeExtract: return is_id(def->id(0));
            case spv::Op::OpPhi: return has_all(*def);
            default: return false;
        }
    }

 private:
    uint32_t width(Id value) const {
        return source_.type_info(value).op == spv::Op::OpTypeInt ? source_.type_info(value).operands[0].word
                                                                 : 0;
    }
    /// Whether a value is a vector of ids or sizes, of which OpenCL C makes a size_t.
    bool is_id(Id value) const {
        const Instruction* load = source_.def(value);
        return load && load->op == spv::Op::OpLoad &&
               source_.storage(load->id(0)) == spv::StorageClass::Input;
    }
    /// A loop's counter is its start and sums: the counter itself may be taken for unsigned.
    bool has_all(const Instruction& phi) {
        if (std::ranges::find(phis_, phi.result) != phis_.end()) return true;
        phis_.push_back(phi.result);
        for (size_t i = 0; i < phi.operands.size(); i += 2)
            if (!has(phi.id(i))) return false;
        return true;
    }

    const Source& source_;
    uint32_t left_ = 64;  // instructions to look at
    std::vector<Id> phis_ = {};
};

}  // namespace

bool is_unsigned(Id index, const Source& source) { return UnsignedSearch(source).has(index); }

void Address::add(Id index, uint64_t stride_bytes, const Source& source) {
    if (const std::optional<int64_t> value = source.constant(index))
        add(static_cast<int64_t>(static_cast<uint64_t>(*value) * stride_bytes));
    else if (stride_bytes != 0)
        terms.push_back({index, stride_bytes});
}

uint64_t Address::alignment_bytes() const {
    uint64_t alignment = power_of_two_in(static_cast<uint64_t>(constant));
    for (const Term& term : terms) alignment = std::min(alignment, power_of_two_in(term.stride_bytes));
    return alignment;
}

Address chain_step(const Instruction& inst, const Source& source) {
    const Layout& layout = source.layout();
    const spv::Op op = Source::op_of(inst);
    Address step{.root = Source::id_of(inst, 0)};
    step.in_bounds = op == spv::Op::OpInBoundsPtrAccessChain || op == spv::Op::OpInBoundsAccessChain;
    Id type = source.pointee(step.root);
    size_t next = 1;
    if (op == spv::Op::OpPtrAccessChain || op == spv::Op::OpInBoundsPtrAccessChain)
        step.add(Source::id_of(inst, next++), layout[type].size_bytes, source);
    for (; next < Source::operand_count(inst); ++next) {
        const Id index = Source::id_of(inst, next);
        const TypeInfo& info = layout[type];
        if (info.op == spv::Op::OpTypeStruct) {
            const std::optional<int64_t> member = source.constant(index);
            check(member && *member >= 0 && static_cast<uint64_t>(*member) < info.offsets.size(),
                  "access chain with a bad member index");
            step.add(static_cast<int64_t>(info.offsets[static_cast<size_t>(*member)]));
            type = info.operands[static_cast<size_t>(*member)].id();
        } else {
            check(info.op == spv::Op::OpTypeArray || info.op == spv::Op::OpTypeVector,
                  "access chain into a type without elements");
            type = info.element();
            step.add(index, layout[type].size_bytes, source);
        }
    }
    return step;
}

Addresses::Addresses(const spirv::Module& module, const Source& source, const PointsTo& points_to)
    : source_(source), points_to_(points_to) {
    for (const Instruction& inst : source.globals()) visit(inst);
    for (const spirv::Function& function : module.functions)
        for (const spirv::Block& block : function.blocks)
            for (const Instruction& inst : block.body) visit(inst);
}

Address Addresses::of(Id pointer) const {
    const auto found = addresses_.find(pointer);
    return found != addresses_.end() ? found->second : Address{.root = pointer};
}

void Addresses::visit(const Instruction& inst) {
    if (!inst.result || !source_.is_memory_pointer(inst.result)) return;
    switch (Source::op_of(inst)) {
        case spv::Op::OpPtrAccessChain:
        case spv::Op::OpInBoundsPtrAccessChain:
        case spv::Op::OpAccessChain:
        case spv::Op::OpInBoundsAccessChain: {
            const Address step = chain_step(inst, source_);
            Address sum = of(step.root);
            if (sum.terms.size() + step.terms.size() > kMaxTerms) return;
            sum.add(step.constant);
            sum.in_bounds &= step.in_bounds || step.terms.empty();
            sum.terms.insert(sum.terms.end(), step.terms.begin(), step.terms.end());
            addresses_[inst.result] = std::move(sum);
            break;
        }
        case spv::Op::OpBitcast:
        case spv::Op::OpCopyObject:
        case spv::Op::OpPtrCastToGeneric:
        case spv::Op::OpGenericCastToPtr:
        case spv::Op::OpGenericCastToPtrExplicit: {
            const Id from = Source::id_of(inst, 0);
            if (source_.is_memory_pointer(from) &&
                points_to_.space_of(from) == points_to_.space_of(inst.result))
                addresses_[inst.result] = of(from);
            break;
        }
        default: break;
    }
}

}  // namespace caldera::vulkan::memory
