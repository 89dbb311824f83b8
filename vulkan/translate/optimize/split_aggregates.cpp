// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/optimize/split_aggregates.h"

#include <algorithm>
#include <map>
#include <span>

#include "spirv/cfg.h"
#include "spirv/debug_info.h"
#include "spirv/op_class.h"
#include "spirv/sink_scope.h"
#include "spirv/support/align.h"
#include "spirv/support/check.h"
#include "vulkan/translate/optimize/split_analysis.h"
#include "vulkan/translate/support/memory_access.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;
using Path = SplitAnalysis::Path;
using Ref = SplitAnalysis::Ref;
using Variable = SplitAnalysis::Variable;

constexpr uint32_t kMaxTotalParts = 256;  // past these, what is left of a variable is split no further

/// A variable that replaces the object at a path.
struct Part {
    Id id = {};
    Id type = {};
};

class Splitter {
 public:
    Splitter(Builder& builder, const OpenclLayout& layout, Function& function, const IdMap<Leaving>& leaving)
        : builder_(builder),
          layout_(layout),
          function_(function),
          analysis_(builder, layout, function, leaving) {}

    bool run() {
        if (variables().empty()) return false;
        const Cfg cfg = build_cfg(function_);
        analysis_.run(cfg);
        if (!make_parts()) return false;
        for (uint32_t b : cfg.order) rewrite(function_.blocks[b], b == 0);
        return true;
    }

 private:
    bool make_parts();
    void add_parts(const Variable& variable, std::map<Path, Part>& parts, Path& path, Id type);
    void rewrite(Block& block, bool entry);
    bool rewrite(const Instruction& inst);
    bool declare_parts(const Instruction& inst);
    void initialise(const Variable& variable, Path& path, Id type, Id value);
    Operands chain_to(const Ref& ref) const;
    void emit_pointer(const Instruction& inst, const Ref& ref);
    void rewrite_copy(const Instruction& inst);
    Operands piece(const Part& part, std::span<const uint32_t> inside, Id type);
    Id load(uint32_t variable, Path& path, Id type);
    void store(uint32_t variable, Path& path, Id type, Id value);
    Id load_as(Id pointer, const SplitAnalysis::Target& target, Id type);
    void store_as(Id pointer, const SplitAnalysis::Target& target, Id type, Id value);
    Id outside_pointer(Id pointer, Id type);
    const std::vector<Variable>& variables() const { return analysis_.variables(); }
    bool is_split(Id pointer) const {
        const Ref* r = analysis_.ref(pointer);
        return r != nullptr && split_[r->variable];
    }
    const Part* part_at(uint32_t variable, const Path& path) const {
        auto found = parts_[variable].find(path);
        return found == parts_[variable].end() ? nullptr : &found->second;
    }

    Builder& builder_;
    const OpenclLayout& layout_;
    Function& function_;
    SplitAnalysis analysis_;
    const ObjectTypes& types_ = analysis_.types();
    std::vector<bool> split_ = {};  // of each variable
    std::vector<std::map<Path, Part>> parts_ = {};
    std::vector<Instruction> new_variables_ = {};
};

void Splitter::add_parts(const Variable& variable, std::map<Path, Part>& parts, Path& path, Id type) {
    if (!types_.is_aggregate(type) || !types_.is_countable(type) || variable.stops.contains(path) ||
        parts.size() >= kMaxTotalParts || path.size() >= ObjectTypes::kMaxDepth ||
        (builder_.op_of_type(type) == spv::Op::OpTypeArray &&
         types_.part_count(type) > ObjectTypes::kMaxParts)) {
        Id id = variable.inst.result;
        if (!path.empty()) {
            const Id pointer = builder_.type_pointer(spv::StorageClass::Function, type);
            new_variables_.push_back({.op = spv::Op::OpVariable,
                                      .type = pointer,
                                      .result = builder_.fresh(),
                                      .operands = {spv::StorageClass::Function},
                                      .line = variable.inst.line});
            id = new_variables_.back().result;
        }
        parts[path] = {id, type};
        return;
    }
    for (uint32_t i = 0; i < types_.member_count(type); ++i) {
        path.push_back(i);
        add_parts(variable, parts, path, types_.member_type(type, i));
        path.pop_back();
    }
}

