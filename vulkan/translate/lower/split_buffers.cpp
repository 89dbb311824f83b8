// SPDX-License-Identifier: Apache-2.0
// split_buffers: for buffers that are larger than a descriptor may say (maxStorageBufferRange). Such a buffer
// is an array of descriptors, one for each part, and an access chooses the part by the high bits of its
// index.
//
// The parts have a power of two of bytes, and an access is an element of an array of its type: so none
// crosses the edge of a part. The choice is a switch, because old devices allow only constants as indices of
// arrays of descriptors. It stands in a function for each kind of access.
//
// Before: buffers are accessed by access chains of one index, and memory operands are Vulkan's.   After: no
// access chain to these buffers is outside of those functions.
#include <algorithm>
#include <bit>
#include <map>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "spirv/op_class.h"
#include "spirv/support/check.h"
#include "vulkan/translate/pass.h"

namespace caldera::vulkan {
namespace {

using spirv::Id;
using spirv::Instruction;
using spirv::Operand;
using spirv::Operands;

class BufferSplitter {
 public:
    BufferSplitter(spirv::Module& module, const SplitBuffers& split)
        : module_(module), builder_(module), split_(split) {}

    void run() {
        split_variables();
        if (arrays_.empty()) return;
        const size_t functions = module_.functions.size();
        for (size_t i = 0; i < functions; ++i) {
            find_chains(module_.functions[i]);
            for (spirv::Block& block : module_.functions[i].blocks) {
                std::vector<Instruction> body;
                body.reserve(block.body.size());
                builder_.set_sink(&body);
                for (Instruction& inst : block.body) rewrite(std::move(inst));
                block.body = std::move(body);
            }
        }
        builder_.set_sink(nullptr);
        for (const Helper& helper : helpers_) build(helper);
    }

 private:
    /// An array of the parts of a buffer.
    struct Parts {
        Id variable = {};
        uint32_t count = 0;
    };
    /// An element of a buffer, as an access chain says.
    struct Element {
        Id pointer_type = {};
        Parts parts = {};
        Id index = {};
    };
    struct Helper {
        Id function = {};
        Element element = {};
        Instruction access = {};
        std::vector<size_t> values = {};  // the operands that are parameters, behind the index
    };

    void split_variables() {
        spirv::IdMap<uint32_t> sets, bindings;
        for (const Instruction& inst : module_.annotations) {
            if (inst.op != spv::Op::OpDecorate) continue;
            const auto decoration = static_cast<spv::Decoration>(inst.word(1));
            if (decoration == spv::Decoration::DescriptorSet) sets[inst.id(0)] = inst.word(2);
            if (decoration == spv::Decoration::Binding) bindings[inst.id(0)] = inst.word(2);
        }
        std::vector<Id> buffers;
        for (const Instruction& inst : module_.globals)
            if (inst.op == spv::Op::OpVariable &&
                static_cast<spv::StorageClass>(inst.word(0)) == spv::StorageClass::StorageBuffer)
                buffers.push_back(inst.result);
        for (const Id buffer : buffers) {
            const uint32_t binding = bindings.at(buffer);
            if (sets.at(buffer) != 0 || split_.parts_of(binding) < 2) continue;
            const uint32_t count = split_.parts_of(binding);
            const Id block = builder_.pointee(builder_.type_of(buffer));
            const Id array =
                builder_.variable(spv::StorageClass::StorageBuffer, builder_.type_array(block, count));
            builder_.decorate(array, spv::Decoration::DescriptorSet, {0u});
            builder_.decorate(array, spv::Decoration::Binding, {binding});
            builder_.decorate(array, spv::Decoration::Aliased);
            arrays_[buffer] = {array, count};
        }
        for (Instruction& entry : module_.entry_points)
            for (Operand& operand : entry.operands)
                if (operand.is_id)
                    if (const auto found = arrays_.find(operand.id()); found != arrays_.end())
                        operand = found->second.variable;
    }

    void find_chains(const spirv::Function& function) {
        chains_.clear();
        for (const spirv::Block& block : function.blocks)
            for (const Instruction& inst : block.body) {
                if (inst.op != spv::Op::OpAccessChain && inst.op != spv::Op::OpInBoundsAccessChain) continue;
                const auto array = arrays_.find(inst.id(0));
                if (array == arrays_.end()) continue;
                check(inst.operands.size() == 3, "a buffer is accessed by one index");
                chains_[inst.result] = {inst.type, array->second, inst.id(2)};
            }
    }

