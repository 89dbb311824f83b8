// SPDX-License-Identifier: Apache-2.0
#include "spirv/builder.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "spirv/cooperative_matrix.h"
#include "spirv/support/check.h"

namespace caldera::spirv {
namespace {

/// Modules of other compilers have integers of any width until they are widened or declined.
uint64_t low_bits(uint64_t value, uint32_t count) {
    return count >= 64 ? value : value & ((uint64_t{1} << count) - 1);
}

uint32_t hash_of(spv::Op op, Id type, std::span<const Operand> operands) {
    uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a over words
    auto mix = [&](uint32_t word) { hash = (hash ^ word) * 0x100000001b3u; };
    mix(static_cast<uint32_t>(op));
    mix(type.value);
    for (const Operand& operand : operands) mix(operand.word);
    return static_cast<uint32_t>(hash ^ hash >> 32);
}

/// Types and constants that SPIR-V, or Caldera, requires to be unique. Structs and arrays of other producers
/// may have decorations that distinguish equal ones, so the builder never reuses those.
bool is_unique_op(spv::Op op) {
    if (op == kTypeMatrix) return true;
    switch (op) {
        case spv::Op::OpTypeVoid:
        case spv::Op::OpTypeBool:
        case spv::Op::OpTypeInt:
        case spv::Op::OpTypeFloat:
        case spv::Op::OpTypeVector:
        case spv::Op::OpTypePointer:
        case spv::Op::OpTypeFunction:
        case spv::Op::OpTypeImage:
        case spv::Op::OpTypeSampler:
        case spv::Op::OpTypeSampledImage:
        case spv::Op::OpTypeEvent:
        case spv::Op::OpTypeDeviceEvent:
        case spv::Op::OpTypeReserveId:
        case spv::Op::OpTypeQueue:
        case spv::Op::OpTypePipe:
        case spv::Op::OpTypeOpaque:
        case spv::Op::OpConstantTrue:
        case spv::Op::OpConstantFalse:
        case spv::Op::OpConstant:
        case spv::Op::OpConstantComposite:
        case spv::Op::OpConstantNull:
        case spv::Op::OpUndef: return true;
        default: return false;
    }
}

}  // namespace

Builder::Builder(Module& module)
    : module_(module), global_index_(module.bound, kNoGlobal), type_of_(module.bound) {
    for (uint32_t i = 0; i < module_.globals.size(); ++i) {
        const Instruction& inst = module_.globals[i];
        record(inst);
        if (!inst.result) continue;
        if (global_index_.size() <= inst.result.value) global_index_.resize(inst.result.value + 1, kNoGlobal);
        global_index_[inst.result.value] = i;
        if (!is_unique_op(inst.op)) continue;
        // A module may have a constant many times. The first stands for all.
        const uint32_t hash = hash_of(inst.op, inst.type, inst.operands);
        if (!find_unique(hash, inst.op, inst.type, inst.operands)) add_unique(hash, i);
    }
    for (const Function& function : module_.functions) {
        record(function.def);
        for (const Instruction& param : function.params) record(param);
        for (const Block& block : function.blocks)
            for (const Instruction& inst : block.body) record(inst);
    }
}

void Builder::grow_types(Id id) {
    type_of_.resize(std::max<size_t>(id.value + 1, std::max<size_t>(module_.bound, type_of_.size() * 3 / 2)));
}

Id Builder::global(spv::Op op, Id type, Operands operands) {
    return global({.op = op, .type = type, .result = fresh(), .operands = std::move(operands)});
}

Id Builder::global(Instruction inst) {
    const Id id = inst.result;
    record(inst);
    if (global_index_.size() <= id.value)
        global_index_.resize(std::max<size_t>(id.value + 1, global_index_.size() * 3 / 2), kNoGlobal);
    global_index_[id.value] = static_cast<uint32_t>(module_.globals.size());
    module_.globals.push_back(std::move(inst));
    return id;
}

const Instruction* Builder::find_unique(uint32_t hash, spv::Op op, Id type, const Operands& operands) const {
    const size_t mask = unique_slots_.size() - 1;
    for (size_t at = hash & mask; !unique_slots_.empty() && unique_slots_[at].global != kNoGlobal;
         at = (at + 1) & mask) {
        if (unique_slots_[at].hash != hash) continue;
        const Instruction& found = module_.globals[unique_slots_[at].global];
        if (found.op == op && found.type == type && found.operands == operands) return &found;
    }
    return nullptr;
}

Id Builder::unique(spv::Op op, Id type, Operands operands) {
    const uint32_t hash = hash_of(op, type, operands);
    if (const Instruction* found = find_unique(hash, op, type, operands)) return found->result;
    add_unique(hash, static_cast<uint32_t>(module_.globals.size()));
    return global(op, type, std::move(operands));
}

void Builder::add_unique(uint32_t hash, uint32_t global) {
    auto put = [&](UniqueSlot slot) {
        size_t at = slot.hash & (unique_slots_.size() - 1);
        while (unique_slots_[at].global != kNoGlobal) at = (at + 1) & (unique_slots_.size() - 1);
        unique_slots_[at] = slot;
    };
    if (2 * (++unique_count_) > unique_slots_.size()) {
        const std::vector<UniqueSlot> old = std::move(unique_slots_);
        unique_slots_.assign(std::max<size_t>(64, 2 * old.size()), {});
        for (const UniqueSlot& slot : old)
            if (slot.global != kNoGlobal) put(slot);
    }
    put({hash, global});
}

// ---- Types ----

Id Builder::type_void() { return unique(spv::Op::OpTypeVoid, {}, {}); }
Id Builder::type_bool() { return unique(spv::Op::OpTypeBool, {}, {}); }
Id Builder::type_int(uint32_t width) { return unique(spv::Op::OpTypeInt, {}, {width, 0u}); }
Id Builder::type_float(uint32_t width) { return unique(spv::Op::OpTypeFloat, {}, {width}); }
Id Builder::type_vector(Id element, uint32_t count) {
    return unique(spv::Op::OpTypeVector, {}, {element, count});
}
// Arrays and structs are unique among those that the builder made: see is_unique_op.
Id Builder::type_array(Id element, Id length) { return unique(spv::Op::OpTypeArray, {}, {element, length}); }
Id Builder::type_array(Id element, uint32_t length) { return type_array(element, constant_u32(length)); }
Id Builder::type_struct(std::span<const Id> members) {
    return unique(spv::Op::OpTypeStruct, {}, {members.begin(), members.end()});
}
Id Builder::type_struct_distinct(std::span<const Id> members) {
    return global(spv::Op::OpTypeStruct, {}, {members.begin(), members.end()});
}
Id Builder::type_pointer(spv::StorageClass storage, Id pointee) {
    return unique(spv::Op::OpTypePointer, {}, {storage, pointee});
}
Id Builder::forward_pointer(spv::StorageClass storage) {
    const Id id = fresh();
    module_.globals.push_back({.op = spv::Op::OpTypeForwardPointer, .operands = {id, storage}});
    return id;
}
void Builder::define_pointer(Id forward, spv::StorageClass storage, Id pointee) {
    Instruction inst{.op = spv::Op::OpTypePointer, .result = forward, .operands = {storage, pointee}};
    add_unique(hash_of(inst.op, {}, inst.operands), static_cast<uint32_t>(module_.globals.size()));
    global(std::move(inst));
}
Id Builder::type_opaque(std::string_view name) {
    Operands operands;
    append_string(operands, name);
    return unique(spv::Op::OpTypeOpaque, {}, std::move(operands));
}
Id Builder::type_function(Id result, std::span<const Id> params) {
    Operands operands = {result};
    operands.insert(operands.end(), params.begin(), params.end());
    return unique(spv::Op::OpTypeFunction, {}, std::move(operands));
}
Id Builder::type(spv::Op op, Operands operands) { return unique(op, {}, std::move(operands)); }

// ---- Constants ----

Id Builder::constant_bool(bool value) {
    return unique(value ? spv::Op::OpConstantTrue : spv::Op::OpConstantFalse, type_bool(), {});
}

Id Builder::constant_int(Id type, uint64_t value) {
    const uint32_t bits = width(type);
    // Narrow literals with signedness 0 are zero-extended (SPIR-V 2.2.1).
    const uint64_t literal = low_bits(value, bits);
    if (bits <= 32) return unique(spv::Op::OpConstant, type, {static_cast<uint32_t>(literal)});
    // Wider types are declined. A stranger's may have more words than any instruction.
    return unique(spv::Op::OpConstant, type,
                  {static_cast<uint32_t>(literal), static_cast<uint32_t>(literal >> 32)});
}

Id Builder::constant_float_bits(Id type, uint64_t bits) {
    if (width(type) == 64)
        return unique(spv::Op::OpConstant, type,
                      {static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32)});
    return unique(spv::Op::OpConstant, type, {static_cast<uint32_t>(bits)});
}
Id Builder::constant_f32(float value) {
    return constant_float_bits(type_float(32), std::bit_cast<uint32_t>(value));
}
Id Builder::constant_f64(double value) {
    return constant_float_bits(type_float(64), std::bit_cast<uint64_t>(value));
}

