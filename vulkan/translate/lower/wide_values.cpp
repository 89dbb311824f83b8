// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/lower/wide_values.h"

#include <algorithm>

#include "spirv/support/check.h"

namespace caldera::vulkan {

using spirv::Id;
using spirv::Instruction;
using spv::Op;

// ---- Types and constants ----

WideTypes::WideTypes(spirv::Module& module) : module_(module) {
    const bool any = std::any_of(module.globals.begin(), module.globals.end(), [](const Instruction& inst) {
        return inst.op == Op::OpTypeVector && inst.word(1) > 4;
    });
    if (!any) return;
    for (const Instruction& inst : module.globals)
        if (inst.op == Op::OpTypeVector && inst.word(1) == 4) vec4_.emplace(inst.id(0), inst.result);
    std::vector<Instruction> old = std::move(module.globals);
    for (Instruction& inst : old) {
        if (inst.op == Op::OpTypeVector && inst.word(1) > 4) {
            rewrite_type(inst);
        } else if (vec4_placed_.contains(inst.result)) {
            continue;  // moved up
        } else if (const WideType* type = find(inst.type)) {
            rewrite_constant(inst, *type);
        } else {
            if (inst.op == Op::OpTypeVector && inst.word(1) == 4) vec4_placed_[inst.result] = true;
            globals_.push_back(std::move(inst));
        }
    }
    module.globals = std::move(globals_);
}

const WideType* WideTypes::find(Id type) const {
    const auto found = types_.find(type);
    return found == types_.end() ? nullptr : &found->second;
}

Id WideTypes::add(Op op, Id type, spirv::Operands operands) {
    const Id id = module_.fresh();
    globals_.push_back({.op = op, .type = type, .result = id, .operands = std::move(operands)});
    return id;
}

void WideTypes::rewrite_type(const Instruction& inst) {
    const Id element = inst.id(0);
    Id& vec4 = vec4_[element];
    if (!vec4) {
        vec4 = add(Op::OpTypeVector, {}, {element, 4u});
    } else if (!vec4_placed_.contains(vec4)) {
        globals_.push_back({.op = Op::OpTypeVector, .result = vec4, .operands = {element, 4u}});
    }
    vec4_placed_[vec4] = true;
    const WideType type{element, vec4, inst.word(1) / 4};
    globals_.push_back(
        {.op = Op::OpTypeStruct, .result = inst.result, .operands = spirv::Operands(type.parts, vec4)});
    types_.emplace(inst.result, type);
}

void WideTypes::rewrite_constant(const Instruction& inst, const WideType& type) {
    std::vector<Id>& parts = constants_[inst.result];
    if (inst.op != Op::OpConstantComposite && inst.op != Op::OpSpecConstantComposite) {
        parts.assign(type.parts, add(inst.op, type.part_type, inst.operands));  // null or undefined
        globals_.push_back(inst);
        return;
    }
    for (uint32_t i = 0; i < type.parts; ++i) {
        const auto first = inst.operands.begin() + 4 * i;
        parts.push_back(add(inst.op, type.part_type, {first, first + 4}));
        components_[parts.back()] = {first[0].id(), first[1].id(), first[2].id(), first[3].id()};
    }
    Instruction whole = inst;
    whole.operands.assign(parts.begin(), parts.end());
    globals_.push_back(std::move(whole));
}

// ---- Components ----

Id Components::scalar(ComponentRef ref) {
    if (ref.index == ComponentRef::kWhole) return ref.id;
    if (const auto known = known_.find(ref.id); known != known_.end()) return known->second[ref.index];
    return code_.extract(ref.id, ref.index);
}

void Components::append_refs(Id value, std::vector<ComponentRef>& refs) {
    const uint32_t n = code_.count(value);
    if (n == 1) return refs.push_back({value, ComponentRef::kWhole});
    for (uint32_t i = 0; i < n; ++i) refs.push_back({value, i});
}

Id Components::gather(Id element, std::span<const ComponentRef> refs) {
    if (refs.size() == 1) return refs[0].id ? scalar(refs[0]) : code_.builder().undef(element);
    const auto n = static_cast<uint32_t>(refs.size());
    const Id type = code_.builder().type_vector(element, n);
    std::vector<Id> sources;
    bool shuffles = true, identity = true;
    for (uint32_t i = 0; i < n; ++i) {
        const ComponentRef& ref = refs[i];
        if (ref.id != refs[0].id || ref.index != i) identity = false;
        if (!ref.id) continue;
        if (ref.index == ComponentRef::kWhole) shuffles = false;
        if (std::find(sources.begin(), sources.end(), ref.id) == sources.end()) sources.push_back(ref.id);
    }
    if (sources.empty()) return code_.builder().undef(type);
    if (identity && code_.count(refs[0].id) == n) return refs[0].id;
    if (!shuffles || sources.size() > 2) return construct(type, refs);
    spirv::Operands operands = {sources.front(), sources.back()};
    const uint32_t second = code_.count(sources.front());
    for (const ComponentRef& ref : refs)
        operands.push_back(!ref.id                     ? 0xffffffffu
                           : ref.id == sources.front() ? ref.index
                                                       : second + ref.index);
    return code_.op(Op::OpVectorShuffle, type, std::move(operands));
}

/// Whole smaller vectors where the components are theirs in order, else scalars.
Id Components::construct(Id type, std::span<const ComponentRef> refs) {
    std::vector<Id> parts;
    bool scalars_only = true;
    for (size_t i = 0; i < refs.size();) {
        const uint32_t n = refs[i].id && refs[i].index == 0 ? code_.count(refs[i].id) : 0;
        bool run = n > 1 && i + n <= refs.size();
        for (uint32_t k = 0; run && k < n; ++k) run = refs[i + k].id == refs[i].id && refs[i + k].index == k;
        if (run) {
            parts.push_back(refs[i].id);
            scalars_only = false;
            i += n;
            continue;
        }
        parts.push_back(refs[i].id ? scalar(refs[i]) : code_.builder().undef(code_.builder().element(type)));
        ++i;
    }
    const Id vector = code_.construct(type, parts);
    if (scalars_only && parts.size() == 4) known_[vector] = {parts[0], parts[1], parts[2], parts[3]};
    return vector;
}

/// Vectors (or scalars) of any element as 32-bit words in memory order.
std::vector<Id> Components::to_words(std::span<const Id> parts) {
    std::vector<Id> words;
    const Id u32 = code_.builder().type_int(32);
    auto as_words = [&](Id value) {  // a value of 32 or 64 bits
        const uint32_t bits = code_.width(value) * code_.count(value);
        const Id type = code_.builder().with_count(u32, bits / 32);
        const Id cast = code_.type(value) == type ? value : code_.op(Op::OpBitcast, type, {value});
        for (uint32_t i = 0; i < bits / 32; ++i) words.push_back(code_.extract(cast, i));
    };
    for (Id part : parts) {
        const uint32_t bits = code_.width(part) * code_.count(part);
        if (bits == 32 || bits == 64) {
            as_words(part);
            continue;
        }
        std::vector<ComponentRef> refs;
        append_refs(part, refs);
        for (const ComponentRef& ref : refs) as_words(scalar(ref));
    }
    return words;
}

/// `count` components of `element` as vec4s, or one smaller value.
std::vector<Id> Components::from_words(std::span<const Id> words, Id element, uint32_t count) {
    spirv::Builder& builder = code_.builder();
    const uint32_t width = builder.width(element), words_per_piece = width == 64 ? 2 : 1;
    const Id piece_type = builder.with_count(element, width == 8 ? 4 : width == 16 ? 2 : 1);
    std::vector<ComponentRef> refs;
    for (size_t i = 0; i < words.size(); i += words_per_piece) {
        Id source = words[i];
        if (words_per_piece == 2)
            source = code_.construct(builder.type_vector(builder.type_int(32), 2),
                                     std::vector<Id>{words[i], words[i + 1]});
        const Id piece =
            code_.type(source) == piece_type ? source : code_.op(Op::OpBitcast, piece_type, {source});
        append_refs(piece, refs);
    }
    std::vector<Id> parts;
    for (uint32_t i = 0; i < count; i += 4)
        parts.push_back(gather(element, std::span(refs).subspan(i, std::min(4u, count - i))));
    return parts;
}

}  // namespace caldera::vulkan
