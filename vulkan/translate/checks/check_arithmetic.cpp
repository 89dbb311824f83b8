// SPDX-License-Identifier: Apache-2.0
// check_arithmetic: reports operations whose result the specification leaves open: integer division by zero
// and the least integer divided by -1 (OpenCL C 3.0 6.4), and conversions of floats to integers that cannot
// have the value, without _sat (6.2.3.3). OpenCL C takes the lowest bits of how far it shifts (6.4), so only
// modules of others can shift by too much (SPIR-V 3.52.13). The operation itself is not changed.
//
// A vector is reported once, with the first component at fault. An operand of `?:`, `&&` or `||` that is not
// chosen is not reported.
//
// Before: only the program's own functions have bodies. After: interface.check_sites has the operations that
// may be at fault.
#include <cmath>
#include <functional>
#include <optional>

#include "spirv/support/floats.h"
#include "vulkan/translate/checks/choices.h"
#include "vulkan/translate/checks/instrument.h"

namespace caldera::vulkan {
namespace {

using spirv::Function;
using spirv::Id;
using spirv::Instruction;
using spv::Op;

/// The bounds of the floats that an integer has, as a conversion rounds. `is_open`: without the bound itself.
struct Range {
    double least = 0, most = 0;
    bool least_is_open = false, most_is_open = false;
};

class ArithmeticChecks {
 public:
    ArithmeticChecks(spirv::Module& module, PassContext& context)
        : module_(module), instrument_(module, context), builder_(instrument_.builder()) {
        for (const Instruction& inst : module.annotations) {
            if (inst.op != Op::OpDecorate) continue;
            const auto decoration = static_cast<spv::Decoration>(inst.word(1));
            if (decoration == spv::Decoration::SaturatedConversion) saturated_.insert(inst.id(0));
            if (decoration == spv::Decoration::FPRoundingMode)
                rounding_[inst.id(0)] = static_cast<spv::FPRoundingMode>(inst.word(2));
        }
    }

    void run() {
        for (Function& function : module_.functions) {
            if (function.blocks.empty()) continue;
            const Function before = function;
            choices_.emplace(builder_, before);
            instrument_.rewrite(function, [&](Instruction& inst, std::vector<Instruction>& out) {
                check(inst);
                out.push_back(std::move(inst));
            });
        }
        instrument_.finish();
    }

 private:
    void check(const Instruction& inst) {
        switch (inst.op) {
            case Op::OpSDiv: return check_quotient(inst, "division", true);
            case Op::OpUDiv: return check_quotient(inst, "division", false);
            case Op::OpSRem:
            case Op::OpSMod: return check_quotient(inst, "remainder", true);
            case Op::OpUMod: return check_quotient(inst, "remainder", false);
            case Op::OpShiftLeftLogical:
            case Op::OpShiftRightLogical: return check_shift(inst, false);
            case Op::OpShiftRightArithmetic: return check_shift(inst, true);
            case Op::OpConvertFToS: return check_conversion(inst, true);
            case Op::OpConvertFToU: return check_conversion(inst, false);
            default: return;
        }
    }

    void check_quotient(const Instruction& inst, const char* what, bool is_signed) {
        const Id first = inst.id(0), divisor = inst.id(1);
        const uint64_t least = uint64_t{1} << (builder_.width(inst.type) - 1), minus_one = 2 * least - 1;
        const bool may_be_zero = may_be(divisor, [](uint64_t x) { return x == 0; });
        const bool may_overflow = is_signed &&
                                  may_be(divisor, [&](uint64_t x) { return (x & minus_one) == minus_one; }) &&
                                  may_be(first, [&](uint64_t x) { return (x & minus_one) == least; });
        if (!may_be_zero && !may_overflow) return;
        std::vector<std::pair<uint32_t, Id>> faults;
        if (may_be_zero)
            faults.emplace_back(kDividesByZero, compare(Op::OpIEqual, divisor, number(inst.type, 0)));
        if (may_overflow) {
            const Id is_least = compare(Op::OpIEqual, first, number(inst.type, least)),
                     is_minus_one = compare(Op::OpIEqual, divisor, number(inst.type, minus_one));
            faults.emplace_back(
                kOverflowsQuotient,
                builder_.append(Op::OpLogicalAnd, builder_.type_of(is_least), {is_least, is_minus_one}));
        }
        report(inst, std::string(what) + " of " + name_of(inst.type, is_signed), faults, first,
               is_signed ? Op::OpSConvert : Op::OpUConvert);
    }

