// SPDX-License-Identifier: Apache-2.0
// lower_wide_vectors: splits vectors of 8 and 16, because Vulkan's vectors have at most 4 components. Before:
// values may be vectors of 8 and 16; memory is accessed in scalars and vec2 to vec4. After: such types are
// structs of vec4, and each instruction on them is one per vec4. A struct is constructed only where a whole
// value must be passed: to a call, from a function, or into another composite.

#include "spirv/grammar.h"
#include "spirv/id_map.h"
#include "spirv/phis.h"
#include "spirv/support/check.h"
#include "spirv/uses.h"
#include "vulkan/translate/lower/wide_values.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/float_freedom.h"
#include "vulkan/translate/support/reach.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spirv::Module;
using spv::Op;

/// Instructions that work on each component alone.
bool is_componentwise(Op op) {
    switch (op) {
        case Op::OpConvertFToU:
        case Op::OpConvertFToS:
        case Op::OpConvertSToF:
        case Op::OpConvertUToF:
        case Op::OpUConvert:
        case Op::OpSConvert:
        case Op::OpFConvert:
        case Op::OpQuantizeToF16:
        case Op::OpSNegate:
        case Op::OpFNegate:
        case Op::OpIAdd:
        case Op::OpFAdd:
        case Op::OpISub:
        case Op::OpFSub:
        case Op::OpIMul:
        case Op::OpFMul:
        case Op::OpUDiv:
        case Op::OpSDiv:
        case Op::OpFDiv:
        case Op::OpUMod:
        case Op::OpSRem:
        case Op::OpSMod:
        case Op::OpFRem:
        case Op::OpFMod:
        case Op::OpVectorTimesScalar:
        case Op::OpShiftRightLogical:
        case Op::OpShiftRightArithmetic:
        case Op::OpShiftLeftLogical:
        case Op::OpBitwiseOr:
        case Op::OpBitwiseXor:
        case Op::OpBitwiseAnd:
        case Op::OpNot:
        case Op::OpBitFieldInsert:
        case Op::OpBitFieldSExtract:
        case Op::OpBitFieldUExtract:
        case Op::OpBitReverse:
        case Op::OpBitCount:
        case Op::OpIsNan:
        case Op::OpIsInf:
        case Op::OpLogicalEqual:
        case Op::OpLogicalNotEqual:
        case Op::OpLogicalOr:
        case Op::OpLogicalAnd:
        case Op::OpLogicalNot:
        case Op::OpSelect:
        case Op::OpIEqual:
        case Op::OpINotEqual:
        case Op::OpUGreaterThan:
        case Op::OpSGreaterThan:
        case Op::OpUGreaterThanEqual:
        case Op::OpSGreaterThanEqual:
        case Op::OpULessThan:
        case Op::OpSLessThan:
        case Op::OpULessThanEqual:
        case Op::OpSLessThanEqual:
        case Op::OpFOrdEqual:
        case Op::OpFUnordEqual:
        case Op::OpFOrdNotEqual:
        case Op::OpFUnordNotEqual:
        case Op::OpFOrdLessThan:
        case Op::OpFUnordLessThan:
        case Op::OpFOrdGreaterThan:
        case Op::OpFUnordGreaterThan:
        case Op::OpFOrdLessThanEqual:
        case Op::OpFUnordLessThanEqual:
        case Op::OpFOrdGreaterThanEqual:
        case Op::OpFUnordGreaterThanEqual:
        case Op::OpCopyObject:
        case Op::OpExtInst: return true;
        default: return false;
    }
}

class WideLowering {
 public:
    WideLowering(Module& module, const WideTypes& types, const TranslateOptions& options)
        : module_(module),
          types_(types),
          builder_(module),
          code_(builder_, options.target),
          components_(code_, types),
          freedom_(module) {
        for (const auto& [id, parts] : types.constant_parts()) values_[id] = {parts, true};
    }