Id Builder::constant_composite(Id type, std::span<const Id> parts) {
    // A value that contains an address computed by OpSpecConstantOp is a specialisation constant, too (SPIR-V
    // 3.52.7).
    const bool specialized = std::ranges::any_of(parts, [&](Id part) {
        const Instruction* constant = find_global(part);
        return constant != nullptr && constant->op >= spv::Op::OpSpecConstantTrue &&
               constant->op <= spv::Op::OpSpecConstantOp;
    });
    return unique(specialized ? spv::Op::OpSpecConstantComposite : spv::Op::OpConstantComposite, type,
                  {parts.begin(), parts.end()});
}
Id Builder::constant_splat(Id vector_type, Id scalar) {
    const uint32_t n = count(vector_type);
    if (n == 1) return scalar;
    return constant_composite(vector_type, std::vector<Id>(n, scalar));
}
Id Builder::constant_null(Id type) {
    if (is_int(type)) return constant_int(type, 0);
    if (is_float(type)) return constant_float_bits(type, 0);
    if (is_bool(type)) return constant_bool(false);
    return unique(spv::Op::OpConstantNull, type, {});
}
Id Builder::changed_constant(Id type, Id value,
                             const std::function<std::optional<uint64_t>(uint64_t bits)>& change) {
    const Instruction* constant = find_global(value);
    if (!constant) return {};
    const auto number = [&](Id scalar, uint64_t bits) -> Id {
        const std::optional<uint64_t> changed = change(bits);
        if (!changed) return {};
        return is_float(scalar) ? constant_float_bits(scalar, *changed) : constant_int(scalar, *changed);
    };
    switch (constant->op) {
        case spv::Op::OpConstant: {
            const uint32_t bits = width(constant->type);
            return bits <= 64 ? number(type, low_bits(number_at(*constant), bits)) : Id{};
        }
        case spv::Op::OpConstantNull: {
            const Id component = number(element(type), 0);
            if (!component || component == constant_null(element(type)))
                return component ? constant_null(type) : Id{};
            return constant_splat(type, component);
        }
        case spv::Op::OpConstantComposite: {
            if (!is_vector(type)) return {};
            const Operands components = constant->operands;  // a copy: new constants move the old
            std::vector<Id> parts;
            for (const Operand& component : components) {
                const Instruction* part = find_global(component.id());
                const bool is_any = part != nullptr && part->op == spv::Op::OpUndef;
                parts.push_back(is_any ? number(element(type), 0)
                                       : changed_constant(element(type), component.id(), change));
                if (!parts.back()) return {};
            }
            return constant_composite(type, parts);
        }
        default: return {};
    }
}
Id Builder::constant_component(Id vector, uint32_t at) {
    const Instruction* constant = find_global(vector);
    if (constant == nullptr || !is_vector(constant->type)) return {};
    if (constant->op == spv::Op::OpConstantComposite) return constant->id(at);
    return constant->op == spv::Op::OpConstantNull ? constant_null(element(constant->type)) : Id{};
}