    void check_shift(const Instruction& inst, bool is_signed) {
        const Id by = inst.id(1);
        const uint32_t width = builder_.width(inst.type);
        const auto is_too_much = [&](uint64_t x) { return x >= width; };
        const Instruction* mask = instrument_.paths().def(by);
        if (mask && mask->op == Op::OpBitwiseAnd &&
            (!may_be(mask->id(0), is_too_much) || !may_be(mask->id(1), is_too_much)))
            return;
        if (!may_be(by, is_too_much)) return;
        report(inst, "shift of " + name_of(inst.type, is_signed),
               {{kShiftsTooFar, compare(Op::OpUGreaterThanEqual, by, number(builder_.type_of(by), width))}},
               by, Op::OpUConvert);
    }

    void check_conversion(const Instruction& inst, bool is_signed) {
        if (saturated_.contains(inst.result)) return;
        const Id value = inst.id(0), type = builder_.type_of(value);
        const Range range =
            range_of(builder_.width(inst.type), is_signed, rounding_of(inst.result), builder_.width(type));
        const Id from = compare(range.least_is_open ? Op::OpFOrdGreaterThan : Op::OpFOrdGreaterThanEqual,
                                value, real(type, range.least)),
                 to = compare(range.most_is_open ? Op::OpFOrdLessThan : Op::OpFOrdLessThanEqual, value,
                              real(type, range.most)),
                 bools = builder_.type_of(from);
        const Id inside = builder_.append(Op::OpLogicalAnd, bools, {from, to});
        report(inst, "conversion of " + name_of(type, true) + " to " + name_of(inst.type, is_signed),
               {{kConvertsTooMuch, builder_.append(Op::OpLogicalNot, bools, {inside})}}, value,
               Op::OpBitcast);
    }

    /// What the conversion rounds to an integer that there is. Large floats have no fractions.
    static Range range_of(uint32_t width, bool is_signed, spv::FPRoundingMode rounding,
                          uint32_t float_width) {
        const int digits = float_width == 16 ? 11 : float_width == 32 ? 24 : 53;
        const double largest = float_width == 16 ? 65504 : HUGE_VAL;
        const int bits = static_cast<int>(width) - (is_signed ? 1 : 0);
        const bool most_has_fractions = bits < digits, least_has_fractions = !is_signed || most_has_fractions;
        Range range{.least = is_signed ? -std::ldexp(1.0, bits) : 0,
                    .most = std::ldexp(1.0, bits),
                    .most_is_open = true};
        switch (rounding) {
            case spv::FPRoundingMode::RTN: break;
            case spv::FPRoundingMode::RTE:
                if (least_has_fractions) range.least -= 0.5;
                if (most_has_fractions) range.most -= 0.5;
                break;
            case spv::FPRoundingMode::RTP:
            default:
                range.least_is_open = least_has_fractions;
                if (least_has_fractions) range.least -= 1;
                if (rounding != spv::FPRoundingMode::RTP || !most_has_fractions) break;
                range.most -= 1;
                range.most_is_open = false;
        }
        if (range.most > largest) range.most = HUGE_VAL;
        if (range.least < -largest) {
            range.least = -HUGE_VAL;
            range.least_is_open = true;
        }
        return range;
    }

    spv::FPRoundingMode rounding_of(Id result) const {
        const auto found = rounding_.find(result);
        return found == rounding_.end() ? spv::FPRoundingMode::RTZ : found->second;
    }

    // ---- Values ----

    /// Whether a component may be such a number: it is one, or no constant.
    bool may_be(Id value, const std::function<bool(uint64_t)>& is) {
        const uint32_t count = builder_.count(builder_.type_of(value));
        for (uint32_t i = 0; i < count; ++i) {
            const Id part = count == 1 ? value : builder_.constant_component(value, i);
            const std::optional<uint64_t> known = part ? builder_.constant_value(part) : std::nullopt;
            if (!known || is(*known)) return true;
        }
        return false;
    }
    Id number(Id type, uint64_t value) {
        const Id one = builder_.constant_int(builder_.element(type), value);
        return builder_.is_vector(type) ? builder_.constant_splat(type, one) : one;
    }
    Id real(Id type, double value) {
        const Id element = builder_.element(type);
        const Id one = builder_.constant_float_bits(element, float_bits(builder_.width(element), value));
        return builder_.is_vector(type) ? builder_.constant_splat(type, one) : one;
    }
    Id compare(Op op, Id a, Id b) {
        const Id type = builder_.with_count(builder_.type_bool(), builder_.count(builder_.type_of(a)));
        return builder_.append(op, type, {a, b});
    }