    void run() {
        for (spirv::Function& function : module_.functions)
            if (!function.blocks.empty()) lower_function(function);
        spirv::drop_stale_names(module_);
    }

 private:
    struct WideValue {
        std::vector<Id> parts = {};
        bool exists = false;  // the id itself is defined, as a struct
    };

    // ---- Functions and blocks ----

    void lower_function(spirv::Function& function) {
        replaced_.clear();
        extended_.clear();
        std::vector<Instruction> prologue;
        builder_.set_sink(&prologue);
        for (const Instruction& param : function.params)
            if (const WideType* type = types_.find(param.type)) take_apart(param.result, *type);
        for (spirv::Block& block : function.blocks) {
            const bool entry = &block == &function.blocks.front();
            lower_block(block, entry ? std::move(prologue) : std::vector<Instruction>{});
        }
        builder_.set_sink(nullptr);
        builder_.set_line({});
        for (spirv::Block& block : function.blocks) finish_phis(block);
        for_each_use(function, [&](spirv::Operand& operand) { operand = resolve(operand.id()); });
    }

    void lower_block(spirv::Block& block, std::vector<Instruction> prologue) {
        std::vector<Instruction> out;
        builder_.set_sink(&out);
        for (Instruction& inst : block.body) {
            if (inst.op != Op::OpVariable && inst.op != Op::OpPhi && !prologue.empty()) {
                out.insert(out.end(), prologue.begin(), prologue.end());
                prologue.clear();
            }
            builder_.set_line(inst.line);
            if (inst.op != Op::OpPhi)
                for (spirv::Operand& operand : inst.operands)
                    if (operand.is_id) operand = resolve(operand.id());
            if (!lower(inst)) out.push_back(std::move(inst));
            take_apart_pending();
        }
        out.insert(out.end(), prologue.begin(), prologue.end());
        for (spirv::Operand& operand : block.terminator.operands)
            if (operand.is_id) operand = whole(resolve(operand.id()));
        block.body = std::move(out);
    }

    /// Phis were split before the values from loops' back edges were known.
    void finish_phis(spirv::Block& block) {
        for (Instruction& inst : spirv::phis_of(block.body)) {
            const auto part = phi_parts_.find(inst.result);
            if (part == phi_parts_.end()) continue;
            for (size_t i = 0; i < inst.operands.size(); i += 2)
                inst.operands[i] = parts(resolve(inst.id(i)))[part->second];
        }
    }

    // ---- Values ----

    Id resolve(Id id) const {
        for (auto found = replaced_.find(id); found != replaced_.end(); found = replaced_.find(id))
            id = found->second;
        return id;
    }
    const WideType* wide(Id value) const { return types_.find(builder_.type_of(value)); }
    const std::vector<Id>& parts(Id value) const {
        const auto found = values_.find(value);
        check(found != values_.end(), "a wide vector is used before it is known");
        return found->second.parts;
    }
    void define(Id result, std::vector<Id> parts) { values_[result] = {std::move(parts), false}; }

    /// The value as one id: a struct is built for a wide vector that is only known by its parts.
    Id whole(Id value) {
        const auto found = values_.find(value);
        if (found == values_.end() || found->second.exists) return value;
        const std::vector<Id>& list = found->second.parts;
        return builder_.append(Op::OpCompositeConstruct, builder_.type_of(value), {list.begin(), list.end()});
    }

    void take_apart(Id value, const WideType& type) {
        WideValue taken{.exists = true};
        for (uint32_t i = 0; i < type.parts; ++i)
            taken.parts.push_back(builder_.append(Op::OpCompositeExtract, type.part_type, {value, i}));
        values_[value] = std::move(taken);
    }
    /// Called after an instruction whose result is a struct that replaces a wide vector.
    void take_apart_pending() {
        if (!pending_) return;
        take_apart(pending_, *wide(pending_));
        pending_ = {};
    }