/// Decides which variables are split. Returns whether there is anything to rewrite.
bool Splitter::make_parts() {
    bool any = false;
    parts_.resize(variables().size());
    split_.resize(variables().size());
    for (uint32_t i = 0; i < variables().size(); ++i) {
        const Variable& variable = variables()[i];
        const bool plain = !variable.rewritten && !types_.is_aggregate(variable.type);
        if (plain || variable.stops.contains(Path{})) continue;
        if (types_.is_aggregate(variable.type)) {
            const bool large_array = builder_.op_of_type(variable.type) == spv::Op::OpTypeArray &&
                                     types_.part_count(variable.type) > ObjectTypes::kMaxParts;
            if (large_array || !types_.is_countable(variable.type) ||
                types_.member_count(variable.type) == 0 ||
                types_.member_count(variable.type) > 4 * ObjectTypes::kMaxParts)
                continue;
        }
        split_[i] = any = true;
        Path path;
        add_parts(variable, parts_[i], path, variable.type);
    }
    return any;
}

void Splitter::rewrite(Block& block, bool entry) {
    std::vector<Instruction> out, body = std::move(block.body);
    const SinkScope sink(builder_, &out);
    size_t first = 0;
    if (entry) {
        for (; first < body.size() && body[first].op == spv::Op::OpVariable; ++first) {
            const Ref* r = analysis_.ref(body[first].result);
            if (r == nullptr || !split_[r->variable] || part_at(r->variable, {}))
                out.push_back(std::move(body[first]));
        }
        out.insert(out.end(), std::make_move_iterator(new_variables_.begin()),
                   std::make_move_iterator(new_variables_.end()));
        for (const Variable& variable : variables()) {
            const auto index = static_cast<uint32_t>(&variable - variables().data());
            if (!split_[index] || variable.inst.operands.size() < 2 || part_at(index, {})) continue;
            Path path;
            initialise(variable, path, variable.type, variable.inst.id(1));
        }
    }
    for (; first < body.size(); ++first) {
        builder_.set_line(body[first].line);
        if (!rewrite(body[first])) out.push_back(std::move(body[first]));
    }
    builder_.set_line({});
    block.body = std::move(out);
}

/// Stores an initialiser's parts. Constants are taken apart here, anything else by OpCompositeExtract.
void Splitter::initialise(const Variable& variable, Path& path, Id type, Id value) {
    const auto index = static_cast<uint32_t>(&variable - variables().data());
    if (const Part* part = part_at(index, path)) {
        builder_.append_void(spv::Op::OpStore, {part->id, value});
        return;
    }
    for (uint32_t i = 0; i < types_.member_count(type); ++i) {
        const Id inner = types_.member_type(type, i);
        const Instruction* constant = builder_.find_global(value);
        Id part;
        if (constant != nullptr && constant->op == spv::Op::OpConstantComposite)
            part = constant->id(i);
        else if (constant != nullptr && constant->op == spv::Op::OpConstantNull)
            part = builder_.constant_null(inner);
        else if (constant != nullptr && constant->op == spv::Op::OpUndef)
            part = builder_.undef(inner);
        else
            part = builder_.append(spv::Op::OpCompositeExtract, inner, {value, i});
        path.push_back(i);
        initialise(variable, path, inner, part);
        path.pop_back();
    }
}

/// Each part has its place among the indices of the source's variable.
bool Splitter::declare_parts(const Instruction& inst) {
    const Ref* r = analysis_.ref(inst.id(1));
    if (r == nullptr || !split_[r->variable] || part_at(r->variable, {})) return false;
    for (const auto& [path, part] : parts_[r->variable]) {
        Instruction declaration = inst;
        declaration.operands[1] = Operand::weak(part.id);
        for (const uint32_t index : path) declaration.operands.push_back(index);
        builder_.append(std::move(declaration));
    }
    return true;
}

