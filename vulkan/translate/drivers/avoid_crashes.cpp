// SPDX-License-Identifier: Apache-2.0
// avoid_crashes: says in other words what ends a driver's compiler.
//
// tests/devices/matrix.py found each but the quotients with Mesa 26.2.6.
//   a 64-bit phi behind a selection       NVK turns the phi into a selection after it has split 64-bit values
//                                         in halves, and panics: the phi has two words instead.
//                                         Honeykrisp makes room for one by moving phis of 32 bits, and
//                                         those by moving phis of 16 bits. It then mistakes one for another
//   isnan(x) || isnan(y), isordered(x, y)  NVK flips the operands of its comparison for NaN, and panics:
//                                         integers are compared instead
//   sub_group_reduce_logical_and(x) etc.  NVK and Turnip make a conversion to bool that they cannot emit:
//                                         integers are combined instead
//   as_long(short4), also through int2    Honeykrisp makes an instruction that it cannot emit, and crashes:
//                                         the shorts are shifted and added instead
//   INT_MIN / -1                          Mesa divides constants that it finds by an instruction of the
//                                         processor that traps: the divisor is 1 there
#include <algorithm>
#include <vector>

#include "spirv/id_map.h"
#include "spirv/sink_scope.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/code.h"
#include "vulkan/translate/support/rewrite_block.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;
using spv::Op;

/// Turns phis of 64-bit scalars and vectors into phis of two words for each component.
class PhiSplitter {
 public:
    PhiSplitter(Builder& builder, Code& code, Function& function)
        : builder_(builder), code_(code), function_(function) {}

    void run() {
        for (Block& block : function_.blocks) block_of_.emplace(block.label, &block);
        std::vector<std::vector<Instruction>> wide(function_.blocks.size());
        for (size_t b = 0; b < function_.blocks.size(); ++b) wide[b] = take_wide_phis(function_.blocks[b]);
        for (size_t b = 0; b < function_.blocks.size(); ++b)
            if (!wide[b].empty()) put_words(function_.blocks[b], wide[b]);
    }

 private:
    std::vector<Instruction> take_wide_phis(Block& block) const {
        std::vector<Instruction> taken;
        std::erase_if(block.body, [&](Instruction& inst) {
            if (inst.op != Op::OpPhi || !is_wide(builder_.element(inst.type))) return false;
            taken.push_back(std::move(inst));
            return true;
        });
        return taken;
    }

    bool is_wide(Id scalar) const {
        return (builder_.is_int(scalar) || builder_.is_float(scalar)) && builder_.width(scalar) == 64;
    }

    void put_words(Block& block, const std::vector<Instruction>& wide) {
        std::vector<Instruction> phis, restored;
        for (const Instruction& phi : wide) {
            std::vector<Id> parts;
            const uint32_t count = builder_.count(phi.type);
            for (uint32_t component = 0; component < count; ++component) {
                phis.push_back(phi_of_words(phi, component));
                const SinkScope sink(builder_, &restored);
                builder_.set_line(phi.line);
                parts.push_back(code_.op(Op::OpBitcast, builder_.element(phi.type), {phis.back().result}));
            }
            const SinkScope sink(builder_, &restored);
            if (count > 1) code_.construct(phi.type, parts);
            builder_.set_line({});
            restored.back().result = phi.result;
        }
        const auto is_phi = [](const Instruction& inst) { return inst.op == Op::OpPhi; };
        const auto rest = std::find_if_not(block.body.begin(), block.body.end(), is_phi);
        phis.insert(phis.end(), block.body.begin(), rest);
        phis.insert(phis.end(), restored.begin(), restored.end());
        phis.insert(phis.end(), rest, block.body.end());
        block.body = std::move(phis);
    }

    /// The phi of a component's words. Each predecessor splits the component at its end.
    Instruction phi_of_words(const Instruction& phi, uint32_t component) {
        const Id words = builder_.type_vector(builder_.type_int(32), 2);
        Instruction made{.op = Op::OpPhi, .type = words, .result = builder_.fresh(), .line = phi.line};
        for (size_t i = 0; i + 1 < phi.operands.size(); i += 2) {
            const SinkScope sink(builder_, &block_of_.at(phi.id(i + 1))->body);
            const Id scalar = code_.extract(phi.id(i), component);
            made.operands.push_back(code_.op(Op::OpBitcast, words, {scalar}));
            made.operands.push_back(phi.id(i + 1));
        }
        return made;
    }

    Builder& builder_;
    Code& code_;
    Function& function_;
    IdMap<Block*> block_of_ = {};
};

class OtherWords {
 public:
    OtherWords(Code& code, const DriverQuirks& quirks)
        : builder_(code.builder()), code_(code), quirks_(quirks) {}

    void run(Block& block) {
        replace_instructions(builder_, block, [&](const Instruction& inst) { return replace(inst); });
    }