Id Builder::undef(Id type) { return unique(spv::Op::OpUndef, type, {}); }

Id Builder::spec_constant_u32(uint32_t spec_id, uint32_t default_value) {
    const Id id = global(spv::Op::OpSpecConstant, type_int(32), {default_value});
    decorate(id, spv::Decoration::SpecId, {spec_id});
    return id;
}

Id Builder::spec_constant_true(uint32_t spec_id) {
    const Id id = global(spv::Op::OpSpecConstantTrue, type_bool(), {});
    decorate(id, spv::Decoration::SpecId, {spec_id});
    return id;
}

Id Builder::variable(spv::StorageClass storage, Id pointee, Id initializer) {
    Operands operands = {storage};
    if (initializer) operands.push_back(initializer);
    return global(spv::Op::OpVariable, type_pointer(storage, pointee), std::move(operands));
}

// ---- Queries ----

namespace {
const Instruction& expect(const Instruction* inst, spv::Op op, const char* what) {
    check(inst && inst->op == op, what);
    return *inst;
}
}  // namespace

uint32_t Builder::width(Id type) const {
    const Instruction* inst = find_global(element(type));
    if (inst && inst->op == kTypeMatrix) inst = find_global(inst->id(0));
    check(inst && (inst->op == spv::Op::OpTypeInt || inst->op == spv::Op::OpTypeFloat),
          "width of a type without one");
    return inst->word(0);
}
uint32_t Builder::count(Id type) const {
    const Instruction* inst = find_global(type);
    return inst && inst->op == spv::Op::OpTypeVector ? inst->word(1) : 1;
}
Id Builder::element(Id type) const {
    const Instruction* inst = find_global(type);
    check(inst != nullptr, "element of no type");
    const bool has_element = inst->op == spv::Op::OpTypeVector || inst->op == spv::Op::OpTypeArray ||
                             inst->op == spv::Op::OpTypeRuntimeArray;
    return has_element ? inst->id(0) : type;
}
Id Builder::member(Id struct_type, uint32_t index) const {
    const Instruction& inst = expect(find_global(struct_type), spv::Op::OpTypeStruct, "member of no struct");
    check(index < inst.operands.size(), "member index out of range");
    return inst.id(index);
}
uint32_t Builder::member_count(Id struct_type) const {
    return static_cast<uint32_t>(
        expect(find_global(struct_type), spv::Op::OpTypeStruct, "members of no struct").operands.size());
}
uint64_t Builder::array_length(Id array_type) const {
    const Id length = expect(find_global(array_type), spv::Op::OpTypeArray, "length of no array").id(1);
    const std::optional<uint64_t> value = constant_value(length);
    check(value.has_value(), "array length is not a constant");
    return *value;
}
Id Builder::pointee(Id pointer_type) const {
    return expect(find_global(pointer_type), spv::Op::OpTypePointer, "pointee of no pointer").id(1);
}
spv::StorageClass Builder::storage(Id pointer_type) const {
    return static_cast<spv::StorageClass>(
        expect(find_global(pointer_type), spv::Op::OpTypePointer, "storage class of no pointer").word(0));
}
Id Builder::with_count(Id type, uint32_t n) {
    const Id scalar = is_vector(type) ? element(type) : type;
    return n == 1 ? scalar : type_vector(scalar, n);
}
Id Builder::with_element(Id type, Id scalar) { return with_count(scalar, count(type)); }

