// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/literal_strings.h"

namespace caldera::vulkan {

using spirv::Id;
using spirv::Instruction;
using spv::Op;

namespace {
constexpr int kMaxSteps = 1000;  // modules are strangers': a pointer may be defined by itself
constexpr int kMaxDimensions = 8;
constexpr size_t kMaxBytes = size_t{1} << 17;  // of a string: an OpString holds twice as much
}  // namespace

void LiteralStrings::enter(const spirv::Function& function) {
    defs_.clear();
    stored_.clear();
    cast_.clear();
    auto store = [&](Id variable, Id value) {
        const auto [known, is_first] = stored_.emplace(uncast(variable), value);
        if (!is_first) known->second = {};
    };
    for (const spirv::Block& block : function.blocks)
        for (const Instruction& inst : block.body) {
            if (inst.result) defs_[inst.result] = &inst;
            if (inst.op == Op::OpBitcast || inst.op == Op::OpCopyObject) {
                cast_[inst.result] = uncast(inst.id(0));
                continue;
            }
            if (inst.op == Op::OpVariable && inst.operands.size() > 1) store(inst.result, inst.id(1));
            if (inst.op == Op::OpStore) store(inst.id(0), inst.id(1));
            // If a variable's address is used otherwise, other code may write to it.
            const bool accesses = inst.op == Op::OpLoad || inst.op == Op::OpStore;
            for (size_t i = accesses ? 1 : 0; i < inst.operands.size(); ++i)
                if (inst.operands[i].is_id) stored_[uncast(inst.id(i))] = {};
        }
}

Id LiteralStrings::uncast(Id pointer) const {
    const auto cast = cast_.find(pointer);
    return cast == cast_.end() ? pointer : cast->second;
}

std::optional<LiteralStrings::Place> LiteralStrings::place(Id pointer) const {
    Place place;
    for (int step = 0; step < kMaxSteps; ++step) {
        const auto found = defs_.find(pointer);
        const Instruction* inst = found != defs_.end() ? found->second : builder_.find_global(pointer);
        if (!inst) return std::nullopt;
        const bool is_constant = inst->op == Op::OpSpecConstantOp;
        const size_t first = is_constant ? 1 : 0;
        switch (is_constant ? static_cast<Op>(inst->word(0)) : inst->op) {
            case Op::OpVariable: place.variable = pointer; return place;
            case Op::OpBitcast:
            case Op::OpCopyObject: break;
            case Op::OpAccessChain:
            case Op::OpInBoundsAccessChain:
            case Op::OpPtrAccessChain:
            case Op::OpInBoundsPtrAccessChain: {
                const std::optional<uint64_t> bytes = offset(*inst, first);
                if (!bytes) return std::nullopt;
                place.offset_bytes += *bytes;
                break;
            }
            case Op::OpLoad: {
                if (place.offset_bytes != 0) return std::nullopt;
                const auto stored = stored_.find(uncast(inst->id(0)));
                const Instruction* from = builder_.find_global(inst->id(0));
                const bool is_constant_pointer =
                    from && from->op == Op::OpVariable && from->operands.size() == 2 &&
                    builder_.storage(from->type) == spv::StorageClass::UniformConstant;
                if (!is_constant_pointer && (stored == stored_.end() || !stored->second)) return std::nullopt;
                pointer = is_constant_pointer ? from->id(1) : stored->second;
                continue;
            }
            default: return std::nullopt;
        }
        pointer = inst->id(first);
    }
    return std::nullopt;
}

/// The size of an integer, or of an array of integers as used for strings and tables of strings.
std::optional<uint64_t> LiteralStrings::size_of(Id type) const {
    uint64_t count = 1;
    for (int i = 0; i < kMaxDimensions && builder_.op_of_type(type) == Op::OpTypeArray; ++i) {
        const std::optional<uint64_t> length = builder_.constant_value(builder_.find_global(type)->id(1));
        if (!length || *length > kMaxBytes || count > kMaxBytes) return std::nullopt;
        count *= *length;
        type = builder_.element(type);
    }
    if (!builder_.is_int(type)) return std::nullopt;
    return count * builder_.width(type) / 8;
}

/// The bytes that an access chain adds; its operands begin at `first`.
std::optional<uint64_t> LiteralStrings::offset(const Instruction& chain, size_t first) const {
    const Op op = first ? static_cast<Op>(chain.word(0)) : chain.op;
    const Id base = builder_.type_of(chain.id(first));
    if (!base || !builder_.is_pointer(base)) return std::nullopt;
    Id type = builder_.pointee(base);
    bool steps_over = op == Op::OpPtrAccessChain || op == Op::OpInBoundsPtrAccessChain;
    uint64_t bytes = 0;
    for (size_t i = first + 1; i < chain.operands.size(); ++i) {
        const std::optional<uint64_t> index = builder_.constant_value(chain.id(i));
        if (!index || *index > kMaxBytes) return std::nullopt;
        if (!steps_over) {
            if (builder_.op_of_type(type) != Op::OpTypeArray) return std::nullopt;
            type = builder_.element(type);
        }
        steps_over = false;
        if (*index == 0) continue;
        const std::optional<uint64_t> size = size_of(type);
        if (!size) return std::nullopt;
        bytes += *index * *size;
    }
    return bytes;
}

/// Appends the bytes of arrays of 8-bit integers; false for anything else.
bool LiteralStrings::read(Id constant, std::string& bytes) const {
    const Instruction* inst = builder_.find_global(constant);
    if (!inst || bytes.size() > kMaxBytes) return false;
    const std::optional<uint64_t> size = size_of(inst->type);
    if (!size || *size > kMaxBytes) return false;
    if (inst->op == Op::OpConstantNull) {
        bytes.append(*size, '\0');
        return true;
    }
    if (inst->op == Op::OpConstant) {
        bytes += static_cast<char>(inst->word(0));
        return *size == 1;
    }
    if (inst->op != Op::OpConstantComposite) return false;
    const spirv::Operands parts = inst->operands;
    for (const spirv::Operand& part : parts)
        if (!read(part.id(), bytes)) return false;
    return true;
}

std::optional<std::string> LiteralStrings::find(Id pointer) const {
    const std::optional<Place> found = place(pointer);
    if (!found) return std::nullopt;
    const Instruction* variable = builder_.find_global(found->variable);
    if (!variable || variable->operands.size() < 2 ||
        builder_.storage(variable->type) != spv::StorageClass::UniformConstant)
        return std::nullopt;
    std::string bytes;
    if (!read(variable->id(1), bytes) || found->offset_bytes > bytes.size()) return std::nullopt;
    bytes.erase(0, found->offset_bytes);
    return bytes.substr(0, bytes.find('\0'));
}

}  // namespace caldera::vulkan