 private:
    bool replace(const Instruction& inst) {
        switch (inst.op) {
            case Op::OpFUnordNotEqual:
                return quirks_.panics_at_nan_tests && inst.id(0) == inst.id(1) && compare_bits(inst);
            case Op::OpIsNan:
            case Op::OpOrdered:
            case Op::OpUnordered: return quirks_.panics_at_nan_tests && compare_bits(inst);
            case Op::OpGroupNonUniformLogicalAnd:
                return quirks_.panics_at_logical_groups &&
                       combine_words(inst, Op::OpGroupNonUniformBitwiseAnd);
            case Op::OpGroupNonUniformLogicalOr:
                return quirks_.panics_at_logical_groups &&
                       combine_words(inst, Op::OpGroupNonUniformBitwiseOr);
            case Op::OpGroupNonUniformLogicalXor:
                return quirks_.panics_at_logical_groups &&
                       combine_words(inst, Op::OpGroupNonUniformBitwiseXor);
            case Op::OpSDiv: return quirks_.traps_at_quotients && divide_least(inst);
            case Op::OpBitcast: return quirks_.crashes_at_four_shorts && add_shorts(inst);
            default: return false;
        }
    }

    Id is_nan(Id value) {
        value =
            code_.convert_float(value, std::max(code_.width(value), 32u));  // of halves no integers may exist
        const Id bits = code_.magnitude_bits(value);
        return code_.compare(Op::OpUGreaterThan, bits,
                             code_.number(code_.type(bits), infinity_bits(code_.width(value))));
    }

    bool compare_bits(const Instruction& inst) {
        if (inst.op == Op::OpIsNan ||
            inst.op == Op::OpFUnordNotEqual) {  // Mesa makes one comparison of two tests
            is_nan(inst.id(0));
            return true;
        }
        const Id either =
            builder_.append(Op::OpLogicalOr, inst.type, {is_nan(inst.id(0)), is_nan(inst.id(1))});
        if (inst.op == Op::OpOrdered) builder_.append(Op::OpLogicalNot, inst.type, {either});
        return true;
    }

    /// The operation on 1 for true and 0 for false. Operands: scope, group operation, value, cluster size.
    bool combine_words(const Instruction& inst, Op op) {
        const Id type = builder_.type_int(32), zero = builder_.constant_u32(0);
        Operands operands = inst.operands;
        operands[2] = code_.op(Op::OpSelect, type, {inst.id(2), builder_.constant_u32(1), zero});
        const Id combined = builder_.append(op, type, std::move(operands));
        builder_.append(Op::OpINotEqual, inst.type, {combined, zero});
        return true;
    }

    /// A quotient of the least integer and -1 becomes one of it and 1, which is the same number. Mesa finds
    /// constants in unrolled loops and in private arrays that this compiler does not, and divides scalars.
    bool divide_least(Instruction inst) {
        const uint32_t width = builder_.width(inst.type);
        if (width < 32) return false;  // C divides ints
        const uint64_t least = sign_bit(width), minus_one = all_ones(width);
        const Id a = inst.id(0), b = inst.id(1);
        if (!may_be(a, least) || !may_be(b, minus_one)) return false;
        const Id is_least = code_.compare(Op::OpIEqual, a, code_.number(inst.type, least)),
                 is_minus_one = code_.compare(Op::OpIEqual, b, code_.number(inst.type, minus_one));
        const Id overflows = code_.binary(Op::OpLogicalAnd, is_least, is_minus_one);
        inst.operands[1] = code_.select(overflows, code_.number(inst.type, 1), b);
        builder_.append(inst.op, inst.type, inst.operands);
        return true;
    }

    /// False where no component of a constant is this number.
    bool may_be(Id value, uint64_t number) const {
        const uint32_t count = builder_.count(builder_.type_of(value));
        for (uint32_t i = 0; i < count; ++i) {
            const Id component = count > 1 ? builder_.constant_component(value, i) : value;
            const auto known = component ? builder_.constant_value(component) : std::nullopt;
            if (!known || *known == number) return true;
        }
        return false;
    }

    /// A scalar of the bits of two or four 16-bit components. They are added, because Mesa knows the bitwise
    /// OR of such parts again.
    bool add_shorts(const Instruction& inst) {
        const Id value = inst.id(0);
        const uint32_t count = code_.count(value);
        if (builder_.count(inst.type) != 1 || code_.width(value) != 16 || (count != 2 && count != 4))
            return false;
        std::vector<Id> words;
        for (uint32_t i = 0; i < count; i += 2)
            words.push_back(code_.add(word(value, i), code_.shift_left(word(value, i + 1), 16)));
        if (count == 2 && builder_.is_int(inst.type)) return true;
        code_.op(Op::OpBitcast, inst.type,
                 {code_.construct(builder_.with_count(builder_.type_int(32), count / 2), words)});
        return true;
    }

    /// A 16-bit component in 32 bits.
    Id word(Id vector, uint32_t index) {
        return code_.convert_unsigned(code_.bits(code_.extract(vector, index)), 32);
    }

    Builder& builder_;
    Code& code_;
    const DriverQuirks& quirks_;
};

}  // namespace

Result<Done> avoid_crashes(Module& module, PassContext& context) {
    const DriverQuirks& quirks = context.options.profile.quirks;
    const bool splits_phis = quirks.panics_at_wide_phis || quirks.misplaces_wide_phis;
    const bool says_otherwise = quirks.panics_at_nan_tests || quirks.panics_at_logical_groups ||
                                quirks.crashes_at_four_shorts || quirks.traps_at_quotients;
    if (!splits_phis && !says_otherwise) return Done{};
    Builder builder(module);
    Code code(builder, context.options.target);
    OtherWords words(code, quirks);
    for (Function& function : module.functions) {
        if (says_otherwise)
            for (Block& block : function.blocks) words.run(block);
        if (splits_phis) PhiSplitter(builder, code, function).run();
    }
    return Done{};
}

}  // namespace caldera::vulkan