std::optional<uint64_t> Builder::constant_value(Id id) const {
    const Instruction* inst = find_global(id);
    if (!inst) return std::nullopt;
    switch (inst->op) {
        case spv::Op::OpConstantTrue: return 1;
        case spv::Op::OpConstantFalse: return 0;
        case spv::Op::OpConstantNull:
            if (is_int(inst->type) || is_bool(inst->type)) return 0;
            return std::nullopt;
        case spv::Op::OpConstant: {
            if (!is_int(inst->type)) return std::nullopt;
            const uint32_t bits = width(inst->type);
            if (bits > 64) return std::nullopt;
            // Other producers sign-extend narrow literals of signed types.
            return low_bits(number_at(*inst), bits);
        }
        default: return std::nullopt;
    }
}

// ---- Code ----

Function& Builder::function() {
    check(!module_.functions.empty(), "no function is open");
    return module_.functions.back();
}

Id Builder::begin_function(Id result_type, Id function_type, spv::FunctionControlMask control, Id id) {
    Function function;
    function.def = {.op = spv::Op::OpFunction,
                    .type = result_type,
                    .result = id ? id : fresh(),
                    .operands = {control, function_type},
                    .line = line_};
    record(function.def);
    module_.functions.push_back(std::move(function));
    return module_.functions.back().id();
}