    void rewrite(Instruction inst) {
        if (chains_.contains(inst.result)) return;
        const bool may_access =
            inst.op == spv::Op::OpLoad || inst.op == spv::Op::OpStore || spirv::is_atomic(inst.op);
        const auto chain = may_access ? chains_.find(inst.id(0)) : chains_.end();
        if (chain == chains_.end()) return builder_.append(std::move(inst));
        const Element& element = chain->second;
        const std::vector<size_t> values = values_of(inst);
        Operands operands = {helper(element, inst, values), element.index};
        for (const size_t value : values) operands.push_back(inst.operands[value]);
        const Id type = inst.type ? inst.type : builder_.type_void();
        builder_.append({.op = spv::Op::OpFunctionCall,
                         .type = type,
                         .result = inst.result ? inst.result : builder_.fresh(),
                         .operands = std::move(operands),
                         .line = inst.line});
    }

    /// All other operands are constants: scopes, semantics and memory operands.
    static std::vector<size_t> values_of(const Instruction& access) {
        if (access.op == spv::Op::OpLoad) return {};
        if (access.op == spv::Op::OpStore) return {1};
        if (access.op == spv::Op::OpAtomicCompareExchange) return {4, 5};
        std::vector<size_t> values;
        for (size_t i = 3; i < access.operands.size(); ++i) values.push_back(i);
        return values;
    }

    Id helper(const Element& element, const Instruction& access, const std::vector<size_t>& values) {
        std::vector<uint32_t> key = {static_cast<uint32_t>(access.op), access.type.value,
                                     element.pointer_type.value, element.parts.variable.value,
                                     builder_.type_of(element.index).value};
        for (size_t i = 1; i < access.operands.size(); ++i) {
            const bool is_value = std::ranges::find(values, i) != values.end();
            key.push_back(is_value ? builder_.type_of(access.id(i)).value : access.operands[i].word);
        }
        Id& function = by_key_[key];
        if (function) return function;
        function = builder_.fresh();
        helpers_.push_back({function, element, access, values});
        return function;
    }

    void build(const Helper& helper) {
        const auto& [variable, count] = helper.element.parts;
        const Id u32 = builder_.type_int(32), index_type = builder_.type_of(helper.element.index);
        const Id result = helper.access.type ? helper.access.type : builder_.type_void();
        std::vector<Id> types = {index_type};
        for (const size_t value : helper.values) types.push_back(builder_.type_of(helper.access.id(value)));
        builder_.begin_function(result, builder_.type_function(result, types), {}, helper.function);
        builder_.name(helper.function, "caldera.in_parts");
        std::vector<Id> params;
        for (const Id type : types) params.push_back(builder_.param(type));
        builder_.begin_block(builder_.fresh());

        const Id element = builder_.pointee(helper.element.pointer_type);
        const uint32_t bytes = builder_.width(element) / 8 * builder_.count(element);
        const auto bits = split_.part_bits - static_cast<uint32_t>(std::countr_zero(bytes));
        const Id part =
            builder_.append(spv::Op::OpShiftRightLogical, u32, {params[0], builder_.constant_u32(bits)});
        const Id inside = builder_.append(spv::Op::OpBitwiseAnd, u32,
                                          {params[0], builder_.constant_u32((uint32_t{1} << bits) - 1)});
        const Id merge = builder_.fresh();
        std::vector<Id> labels;
        std::vector<std::pair<uint64_t, Id>> targets;
        for (uint32_t k = 0; k < count; ++k) {
            labels.push_back(builder_.fresh());
            if (k + 1 < count) targets.emplace_back(k, labels.back());
        }
        builder_.selection_merge(merge);
        builder_.switch_(part, labels.back(), targets);
        Operands phi;
        for (uint32_t k = 0; k < count; ++k) {
            builder_.begin_block(labels[k]);
            Instruction access = helper.access;
            access.operands[0] =
                builder_.append(spv::Op::OpAccessChain, helper.element.pointer_type,
                                {variable, builder_.constant_u32(k), builder_.constant_u32(0), inside});
            for (size_t i = 0; i < helper.values.size(); ++i)
                access.operands[helper.values[i]] = params[i + 1];
            if (access.result) {
                access.result = builder_.fresh();
                phi.push_back(access.result);
                phi.push_back(labels[k]);
            }
            builder_.append(std::move(access));
            builder_.branch(merge);
        }
        builder_.begin_block(merge);
        if (phi.empty())
            builder_.return_();
        else
            builder_.return_value(builder_.append(spv::Op::OpPhi, result, std::move(phi)));
        builder_.end_function();
    }

    spirv::Module& module_;
    spirv::Builder builder_;
    const SplitBuffers& split_;
    spirv::IdMap<Parts> arrays_ = {};    // by the variable of the buffer
    spirv::IdMap<Element> chains_ = {};  // of one function, by the pointer
    std::vector<Helper> helpers_ = {};
    std::map<std::vector<uint32_t>, Id> by_key_ = {};
};

}  // namespace

Result<Done> split_buffers(spirv::Module& module, PassContext& context) {
    const SplitBuffers& split = context.options.split_buffers;
    if (!split.parts.empty()) BufferSplitter(module, split).run();
    return Done{};
}

}  // namespace caldera::vulkan