    std::vector<ComponentRef> refs_of(Id value) {
        std::vector<ComponentRef> refs;
        if (wide(value)) {
            for (Id part : parts(value)) components_.append_refs(part, refs);
        } else {
            components_.append_refs(value, refs);
        }
        return refs;
    }

    /// Defines the result of an instruction, wide or not, as these components.
    void define_gathered(const Instruction& inst, const std::vector<ComponentRef>& refs) {
        if (const WideType* type = types_.find(inst.type)) {
            std::vector<Id> list;
            for (uint32_t i = 0; i < type->parts; ++i)
                list.push_back(components_.gather(type->element, std::span(refs).subspan(4 * i, 4)));
            define(inst.result, std::move(list));
        } else {
            replaced_[inst.result] = components_.gather(builder_.element(inst.type), refs);
        }
    }

    // ---- Instructions; true when the instruction is replaced ----

    bool lower(Instruction& inst) {
        const bool wide_result = types_.find(inst.type) != nullptr;
        bool wide_operand = false;
        for (const spirv::Operand& operand : inst.operands)
            if (operand.is_id && wide(operand.id())) wide_operand = true;
        switch (inst.op) {
            case Op::OpCompositeExtract: return composite_extract(inst);
            case Op::OpCompositeInsert: return composite_insert(inst);
            case Op::OpUMulExtended:
            case Op::OpSMulExtended:
            case Op::OpIAddCarry:
            case Op::OpISubBorrow:
                if (!wide_operand) return false;
                extended(inst);
                return true;
            default: break;
        }
        if (!wide_result && !wide_operand) return false;
        switch (inst.op) {
            case Op::OpPhi: phi(inst); return true;
            case Op::OpUndef:
                define(inst.result, std::vector<Id>(types_.find(inst.type)->parts,
                                                    builder_.undef(types_.find(inst.type)->part_type)));
                return true;
            case Op::OpVectorShuffle: vector_shuffle(inst); return true;
            case Op::OpVectorExtractDynamic: extract_dynamic(inst); return true;
            case Op::OpVectorInsertDynamic: insert_dynamic(inst); return true;
            case Op::OpCompositeConstruct:
                if (!wide_result) break;
                composite_construct(inst);
                return true;
            case Op::OpBitcast: bitcast(inst); return true;
            case Op::OpAny: reduce(inst, Op::OpLogicalOr); return true;
            case Op::OpAll: reduce(inst, Op::OpLogicalAnd); return true;
            case Op::OpDot: dot(inst); return true;
            default: break;
        }
        if (wide_result && is_componentwise(inst.op)) {
            componentwise(inst);
            return true;
        }
        for (spirv::Operand& operand : inst.operands)
            if (operand.is_id) operand = whole(operand.id());
        if (wide_result) pending_ = inst.result;
        return false;
    }

    void componentwise(const Instruction& inst) {
        const WideType& type = *types_.find(inst.type);
        std::vector<Id> list;
        for (uint32_t i = 0; i < type.parts; ++i) {
            spirv::Operands operands = inst.operands;
            for (spirv::Operand& operand : operands)
                if (operand.is_id && wide(operand.id())) operand = parts(operand.id())[i];
            if (inst.op == Op::OpCopyObject) {
                list.push_back(operands[0].id());
                continue;
            }
            // The condition of a scalar OpSelect is one for all parts.
            if (inst.op == Op::OpSelect)
                list.push_back(code_.select(operands[0].id(), operands[1].id(), operands[2].id()));
            else
                list.push_back(builder_.append(inst.op, type.part_type, std::move(operands)));
            allow_as(inst.result, list.back());
        }
        define(inst.result, std::move(list));
    }

    /// A part may be computed as the whole may.
    void allow_as(Id whole, Id part) {
        if (const uint32_t mode = freedom_.mode(whole)) FloatFreedom::allow(module_, part, mode);
    }

