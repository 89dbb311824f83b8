// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/empty_objects.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "spirv/builder.h"
#include "spirv/grammar.h"
#include "spirv/id_map.h"
#include "spirv/op_class.h"
#include "vulkan/translate/support/opencl_layout.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spirv::Operands;
using spv::Op;

bool has_pointer_index(Op chain) {
    return chain == Op::OpPtrAccessChain || chain == Op::OpInBoundsPtrAccessChain;
}

/// Where each type and each member of a struct lies.
std::map<uint32_t, std::vector<uint64_t>> layouts_of(const spirv::Module& module, const Builder& builder) {
    const OpenclLayout layout(builder);
    std::map<uint32_t, std::vector<uint64_t>> found;
    for (const Instruction& inst : module.globals) {
        if (inst.op != Op::OpTypeStruct || inst.operands.empty()) continue;
        const auto whole = layout.find(inst.result);
        if (!whole) continue;
        std::vector<uint64_t>& numbers = found[inst.result.value];
        numbers = {whole->size_bytes, whole->alignment_bytes};
        for (uint32_t i = 0; i < inst.operands.size(); ++i)
            numbers.push_back(layout.member_offset(inst.result, i));
    }
    return found;
}

class EmptyArrays {
 public:
    /// `elements` has the empty arrays, which are structs now, and their elements.
    EmptyArrays(spirv::Module& module, const spirv::IdMap<Id>& elements)
        : builder_(module), elements_(elements) {}

    Result<Done> run() {
        spirv::Module& module = builder_.module();
        for (const Instruction& inst : module.globals) {
            const bool is_chain =
                inst.op == Op::OpSpecConstantOp && spirv::is_access_chain(static_cast<Op>(inst.word(0)));
            if (is_chain && leads_inside(inst, 1, has_pointer_index(static_cast<Op>(inst.word(0))) ? 3 : 2))
                return declined(inst, "a constant address in");
        }
        for (spirv::Function& function : module.functions)
            for (spirv::Block& block : function.blocks) {
                std::vector<Instruction> body;
                builder_.set_sink(&body);
                for (Instruction& inst : block.body) {
                    builder_.set_line(inst.line);
                    if (inst.op == Op::OpCompositeExtract && value_leads_inside(inst, 0))
                        return declined(inst, "a component of");
                    if (inst.op == Op::OpCompositeInsert && value_leads_inside(inst, 1))
                        return declined(inst, "a component of");
                    if (spirv::is_access_chain(inst.op) &&
                        leads_inside(inst, 0, has_pointer_index(inst.op) ? 2 : 1))
                        add_chains(inst);
                    else
                        builder_.append(std::move(inst));
                }
                builder_.set_sink(nullptr);
                block.body = std::move(body);
            }
        return Done{};
    }

 private:
    Error declined(const Instruction& inst, std::string_view what) const {
        const std::string place =
            inst.line.file ? spirv::place_text(builder_.module(), inst.line) + ": " : std::string();
        return Error{.message = place + std::string(what) + " an array of length 0 is not supported"};
    }

    bool is_empty(Id type) const { return elements_.contains(type); }
    /// The type of a part; none if there is no such part.
    Id part(Id type, const Id* index, uint32_t number) const {
        switch (builder_.op_of_type(type)) {
            case Op::OpTypeStruct: {
                const uint64_t member = index ? builder_.constant_value(*index).value_or(UINT32_MAX) : number;
                return member < builder_.member_count(type)
                           ? builder_.member(type, static_cast<uint32_t>(member))
                           : Id{};
            }
            case Op::OpTypeArray:
            case Op::OpTypeRuntimeArray:
            case Op::OpTypeVector: return builder_.element(type);
            default: return {};
        }
    }
    /// Whether an index of the chain is one into an empty array. `base` and `first` are operands.
    bool leads_inside(const Instruction& chain, size_t base, size_t first) const {
        const Id pointer = builder_.type_of(chain.id(base));
        Id type = pointer && builder_.is_pointer(pointer) ? builder_.pointee(pointer) : Id{};
        for (size_t at = first; type && at < chain.operands.size(); ++at) {
            if (is_empty(type)) return true;
            const Id index = chain.id(at);
            type = part(type, &index, 0);
        }
        return false;
    }
    bool value_leads_inside(const Instruction& inst, size_t composite) const {
        Id type = builder_.type_of(inst.id(composite));
        for (size_t at = composite + 1; type && at < inst.operands.size(); ++at) {
            if (is_empty(type)) return true;
            type = part(type, nullptr, inst.word(at));
        }
        return false;
    }

    /// The chain, in parts: each one ends at an empty array, or begins with an element behind one.
    void add_chains(const Instruction& chain) {
        const bool in_bounds =
            chain.op == Op::OpInBoundsAccessChain || chain.op == Op::OpInBoundsPtrAccessChain;
        const Op behind = in_bounds ? Op::OpInBoundsPtrAccessChain : Op::OpPtrAccessChain;
        const spv::StorageClass storage = builder_.storage(chain.type);
        Op op = chain.op;
        Operands operands = {chain.id(0)};
        size_t at = 1;
        if (has_pointer_index(op)) operands.push_back(chain.operands[at++]);
        Id type = builder_.pointee(builder_.type_of(chain.id(0)));
        for (; at < chain.operands.size(); ++at) {
            const Id index = chain.id(at);
            if (const auto element = elements_.find(type); element != elements_.end()) {
                Id pointer = operands[0].id();
                if (operands.size() > 1)
                    pointer = builder_.append(op, builder_.type_pointer(storage, type), operands);
                type = element->second;
                pointer = builder_.append(Op::OpBitcast, builder_.type_pointer(storage, type), {pointer});
                op = behind;
                operands = {pointer, index};
                continue;
            }
            operands.push_back(index);
            type = part(type, &index, 0);
        }
        builder_.append({.op = op,
                         .type = chain.type,
                         .result = chain.result,
                         .operands = std::move(operands),
                         .line = chain.line});
    }

    Builder builder_;
    const spirv::IdMap<Id>& elements_;
};

bool drop_empty_copies(spirv::Module& module) {
    const Builder builder(module);
    size_t dropped = 0;
    for (spirv::Function& function : module.functions)
        for (spirv::Block& block : function.blocks)
            dropped += std::erase_if(block.body, [&](const Instruction& inst) {
                return inst.op == Op::OpCopyMemorySized && builder.constant_value(inst.id(2)) == uint64_t{0};
            });
    return dropped > 0;
}

}  // namespace

Result<bool> mend_empty_objects(spirv::Module& module) {
    const bool has_copies = drop_empty_copies(module);
    spirv::IdMap<Id> elements;
    std::map<uint32_t, std::vector<uint64_t>> before;
    {
        const Builder builder(module);
        for (const Instruction& inst : module.globals)
            if (inst.op == Op::OpTypeArray && builder.constant_value(inst.id(1)) == uint64_t{0})
                elements[inst.result] = inst.id(0);
        if (elements.empty()) return has_copies;
        before = layouts_of(module, builder);
    }
    for (Instruction& inst : module.globals)
        if (elements.contains(inst.result)) {
            inst.op = Op::OpTypeStruct;
            inst.operands.clear();
        }
    std::erase_if(module.annotations, [&](const Instruction& inst) {
        return inst.op == Op::OpDecorate && elements.contains(inst.id(0));
    });
    if (before != layouts_of(module, Builder(module)))
        return Error{.message = "an array of length 0 whose alignment pads its struct is not supported"};
    if (Result<Done> done = EmptyArrays(module, elements).run(); !done) return done.error();
    return true;
}

}  // namespace caldera::vulkan