Id Builder::param(Id type) {
    Instruction inst{.op = spv::Op::OpFunctionParameter, .type = type, .result = fresh()};
    record(inst);
    function().params.push_back(std::move(inst));
    return function().params.back().result;
}

void Builder::begin_block(Id label) {
    check(!open_, "a block is still open");
    block_ = Block{.label = label};
    open_ = true;
}

/// Variables come first in the entry block (SPIR-V 2.4).
void Builder::end_function() {
    check(!open_, "the last block was not terminated");
    std::vector<Instruction> variables;
    for (Block& block : function().blocks) {
        const auto first = std::stable_partition(block.body.begin(), block.body.end(), [](const auto& inst) {
            return inst.op != spv::Op::OpVariable;
        });
        variables.insert(variables.end(), std::make_move_iterator(first),
                         std::make_move_iterator(block.body.end()));
        block.body.erase(first, block.body.end());
    }
    if (variables.empty()) return;
    std::vector<Instruction>& entry = function().blocks.front().body;
    entry.insert(entry.begin(), std::make_move_iterator(variables.begin()),
                 std::make_move_iterator(variables.end()));
}

Id Builder::append(spv::Op op, Id type, Operands operands) {
    Instruction inst{
        .op = op, .type = type, .result = fresh(), .operands = std::move(operands), .line = line_};
    const Id id = inst.result;
    append(std::move(inst));
    return id;
}
void Builder::append_void(spv::Op op, Operands operands) {
    append(Instruction{.op = op, .operands = std::move(operands), .line = line_});
}
void Builder::append(Instruction inst) {
    record(inst);
    if (sink_) {
        sink_->push_back(std::move(inst));
        return;
    }
    check(open_, "no block is open");
    block_.body.push_back(std::move(inst));
}

Id Builder::local_variable(Id pointee) {
    Instruction inst{.op = spv::Op::OpVariable,
                     .type = type_pointer(spv::StorageClass::Function, pointee),
                     .result = fresh(),
                     .operands = {spv::StorageClass::Function}};
    const Id id = inst.result;
    record(inst);
    // Only the end of the function moves it to its place: one move each would take quadratic time.
    (open_ ? block_ : function().blocks.back()).body.push_back(std::move(inst));
    return id;
}

Id Builder::ext_inst(Id set, Id type, uint32_t instruction, std::span<const Id> args) {
    Operands operands = {set, instruction};
    operands.insert(operands.end(), args.begin(), args.end());
    return append(spv::Op::OpExtInst, type, std::move(operands));
}