    void phi(const Instruction& inst) {
        const WideType& type = *types_.find(inst.type);
        std::vector<Id> list;
        for (uint32_t i = 0; i < type.parts; ++i) {
            list.push_back(builder_.append(Op::OpPhi, type.part_type, inst.operands));
            phi_parts_[list.back()] = i;
        }
        define(inst.result, std::move(list));
    }

    /// {low, high} pairs stay one per part until a member is extracted.
    void extended(const Instruction& inst) {
        const WideType& type = *wide(inst.id(0));
        const Id pair = builder_.type_struct(std::vector<Id>(2, type.part_type));
        std::vector<Id>& list = extended_[inst.result];
        for (uint32_t i = 0; i < type.parts; ++i)
            list.push_back(builder_.append(inst.op, pair, {parts(inst.id(0))[i], parts(inst.id(1))[i]}));
    }

    bool composite_extract(Instruction& inst) {
        const Id base = inst.id(0);
        if (wide(base)) {
            const uint32_t index = inst.word(1);
            replaced_[inst.result] = components_.scalar({parts(base)[index / 4], index % 4});
            return true;
        }
        if (const auto pair = extended_.find(base); pair != extended_.end()) {
            const Id part_type =
                types_.find(builder_.member(builder_.type_of(base), inst.word(1)))->part_type;
            std::vector<Id> list;
            for (Id part : pair->second)
                list.push_back(builder_.append(Op::OpCompositeExtract, part_type, {part, inst.word(1)}));
            if (inst.operands.size() == 2) return define(inst.result, std::move(list)), true;
            replaced_[inst.result] = components_.scalar({list[inst.word(2) / 4], inst.word(2) % 4});
            return true;
        }
        split_path(inst, 1);
        if (types_.find(inst.type)) pending_ = inst.result;
        return false;
    }

    bool composite_insert(Instruction& inst) {
        if (const WideType* type = wide(inst.id(1))) {
            const uint32_t index = inst.word(2), part = index / 4;
            std::vector<Id> list = parts(inst.id(1));
            list[part] =
                builder_.append(Op::OpCompositeInsert, type->part_type, {inst.id(0), list[part], index % 4});
            define(inst.result, std::move(list));
            return true;
        }
        inst.operands[0] = whole(inst.id(0));
        split_path(inst, 2);
        return false;
    }

    /// An index into a wide vector within a struct or an array is two: the part and the component.
    void split_path(Instruction& inst, size_t first) {
        Id type = builder_.type_of(inst.id(first - 1));
        spirv::Operands path(inst.operands.begin(), inst.operands.begin() + static_cast<ptrdiff_t>(first));
        for (size_t i = first; i < inst.operands.size(); ++i) {
            const uint32_t index = inst.word(i);
            if (types_.find(type)) {
                path.push_back(index / 4);
                path.push_back(index % 4);
                break;
            }
            path.push_back(index);
            type = builder_.op_of_type(type) == Op::OpTypeStruct ? builder_.member(type, index)
                                                                 : builder_.element(type);
        }
        inst.operands = std::move(path);
    }

    void composite_construct(const Instruction& inst) {
        std::vector<ComponentRef> refs;
        for (const spirv::Operand& operand : inst.operands)
            for (const ComponentRef& ref : refs_of(operand.id())) refs.push_back(ref);
        define_gathered(inst, refs);
    }

    void vector_shuffle(const Instruction& inst) {
        std::vector<ComponentRef> source = refs_of(inst.id(0)), chosen;
        for (const ComponentRef& ref : refs_of(inst.id(1))) source.push_back(ref);
        for (size_t i = 2; i < inst.operands.size(); ++i)
            chosen.push_back(inst.word(i) < source.size() ? source[inst.word(i)] : ComponentRef{});
        define_gathered(inst, chosen);
    }

