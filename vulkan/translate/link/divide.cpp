// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/link/divide.h"

#include <spirv/unified1/OpenCL.std.h>

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spv::Op;

class Division {
 public:
    Division(Builder& builder, Id type)
        : builder_(builder), result_type_(type), type_(builder.with_element(type, builder.type_float(32))) {}

    /// A half that is rounded from a quotient of floats has no larger error than that rounding.
    Id of_halves(Id x, Id y) {
        const Id quotient = binary(Op::OpFDiv, widen(x), widen(y));
        return builder_.append(Op::OpFConvert, result_type_, {quotient});
    }

    /// A power of two scales the divisor into the range for which Vulkan guarantees 2.5 ulp, 2^-126 to 2^126.
    /// If the scaled dividend underflows or overflows, so does the quotient.
    Id of_floats(Id x, Id y) {
        const Id opencl = builder_.ext_inst_import("OpenCL.std");
        const Id arguments[] = {y};
        const Id size = builder_.ext_inst(opencl, type_, OpenCLLIB::Fabs, arguments);
        const Id small = select(compare(Op::OpFOrdLessThan, size, 0x1p-96f), real(0x1p32f), real(1));
        const Id factor = select(compare(Op::OpFOrdGreaterThan, size, 0x1p96f), real(0x1p-32f), small);
        return binary(Op::OpFDiv, binary(Op::OpFMul, x, factor), binary(Op::OpFMul, y, factor));
    }

    /// Whether the divisor is a constant in that range, or a power of two does not change it: zero, infinity,
    /// NaN.
    bool is_promised(Id divisor, bool denorms_are_zero) const {
        const Instruction* constant = builder_.find_global(divisor);
        if (!constant) return false;
        if (constant->op == Op::OpConstantNull) return true;
        if (constant->op == Op::OpConstant) {
            const uint32_t exponent = constant->word(0) >> 23 & 0xff, fraction = constant->word(0) & 0x7fffff;
            if (exponent == 0) return fraction == 0 || denorms_are_zero;
            return exponent < 127 + 126 || exponent == 255;
        }
        if (constant->op != Op::OpConstantComposite) return false;
        for (size_t i = 0; i < constant->operands.size(); ++i)
            if (!is_promised(constant->id(i), denorms_are_zero)) return false;
        return true;
    }

 private:
    Id real(float value) {
        const Id constant = builder_.constant_f32(value);
        return builder_.count(type_) == 1 ? constant : builder_.constant_splat(type_, constant);
    }
    Id widen(Id value) { return builder_.append(Op::OpFConvert, type_, {value}); }
    Id binary(Op op, Id a, Id b) { return builder_.append(op, type_, {a, b}); }
    Id compare(Op op, Id a, float limit) {
        return builder_.append(op, builder_.with_element(type_, builder_.type_bool()), {a, real(limit)});
    }
    Id select(Id condition, Id a, Id b) { return builder_.append(Op::OpSelect, type_, {condition, a, b}); }

    Builder& builder_;
    Id result_type_, type_;
};

}  // namespace

bool emit_division(Builder& builder, const Instruction& division, bool denorms_are_zero) {
    const uint32_t width = builder.width(division.type);
    Division emit(builder, division.type);
    if (width == 64 || (width == 32 && emit.is_promised(division.id(1), denorms_are_zero))) return false;
    if (width == 16)
        emit.of_halves(division.id(0), division.id(1));
    else
        emit.of_floats(division.id(0), division.id(1));
    builder.sink()->back().result = division.result;
    return true;
}

}  // namespace caldera::vulkan