/// Appends the replacement of the instruction. False if the instruction stays as it is.
bool Splitter::rewrite(const Instruction& inst) {
    using enum spv::Op;
    if (inst.op == kDebugDeclare) return declare_parts(inst);
    const Ref* own = inst.result ? analysis_.ref(inst.result) : nullptr;
    if (own != nullptr && inst.op != OpVariable) {
        if (!split_[own->variable]) return false;
        if (analysis_.is_needed(inst.result)) emit_pointer(inst, *own);
        return true;
    }
    if (const SplitAnalysis::Tail* tail = inst.result ? analysis_.tail(inst.result) : nullptr) {
        const auto& [object, next] = *tail;
        if (!split_[object.variable]) return false;
        Operands chain = chain_to(object);
        chain.insert(chain.end(), inst.operands.begin() + static_cast<std::ptrdiff_t>(next),
                     inst.operands.end());
        builder_.append({.op = OpInBoundsAccessChain,
                         .type = inst.type,
                         .result = inst.result,
                         .operands = std::move(chain)});
        return true;
    }
    switch (inst.op) {
        case OpLoad: {
            if (!is_split(inst.id(0)) || analysis_.is_needed(inst.id(0))) return false;
            const Id value = load_as(inst.id(0), *analysis_.target(inst.id(0), inst.type), inst.type);
            builder_.append(
                {.op = OpCopyObject, .type = inst.type, .result = inst.result, .operands = {value}});
            return true;
        }
        case OpStore: {
            if (!is_split(inst.id(0)) || analysis_.is_needed(inst.id(0))) return false;
            const Id type = builder_.type_of(inst.id(1));
            store_as(inst.id(0), *analysis_.target(inst.id(0), type), type, inst.id(1));
            return true;
        }
        case OpCopyMemory:
        case OpCopyMemorySized:
            if (!is_split(inst.id(0)) && !is_split(inst.id(1))) return false;
            if (!analysis_.copied_type(inst)) return false;
            rewrite_copy(inst);
            return true;
        default: return false;
    }
}

/// The variable that now holds the object, and the indices from there to it.
Operands Splitter::chain_to(const Ref& r) const {
    Path prefix = r.path;
    while (!part_at(r.variable, prefix)) {
        check(!prefix.empty(), "a pointer into a split object is still wanted");
        prefix.pop_back();
    }
    const Part part = *part_at(r.variable, prefix);
    Operands chain = {part.id};
    for (size_t i = prefix.size(); i < r.path.size(); ++i) chain.push_back(builder_.constant_u32(r.path[i]));
    if (r.component) chain.push_back(r.component);
    return chain;
}

/// Emits a pointer that other instructions still need.
void Splitter::emit_pointer(const Instruction& inst, const Ref& r) {
    Operands chain = chain_to(r);
    const Id type = r.component ? builder_.element(r.type) : r.type;
    const Id pointer_type = builder_.type_pointer(spv::StorageClass::Function, type);
    Id pointer = chain[0].id();
    if (chain.size() > 1) {
        if (pointer_type == inst.type) {
            builder_.append({.op = spv::Op::OpInBoundsAccessChain,
                             .type = inst.type,
                             .result = inst.result,
                             .operands = std::move(chain)});
            return;
        }
        pointer = builder_.append(spv::Op::OpInBoundsAccessChain, pointer_type, std::move(chain));
    }
    const bool generic = builder_.storage(inst.type) == spv::StorageClass::Generic;
    const Id cast_type = builder_.type_pointer(spv::StorageClass::Function, builder_.pointee(inst.type));
    if (generic && cast_type != pointer_type)
        pointer = builder_.append(spv::Op::OpBitcast, cast_type, {pointer});
    spv::Op op = spv::Op::OpBitcast;
    if (generic)
        op = spv::Op::OpPtrCastToGeneric;
    else if (cast_type == pointer_type)
        op = spv::Op::OpCopyObject;
    builder_.append({.op = op, .type = inst.type, .result = inst.result, .operands = {pointer}});
}

/// A pointer to a member of a part, and memory operands: in a packed struct, the alignment is lower than that
/// of the type.
Operands Splitter::piece(const Part& part, std::span<const uint32_t> inside, Id type) {
    if (inside.empty()) return {part.id};
    Operands chain = {part.id};
    uint64_t alignment = layout_.of(part.type).alignment_bytes;
    Id around = part.type;
    for (uint32_t index : inside) {
        chain.push_back(builder_.constant_u32(index));
        alignment |= types_.offset_in(around, index);
        around = types_.member_type(around, index);
    }
    alignment = power_of_two_in(alignment, 128);
    const Id pointer = builder_.append(spv::Op::OpInBoundsAccessChain,
                                       builder_.type_pointer(spv::StorageClass::Function, type), chain);
    return {pointer, spv::MemoryAccessMask::Aligned, static_cast<uint32_t>(alignment)};
}

Id Splitter::load(uint32_t variable, Path& path, Id type) {
    Path prefix = path;
    for (;; prefix.pop_back()) {
        if (const Part* part = part_at(variable, prefix)) {
            return builder_.append(spv::Op::OpLoad, type,
                                   piece(*part, std::span(path).subspan(prefix.size()), type));
        }
        if (prefix.empty()) break;
    }
    Operands members;
    for (uint32_t i = 0; i < types_.member_count(type); ++i) {
        path.push_back(i);
        members.push_back(load(variable, path, types_.member_type(type, i)));
        path.pop_back();
    }
    return builder_.append(spv::Op::OpCompositeConstruct, type, std::move(members));
}

