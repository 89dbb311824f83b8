// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/literal_strings.h"

#include <spirv/unified1/OpenCL.std.h>

#include <algorithm>
#include <vector>

#include "spirv/op_class.h"
#include "spirv/uses.h"

namespace caldera::vulkan {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spv::Op;

namespace {
constexpr int kMaxSteps = 1000;  // modules are strangers': a pointer may be defined by itself
constexpr int kMaxDimensions = 8;
constexpr int kMaxFillings = 8;                // of one array from another
constexpr size_t kMaxBytes = size_t{1} << 17;  // of a string: an OpString holds twice as much
}  // namespace

/// Whether the result is a pointer into the object that the first operand points into.
static bool stays_in_object(Op op) { return spirv::is_access_chain(op) || spirv::casts_pointer(op); }

LiteralStrings::LiteralStrings(const Builder& builder, Id opencl_std)
    : builder_(builder), opencl_std_(opencl_std) {
    for (const Instruction& inst : builder_.module().annotations) {
        if (inst.op == Op::OpDecorate && inst.word(1) == static_cast<uint32_t>(spv::Decoration::Constant))
            constants_.insert(inst.id(0));
        else if (const std::optional<spirv::Linkage> linkage = spirv::linkage_of(inst))
            changed_.insert(linkage->target);  // another module may write to it
    }
    find_changed();
}

/// Finds variables of global and local memory whose address goes where it may be written through.
void LiteralStrings::find_changed() {
    const bool any = std::ranges::any_of(builder_.module().globals, [&](const Instruction& inst) {
        return inst.op == Op::OpVariable && inst.operands.size() > 1 && !constants_.contains(inst.result) &&
               builder_.storage(inst.type) != spv::StorageClass::UniformConstant;
    });
    if (!any) return;
    spirv::IdMap<std::vector<Id>> sources;  // pointer -> those that it is computed from
    std::vector<Id> open;                   // pointers that may be written through
    const auto note = [&](const Instruction& inst, Op op, size_t first) {
        const bool moves = stays_in_object(op) || op == Op::OpSelect || op == Op::OpPhi;
        for (size_t i = first; i < inst.operands.size(); ++i)
            if (inst.operands[i].is_id && moves)
                sources[inst.result].push_back(inst.id(i));
            else if (inst.operands[i].is_id && !only_reads(inst, i))
                open.push_back(inst.id(i));
    };
    for (const Instruction& inst : builder_.module().globals)
        if (inst.op == Op::OpSpecConstantOp)
            note(inst, static_cast<Op>(inst.word(0)), 1);
        else if (inst.op == Op::OpConstantComposite || inst.op == Op::OpVariable)
            note(inst, inst.op, 0);
    for (const spirv::Function& function : builder_.module().functions)
        spirv::for_each_instruction(function, [&](const Instruction& inst) { note(inst, inst.op, 0); });
    while (!open.empty()) {
        const Id pointer = open.back();
        open.pop_back();
        if (!changed_.insert(pointer)) continue;
        if (const auto from = sources.find(pointer); from != sources.end())
            open.insert(open.end(), from->second.begin(), from->second.end());
    }
}

/// Whether the instruction at most reads what its operand points to.
bool LiteralStrings::only_reads(const Instruction& inst, size_t operand) const {
    switch (inst.op) {
        case Op::OpLifetimeStart:
        case Op::OpLifetimeStop:
        case Op::OpLoad: return true;
        case Op::OpCopyMemory:
        case Op::OpCopyMemorySized: return operand == 1;
        case Op::OpExtInst: return inst.id(0) != opencl_std_ || inst.word(1) == OpenCLLIB::Printf;
        default: return false;
    }
}

void LiteralStrings::enter(const spirv::Function& function) {
    defs_.clear();
    stored_.clear();
    cast_.clear();
    root_.clear();
    filled_.clear();
    for (const spirv::Block& block : function.blocks)
        for (const Instruction& inst : block.body) {
            if (inst.result) defs_[inst.result] = &inst;
            if (stays_in_object(inst.op)) root_.emplace(inst.result, root(inst.id(0)));
            note_fillings(inst);
            note_stores(inst);
        }
}

/// What variables that are pointers hold.
void LiteralStrings::note_stores(const Instruction& inst) {
    if (inst.op == Op::OpBitcast || inst.op == Op::OpCopyObject) {
        cast_[inst.result] = uncast(inst.id(0));
        return;
    }
    const auto store = [&](Id variable, Id value) {
        const auto [known, is_first] = stored_.emplace(uncast(variable), value);
        if (!is_first) known->second = {};
    };
    if (inst.op == Op::OpVariable && inst.operands.size() > 1) store(inst.result, inst.id(1));
    if (inst.op == Op::OpStore) store(inst.id(0), inst.id(1));
    // If a variable's address is used otherwise, other code may write to it.
    for (size_t i = inst.op == Op::OpStore ? 1 : 0; i < inst.operands.size(); ++i)
        if (inst.operands[i].is_id && !only_reads(inst, i)) stored_[uncast(inst.id(i))] = {};
}

/// What arrays hold.
void LiteralStrings::note_fillings(const Instruction& inst) {
    size_t seen = 0;  // operands
    switch (inst.op) {
        case Op::OpVariable:
            if (inst.operands.size() > 1) fill(inst.result, {.constant = inst.id(1), .is_known = true});
            return;
        case Op::OpStore:
            fill(inst.id(0), {.constant = inst.id(1), .is_known = !root_.contains(inst.id(0))});
            seen = 1;
            break;
        case Op::OpCopyMemory:
        case Op::OpCopyMemorySized: {
            const std::optional<uint64_t> size = inst.op == Op::OpCopyMemory
                                                     ? size_of(builder_.pointee(builder_.type_of(inst.id(0))))
                                                     : builder_.constant_value(inst.id(2));
            const std::optional<Place> to = place(inst.id(0));
            fill(inst.id(0), {.pointer = inst.id(1),
                              .size_bytes = size.value_or(0),
                              .is_known = size && to && to->offset_bytes == 0});
            seen = 2;
            break;
        }
        default:
            if (stays_in_object(inst.op)) return;
    }
    for (size_t i = seen; i < inst.operands.size(); ++i)
        if (inst.operands[i].is_id && !only_reads(inst, i)) fill(inst.id(i), {});
}

void LiteralStrings::fill(Id pointer, const Filling& filling) {
    const Id object = root(pointer);
    const auto def = defs_.find(object);
    if (def == defs_.end() || def->second->op != Op::OpVariable) return;
    const auto [known, is_first] = filled_.emplace(object, filling);
    if (!is_first) known->second = {};
}

Id LiteralStrings::root(Id pointer) const {
    const auto found = root_.find(pointer);
    return found == root_.end() ? pointer : found->second;
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
            case Op::OpCopyObject:
            case Op::OpPtrCastToGeneric:
            case Op::OpGenericCastToPtr: break;
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
                const bool is_constant_pointer = from && from->op == Op::OpVariable &&
                                                 from->operands.size() == 2 && this->is_constant(*from);
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

/// Whether a variable of the module never changes.
bool LiteralStrings::is_constant(const Instruction& variable) const {
    return builder_.storage(variable.type) == spv::StorageClass::UniformConstant ||
           constants_.contains(variable.result) || !changed_.contains(variable.result);
}

/// The bytes from there to the end of the object.
std::optional<std::string> LiteralStrings::bytes_at(Id pointer, int depth) const {
    const std::optional<Place> found = place(pointer);
    if (!found) return std::nullopt;
    std::optional<std::string> bytes = contents(found->variable, depth);
    if (!bytes || found->offset_bytes > bytes->size()) return std::nullopt;
    bytes->erase(0, found->offset_bytes);
    return bytes;
}

std::optional<std::string> LiteralStrings::contents(Id variable, int depth) const {
    std::string bytes;
    if (const Instruction* global = builder_.find_global(variable)) {
        const bool is_known =
            global->operands.size() > 1 && is_constant(*global) && read(global->id(1), bytes);
        return is_known ? std::optional(std::move(bytes)) : std::nullopt;
    }
    const auto found = filled_.find(variable);
    if (found == filled_.end() || !found->second.is_known || depth == kMaxFillings) return std::nullopt;
    const Filling& filling = found->second;
    if (filling.constant) return read(filling.constant, bytes) ? std::optional(bytes) : std::nullopt;
    const std::optional<uint64_t> size =
        size_of(builder_.pointee(builder_.type_of(variable)));  // all of it is written
    std::optional<std::string> from = bytes_at(filling.pointer, depth + 1);
    if (!from || !size || *size > filling.size_bytes || *size > from->size()) return std::nullopt;
    from->resize(*size);
    return from;
}

std::optional<std::string> LiteralStrings::find(Id pointer) const {
    const std::optional<std::string> bytes = bytes_at(pointer, 0);
    if (!bytes) return std::nullopt;
    return bytes->substr(0, bytes->find('\0'));
}

}  // namespace caldera::vulkan
