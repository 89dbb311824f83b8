// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/memory/source.h"

#include <spirv/unified1/OpenCL.std.h>

#include <algorithm>

#include "spirv/cooperative_matrix.h"
#include "spirv/op_class.h"
#include "spirv/support/check.h"
#include "vulkan/interface.h"
#include "vulkan/translate/support/memory_access.h"

namespace caldera::vulkan::memory {

constexpr uint64_t kMaxAlignment = 1 << 20;  // our front end's too

Source::Source(const spirv::Module& module, const PassVariables& made)
    : made_(made),
      layout_(module),
      globals_(module.globals),
      types_(module.bound),
      defs_(module.bound),
      functions_(module.bound, kNoFunction) {
    for (const Instruction& inst : globals_) {
        define(inst, kNoFunction);
        if (inst.type && holds_address(inst)) expanded_.insert(inst.result);
    }
    for (uint32_t i = 0; i < module.functions.size(); ++i) {
        define(module.functions[i].def, i);
        for (const Instruction& param : module.functions[i].params) {
            define(param, i);
            params_[module.functions[i].id()].push_back(param.result);
        }
        for (const spirv::Block& block : module.functions[i].blocks)
            for (const Instruction& inst : block.body) define(inst, i);
    }
    for (const Instruction& inst : module.annotations) {
        if (inst.op == spv::Op::OpDecorate && inst.operands.size() >= 2 &&
            inst.word(1) == static_cast<uint32_t>(spv::Decoration::Volatile))
            volatile_.insert(inst.id(0));
        if (inst.op == spv::Op::OpDecorate && inst.operands.size() >= 3 &&
            inst.word(1) == static_cast<uint32_t>(spv::Decoration::Alignment))
            alignments_.set(inst.id(0)) = static_cast<uint32_t>(
                std::min(power_of_two_in(inst.word(2)), kMaxAlignment));  // other compilers may ask for more
    }
    for (const Instruction& inst : module.names)
        if (inst.op == spv::Op::OpName) names_.set(inst.id(0)) = spirv::string_at(inst, 1);
    for (const Instruction& inst : module.ext_inst_imports)
        if (spirv::string_at(inst, 0) == "OpenCL.std") opencl_std_ = inst.result;
}

bool Source::holds_address(const Instruction& inst) const {
    if (inst.op != spv::Op::OpConstantComposite && inst.op != spv::Op::OpSpecConstantComposite &&
        inst.op != spv::Op::OpSpecConstantOp)
        return false;
    if (is_memory_pointer(inst.result)) return false;  // Addresses knows it
    return std::any_of(inst.operands.begin(), inst.operands.end(), [&](const Operand& operand) {
        return operand.is_id && (carries_pointer(operand.id()) || is_expanded(operand.id()));
    });
}

Id Source::param(Id function, size_t index) const {
    const auto found = params_.find(function);
    check(found != params_.end() && index < found->second.size(), "no such parameter");
    return found->second[index];
}

void Source::define(const Instruction& inst, uint32_t function) {
    if (!inst.result) return;
    types_.at(inst.result.value) = inst.type;
    defs_[inst.result.value] = &inst;
    functions_[inst.result.value] = function;
}

std::optional<int64_t> Source::constant(Id id) const {
    const Instruction* inst = def(id);
    if (!inst || layout_[inst->type].op != spv::Op::OpTypeInt) return std::nullopt;
    if (inst->op == spv::Op::OpConstantNull) return 0;
    if (inst->op != spv::Op::OpConstant) return std::nullopt;
    const uint32_t width = layout_[inst->type].operands[0].word;
    uint64_t bits = inst->word(0);
    if (inst->operands.size() > 1) bits |= uint64_t{inst->word(1)} << 32;
    const uint32_t unused = 64 - width;
    return static_cast<int64_t>(bits << unused) >> unused;
}

bool Source::is_null(Id value) const {
    const Instruction* inst = def(value);
    return inst && (inst->op == spv::Op::OpConstantNull || inst->op == spv::Op::OpUndef);
}

spv::Op Source::op_of(const Instruction& inst) {
    return inst.op == spv::Op::OpSpecConstantOp ? static_cast<spv::Op>(inst.word(0)) : inst.op;
}
Id Source::id_of(const Instruction& inst, size_t index) {
    index += inst.op == spv::Op::OpSpecConstantOp;
    check(index < inst.operands.size(), "an operand is missing");
    return inst.id(index);
}
size_t Source::operand_count(const Instruction& inst) {
    return inst.operands.size() - (inst.op == spv::Op::OpSpecConstantOp);
}

spv::StorageClass Source::storage(Id pointer) const {
    const TypeInfo& info = type_info(pointer);
    return info.op == spv::Op::OpTypePointer ? info.storage() : spv::StorageClass::Max;
}

MemoryOperands memory_operands(const Instruction& inst, size_t index) {
    MemoryOperands result;
    if (index >= inst.operands.size()) return result;
    result.mask = inst.word(index);
    const auto aligned = static_cast<uint32_t>(spv::MemoryAccessMask::Aligned);
    if ((result.mask & aligned) && index + 1 < inst.operands.size())
        result.align_bytes = static_cast<uint32_t>(power_of_two_in(inst.word(index + 1)));
    return result;
}

std::optional<HalfStore> half_store(const Instruction& inst, const Source& source) {
    if (inst.op != spv::Op::OpExtInst || !source.is_opencl_std(inst.id(0))) return std::nullopt;
    HalfStore store;
    bool has_rounding = true;
    switch (inst.word(1)) {
        case OpenCLLIB::Vstore_half:
        case OpenCLLIB::Vstore_halfn: has_rounding = false; break;
        case OpenCLLIB::Vstorea_halfn:
            store.aligned = true;
            has_rounding = false;
            break;
        case OpenCLLIB::Vstore_half_r:
        case OpenCLLIB::Vstore_halfn_r: break;
        case OpenCLLIB::Vstorea_halfn_r: store.aligned = true; break;
        default: return std::nullopt;
    }
    check(inst.operands.size() >= (has_rounding ? 6u : 5u), "vstore_half with missing operands");
    store.data = inst.id(2);
    store.offset = inst.id(3);
    store.pointer = inst.id(4);
    store.count = source.layout().count(source.type_of(store.data));
    if (has_rounding) store.rounding = static_cast<spv::FPRoundingMode>(inst.word(5));
    return store;
}

void Source::library_access(const Instruction& inst, Accesses& out) const {
    if (const std::optional<HalfStore> store = half_store(inst, *this)) {
        const Id type = layout_.scalar(pointee(store->pointer));
        const uint64_t element = layout_[type].size_bytes;
        const uint64_t padded = store->aligned && store->count == 3 ? 4 : store->count;
        out.push_back({.pointer = store->pointer,
                       .type = type,
                       .align_bytes = static_cast<uint32_t>(store->aligned ? element * padded : element),
                       .index = store->offset,
                       .stride_bytes = element * padded});
        return;
    }
    switch (inst.word(1)) {
        case OpenCLLIB::Fract:
        case OpenCLLIB::Frexp:
        case OpenCLLIB::Modf:
        case OpenCLLIB::Sincos: {
            const Id pointer = inst.id(3);
            out.push_back({.pointer = pointer,
                           .type = pointee(pointer),
                           .align_bytes = static_cast<uint32_t>(layout_[pointee(pointer)].align_bytes)});
            break;
        }
        default: break;
    }
}

/// Vulkan wants pointers and strides to be aligned to 16 bytes, or to a whole row (column) if that is
/// smaller.
AccessInfo Source::matrix_access(const Instruction& inst) const {
    const bool stores = inst.op == spirv::kMatrixStore;
    const Instruction& type = *def(stores ? type_of(inst.id(1)) : inst.type);
    const bool by_rows =
        constant(inst.id(stores ? 2 : 1)) == static_cast<int64_t>(spirv::MatrixLayout::RowMajor);
    const auto count = static_cast<uint64_t>(constant(type.id(by_rows ? 3 : 2)).value_or(1));
    const uint64_t line_bytes = count * layout_[type.id(0)].size_bytes;
    return {.pointer = inst.id(0),
            .align_bytes = static_cast<uint32_t>(power_of_two_in(line_bytes, 16)),
            .is_matrix = true};
}

Accesses Source::accesses(const Instruction& inst) const {
    Accesses out;
    auto natural = [&](Id type) { return static_cast<uint32_t>(layout_[type].align_bytes); };
    auto plain = [&](Id pointer, Id type, size_t operands) {
        if (!is_memory_pointer(pointer)) return;
        const uint32_t said = memory_operands(inst, operands).align_bytes;
        out.push_back({.pointer = pointer, .type = type, .align_bytes = said ? said : natural(type)});
    };
    const auto copied = [&](size_t i) {  // the first memory operand for the target or the source
        const CopyOperands operands = copy_operands(inst);
        return i == 0 ? operands.to.first : operands.from.first;
    };
    switch (inst.op) {
        case spv::Op::OpVariable:  // its initializer is stored where it stands
            if (inst.operands.size() > 1 && storage(inst.result) == spv::StorageClass::Function)
                plain(inst.result, pointee(inst.result), inst.operands.size());
            break;
        case spv::Op::OpLoad: plain(inst.id(0), type_of(inst.result), 1); break;
        case spv::Op::OpStore: plain(inst.id(0), type_of(inst.id(1)), 2); break;
        case spv::Op::OpCopyMemory:
            for (size_t i : {0, 1}) {
                if (!is_memory_pointer(inst.id(i))) continue;
                const Id type = pointee(inst.id(i));
                plain(inst.id(i), type, copied(i));
                if (layout_[type].leaves <= kUnrolledCopies) continue;
                out.back().type = {};
                out.back().raw_bytes = layout_[type].size_bytes;
            }
            break;
        case spv::Op::OpCopyMemorySized:
            for (size_t i : {0, 1}) {
                if (!is_memory_pointer(inst.id(i))) continue;
                const uint32_t said = memory_operands(inst, copied(i)).align_bytes;
                out.push_back({.pointer = inst.id(i),
                               .raw_bytes = static_cast<uint64_t>(constant(inst.id(2)).value_or(0)),
                               .align_bytes = std::max(said, 1u)});
            }
            break;
        case spv::Op::OpExtInst:
            if (is_opencl_std(inst.id(0))) library_access(inst, out);
            break;
        default: {
            if (inst.op == spirv::kMatrixLoad || inst.op == spirv::kMatrixStore) {
                if (is_memory_pointer(inst.id(0))) out.push_back(matrix_access(inst));
                break;
            }
            if (!spirv::is_atomic(inst.op) || !is_memory_pointer(inst.id(0))) break;
            const Id type = pointee(inst.id(0));
            out.push_back(
                {.pointer = inst.id(0), .type = type, .align_bytes = natural(type), .atomic = true});
            break;
        }
    }
    return out;
}

}  // namespace caldera::vulkan::memory