void Splitter::store(uint32_t variable, Path& path, Id type, Id value) {
    Path prefix = path;
    for (;; prefix.pop_back()) {
        if (const Part* part = part_at(variable, prefix)) {
            Operands operands = piece(*part, std::span(path).subspan(prefix.size()), type);
            operands.insert(operands.begin() + 1, value);
            builder_.append_void(spv::Op::OpStore, std::move(operands));
            return;
        }
        if (prefix.empty()) break;
    }
    for (uint32_t i = 0; i < types_.member_count(type); ++i) {
        const Id inner = types_.member_type(type, i);
        const Id part = builder_.append(spv::Op::OpCompositeExtract, inner, {value, i});
        path.push_back(i);
        store(variable, path, inner, part);
        path.pop_back();
    }
}

Id Splitter::load_as(Id pointer, const SplitAnalysis::Target& object, Id type) {
    Path path = object.path;
    const Id value = load(analysis_.ref(pointer)->variable, path, object.type);
    if (object.component) {
        if (auto index = builder_.constant_value(object.component);
            index && *index < builder_.count(object.type))
            return builder_.append(spv::Op::OpCompositeExtract, type, {value, static_cast<uint32_t>(*index)});
        return builder_.append(spv::Op::OpVectorExtractDynamic, type, {value, object.component});
    }
    if (types_.is_padded(object.type, type))
        return builder_.append(spv::Op::OpVectorShuffle, type,
                               {value, value, 0u, 1u, 2u, spirv::kUndefinedComponent});
    return object.type == type ? value : builder_.append(spv::Op::OpBitcast, type, {value});
}

void Splitter::store_as(Id pointer, const SplitAnalysis::Target& object, Id type, Id value) {
    const uint32_t variable = analysis_.ref(pointer)->variable;
    Path path = object.path;
    if (object.component) {
        const Id old = load(variable, path, object.type);
        if (auto index = builder_.constant_value(object.component);
            index && *index < builder_.count(object.type))
            value = builder_.append(spv::Op::OpCompositeInsert, object.type,
                                    {value, old, static_cast<uint32_t>(*index)});
        else
            value =
                builder_.append(spv::Op::OpVectorInsertDynamic, object.type, {old, value, object.component});
    } else if (types_.is_padded(object.type, type)) {
        value = builder_.append(spv::Op::OpVectorShuffle, object.type, {value, value, 0u, 1u, 2u});
    } else if (object.type != type) {
        value = builder_.append(spv::Op::OpBitcast, object.type, {value});
    }
    store(variable, path, object.type, value);
}

/// A pointer of the other side of a copy, made to point to `type`.
Id Splitter::outside_pointer(Id pointer, Id type) {
    const Id pointer_type = builder_.type_of(pointer);
    if (builder_.pointee(pointer_type) == type) return pointer;
    return builder_.append(spv::Op::OpBitcast, builder_.type_pointer(builder_.storage(pointer_type), type),
                           {pointer});
}

void Splitter::rewrite_copy(const Instruction& inst) {
    const Id type = *analysis_.copied_type(inst);
    const CopyOperands accesses = copy_operands(inst);
    Id value;
    auto object = [&](Id pointer) {
        return inst.op == spv::Op::OpCopyMemory
                   ? *analysis_.target(pointer, type)
                   : *analysis_.sized_target(pointer, *builder_.constant_value(inst.id(2)));
    };
    if (is_split(inst.id(1))) {
        value = load_as(inst.id(1), object(inst.id(1)), type);
    } else {
        Operands operands = {outside_pointer(inst.id(1), type)};
        for (const Operand& o : operands_of(inst, accesses.from)) operands.push_back(o);
        value = builder_.append(spv::Op::OpLoad, type, std::move(operands));
    }
    if (is_split(inst.id(0))) {
        store_as(inst.id(0), object(inst.id(0)), type, value);
    } else {
        Operands operands = {outside_pointer(inst.id(0), type), value};
        for (const Operand& o : operands_of(inst, accesses.to)) operands.push_back(o);
        builder_.append_void(spv::Op::OpStore, std::move(operands));
    }
}

}  // namespace

bool split_aggregates(spirv::Builder& builder, const OpenclLayout& layout, spirv::Function& function,
                      const IdMap<Leaving>& leaving) {
    return Splitter(builder, layout, function, leaving).run();
}

}  // namespace caldera::vulkan