    static const char* integer_name(uint32_t width) {
        return width == 8 ? "char" : width == 16 ? "short" : width == 32 ? "int" : "long";
    }
    /// As OpenCL C has it.
    std::string name_of(Id type, bool is_signed) const {
        const Id element = builder_.element(type);
        const uint32_t width = builder_.width(element), count = builder_.count(type);
        std::string name = !builder_.is_float(element)
                               ? (is_signed ? "" : "u") + std::string(integer_name(width))
                           : width == 16 ? "half"
                           : width == 32 ? "float"
                                         : "double";
        return count == 1 ? name : name + std::to_string(count);
    }

    /// Where the choice is made, too.
    Id both(Id bools, const Choice& choice) {
        const Id type = builder_.type_of(bools);
        Id chosen = choice.condition;
        if (builder_.type_of(chosen) != type)
            chosen = builder_.append(Op::OpCompositeConstruct, type,
                                     spirv::Operands(builder_.count(type), chosen));
        if (!choice.when) chosen = builder_.append(Op::OpLogicalNot, type, {chosen});
        return builder_.append(Op::OpLogicalAnd, type, {chosen, bools});
    }

    /// `faults`: what may be wrong, by component. The value for the report becomes 64 bits by `widen`.
    void report(const Instruction& inst, std::string operation, std::vector<std::pair<uint32_t, Id>> faults,
                Id value, Op widen) {
        for (const Choice& choice : choices_->of(inst.result))
            for (auto& [what, is] : faults) is = both(is, choice);
        const Id u32 = builder_.type_int(32), u64 = builder_.type_int(64);
        const Id type = builder_.type_of(value), element = builder_.element(type);
        const uint32_t count = builder_.count(type), width = builder_.width(element);
        Id fault = builder_.constant_u32(0), shown = {};
        for (uint32_t i = count; i-- > 0;) {
            const Id part = count == 1 ? value : builder_.append(Op::OpCompositeExtract, element, {value, i});
            const Id bits = builder_.is_float(element)
                                ? builder_.append(Op::OpBitcast, builder_.type_int(width), {part})
                                : part;
            const Id wide = instrument_.widened(bits, widen == Op::OpBitcast ? Op::OpUConvert : widen);
            if (!shown) shown = wide;
            for (auto known = faults.rbegin(); known != faults.rend(); ++known) {
                const Id is = count == 1 ? known->second
                                         : builder_.append(Op::OpCompositeExtract, builder_.type_bool(),
                                                           {known->second, i});
                fault = builder_.append(Op::OpSelect, u32, {is, builder_.constant_u32(known->first), fault});
                if (shown != wide) shown = builder_.append(Op::OpSelect, u64, {is, wide, shown});
            }
        }
        const Id site = instrument_.site(
            inst,
            {.kind = CheckKind::Arithmetic, .size_bytes = width / 8, .operation = std::move(operation)});
        const Id is_fault =
            builder_.append(Op::OpINotEqual, builder_.type_bool(), {fault, builder_.constant_u32(0)});
        instrument_.report_if(is_fault, site,
                              {.address = shown, .other = instrument_.widened(fault, Op::OpUConvert)});
    }

    spirv::Module& module_;
    Instrument instrument_;
    spirv::Builder& builder_;
    std::optional<Choices> choices_ = {};  // of the function that is being rewritten
    spirv::IdSet saturated_ = {};
    spirv::IdMap<spv::FPRoundingMode> rounding_ = {};
};

}  // namespace

Result<Done> check_arithmetic(spirv::Module& module, PassContext& context) {
    if (!has(context.options.checks, MemoryChecks::Arithmetic)) return Done{};
    if (context.options.abi != Abi::Addresses) return Error{kNeedsAddresses};
    ArithmeticChecks(module, context).run();
    return Done{};
}

}  // namespace caldera::vulkan