void Builder::terminate(Instruction terminator) {
    check(open_, "no block is open");
    block_.terminator = std::move(terminator);
    function().blocks.push_back(std::move(block_));
    block_ = {};
    open_ = false;
}
void Builder::branch(Id target) { terminate({.op = spv::Op::OpBranch, .operands = {target}, .line = line_}); }
void Builder::branch_if(Id condition, Id if_true, Id if_false) {
    terminate(
        {.op = spv::Op::OpBranchConditional, .operands = {condition, if_true, if_false}, .line = line_});
}
void Builder::switch_(Id selector, Id otherwise, std::span<const std::pair<uint64_t, Id>> cases) {
    Operands operands = {selector, otherwise};
    const uint32_t bits = width(type_of(selector));
    for (const auto& [value, label] : cases) {
        operands.push_back(static_cast<uint32_t>(value));
        if (bits == 64) operands.push_back(static_cast<uint32_t>(value >> 32));
        operands.push_back(label);
    }
    terminate({.op = spv::Op::OpSwitch, .operands = std::move(operands), .line = line_});
}
void Builder::return_() { terminate({.op = spv::Op::OpReturn, .line = line_}); }
void Builder::return_value(Id value) {
    terminate({.op = spv::Op::OpReturnValue, .operands = {value}, .line = line_});
}
void Builder::unreachable() { terminate({.op = spv::Op::OpUnreachable, .line = line_}); }

void Builder::selection_merge(Id merge, spv::SelectionControlMask control) {
    check(open_, "no block is open");
    block_.merge = {.op = spv::Op::OpSelectionMerge, .operands = {merge, control}, .line = line_};
}
void Builder::loop_merge(Id merge, Id continue_target, spv::LoopControlMask control, Operands params) {
    check(open_, "no block is open");
    block_.merge = {.op = spv::Op::OpLoopMerge, .operands = {merge, continue_target, control}, .line = line_};
    block_.merge.operands.insert(block_.merge.operands.end(), params.begin(), params.end());
}

// ---- The other sections ----

void Builder::capability(spv::Capability capability) {
    for (const Instruction& inst : module_.capabilities)
        if (inst.word(0) == static_cast<uint32_t>(capability)) return;
    module_.capabilities.push_back({.op = spv::Op::OpCapability, .operands = {capability}});
}

void Builder::extension(std::string_view name) {
    for (const Instruction& inst : module_.extensions)
        if (string_at(inst, 0) == name) return;
    Instruction inst{.op = spv::Op::OpExtension};
    append_string(inst.operands, name);
    module_.extensions.push_back(std::move(inst));
}

Id Builder::ext_inst_import(std::string_view name) {
    for (const Instruction& inst : module_.ext_inst_imports)
        if (string_at(inst, 0) == name) return inst.result;
    Instruction inst{.op = spv::Op::OpExtInstImport, .result = fresh()};
    append_string(inst.operands, name);
    module_.ext_inst_imports.push_back(std::move(inst));
    return module_.ext_inst_imports.back().result;
}

void Builder::name(Id id, std::string_view text) {
    Instruction inst{.op = spv::Op::OpName, .operands = {id}};
    append_string(inst.operands, text);
    module_.names.push_back(std::move(inst));
}
void Builder::member_name(Id struct_type, uint32_t member, std::string_view text) {
    Instruction inst{.op = spv::Op::OpMemberName, .operands = {struct_type, member}};
    append_string(inst.operands, text);
    module_.names.push_back(std::move(inst));
}
void Builder::decorate(Id id, spv::Decoration decoration, Operands operands) {
    operands.insert(operands.begin(), {id, decoration});
    module_.annotations.push_back({.op = spv::Op::OpDecorate, .operands = std::move(operands)});
}
void Builder::decorate_member(Id struct_type, uint32_t member, spv::Decoration decoration,
                              Operands operands) {
    operands.insert(operands.begin(), {struct_type, member, decoration});
    module_.annotations.push_back({.op = spv::Op::OpMemberDecorate, .operands = std::move(operands)});
}

Id Builder::string(std::string_view text) {
    for (const Instruction& inst : module_.debug_sources)
        if (inst.op == spv::Op::OpString && string_at(inst, 0) == text) return inst.result;
    Instruction inst{.op = spv::Op::OpString, .result = fresh()};
    append_string(inst.operands, text);
    module_.debug_sources.push_back(std::move(inst));
    return module_.debug_sources.back().result;
}

}  // namespace caldera::spirv