    /// The part by index / 4, the component by index % 4.
    std::pair<Id, Id> split_index(Id index) {
        index = code_.convert_unsigned(index, 32);
        const Id u32 = code_.type(index);
        return {code_.shift_right(index, 2), code_.bit_and(index, code_.number(u32, 3))};
    }

    void extract_dynamic(const Instruction& inst) {
        const auto [part, component] = split_index(inst.id(1));
        const std::vector<Id> list = parts(inst.id(0));
        Id result = {};
        for (uint32_t i = 0; i < list.size(); ++i) {
            const Id candidate = builder_.append(Op::OpVectorExtractDynamic, inst.type, {list[i], component});
            result = i == 0 ? candidate
                            : code_.select(code_.compare(Op::OpIEqual, part, builder_.constant_u32(i)),
                                           candidate, result);
        }
        replaced_[inst.result] = result;
    }

    void insert_dynamic(const Instruction& inst) {
        const auto [part, component] = split_index(inst.id(2));
        std::vector<Id> list = parts(inst.id(0));
        for (uint32_t i = 0; i < list.size(); ++i) {
            const Id changed = builder_.append(Op::OpVectorInsertDynamic, builder_.type_of(list[i]),
                                               {list[i], inst.id(1), component});
            list[i] =
                code_.select(code_.compare(Op::OpIEqual, part, builder_.constant_u32(i)), changed, list[i]);
        }
        define(inst.result, std::move(list));
    }

    void bitcast(const Instruction& inst) {
        const WideType* to = types_.find(inst.type);
        const WideType* from = wide(inst.id(0));
        if (to && from && to->parts == from->parts) {
            std::vector<Id> list;
            for (Id part : parts(inst.id(0)))
                list.push_back(builder_.append(Op::OpBitcast, to->part_type, {part}));
            return define(inst.result, std::move(list));
        }
        const std::vector<Id> source = from ? parts(inst.id(0)) : std::vector<Id>{inst.id(0)};
        const std::vector<Id> words = components_.to_words(source);
        const Id element = to ? to->element : builder_.element(inst.type);
        const uint32_t count = to ? 4 * to->parts : builder_.count(inst.type);
        std::vector<Id> list = components_.from_words(words, element, count);
        if (to) return define(inst.result, std::move(list));
        replaced_[inst.result] = list[0];
    }

    void reduce(const Instruction& inst, Op combine) {
        Id result = {};
        for (Id part : parts(inst.id(0))) {
            const Id one = builder_.append(inst.op, inst.type, {part});
            result = result ? builder_.append(combine, inst.type, {result, one}) : one;
        }
        replaced_[inst.result] = result;
    }

    void dot(const Instruction& inst) {
        const std::vector<Id> a = parts(inst.id(0)), b = parts(inst.id(1));
        Id result = {};
        for (size_t i = 0; i < a.size(); ++i) {
            const Id one = builder_.append(Op::OpDot, inst.type, {a[i], b[i]});
            allow_as(inst.result, one);
            result = result ? builder_.append(Op::OpFAdd, inst.type, {result, one}) : one;
            if (i > 0) allow_as(inst.result, result);
        }
        replaced_[inst.result] = result;
    }

    Module& module_;
    const WideTypes& types_;
    Builder builder_;
    Code code_;
    Components components_;
    spirv::IdMap<WideValue> values_ = {};
    spirv::IdMap<Id> replaced_ = {};
    spirv::IdMap<std::vector<Id>> extended_ = {};  // OpUMulExtended and kin, per part
    spirv::IdMap<uint32_t> phi_parts_ = {};        // phi of a part -> which part
    FloatFreedom freedom_;
    Id pending_ = {};
};

}  // namespace

Result<Done> lower_wide_vectors(Module& module, PassContext& context) {
    const WideTypes types(module);
    if (!types.empty()) WideLowering(module, types, context.options).run();
    return Done{};
}

}  // namespace caldera::vulkan
