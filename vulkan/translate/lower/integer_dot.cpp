// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/lower/integer_dot.h"

#include <algorithm>

#include "vulkan/translate/lower/lower_opencl_std.h"

namespace caldera::vulkan {
namespace {

using spirv::Id;
using spirv::Instruction;
using spv::Op;

/// The operands' form, which the instruction specifies.
struct DotForm {
    bool a_signed = true, b_signed = true, saturates = false;
};
DotForm form_of(Op op) {
    const bool saturates = op == Op::OpSDotAccSat || op == Op::OpUDotAccSat || op == Op::OpSUDotAccSat;
    const bool is_unsigned = op == Op::OpUDot || op == Op::OpUDotAccSat;
    return {.a_signed = !is_unsigned,
            .b_signed = op == Op::OpSDot || op == Op::OpSDotAccSat,
            .saturates = saturates};
}

/// Computes products and sums in the result's width, or in 32 bits: higher bits do not affect the lower ones.
class PlainDot {
 public:
    PlainDot(Code& code, const Instruction& inst) : code_(code), inst_(inst), form_(form_of(inst.op)) {}

    Id value() {
        const uint32_t width = code_.builder().width(inst_.type);
        width_ = std::max(width, 32u);
        Id sum = {};
        for (const Id product : products()) sum = sum ? code_.add(sum, product) : product;
        sum = code_.convert_unsigned(sum, width);
        return form_.saturates ? add_saturated(code_, sum, inst_.id(2), form_.a_signed) : sum;
    }

 private:
    std::vector<Id> products() {
        std::vector<Id> out;
        if (code_.count(inst_.id(0)) == 1) {
            for (uint32_t i = 0; i < 4; ++i)
                out.push_back(code_.mul(widened(byte(inst_.id(0), i, form_.a_signed), form_.a_signed),
                                        widened(byte(inst_.id(1), i, form_.b_signed), form_.b_signed)));
            return out;
        }
        const Id product =
            code_.mul(widened(inst_.id(0), form_.a_signed), widened(inst_.id(1), form_.b_signed));
        for (uint32_t i = 0; i < code_.count(product); ++i) out.push_back(code_.extract(product, i));
        return out;
    }
    Id widened(Id x, bool is_signed) {
        return is_signed ? code_.convert_signed(x, width_) : code_.convert_unsigned(x, width_);
    }
    /// The first one is the lowest.
    Id byte(Id word, uint32_t index, bool is_signed) {
        if (is_signed) return code_.shift_right_signed(code_.shift_left(word, 24 - 8 * index), 24);
        return code_.bit_and(code_.shift_right(word, 8 * index), code_.number(code_.type(word), 0xff));
    }

    Code& code_;
    const Instruction& inst_;
    const DotForm form_;
    uint32_t width_ = 32;
};

/// Whether an instruction for such operands is faster.
bool is_faster(const DotProducts& products, DotForm form) {
    if (!form.a_signed) return form.saturates ? products.saturating_unsigned : products.of_unsigned;
    if (form.b_signed) return form.saturates ? products.saturating_signed : products.of_signed;
    return form.saturates ? products.saturating_both : products.of_both;
}

const DotProducts& of_width(const DeviceProfile& profile, uint32_t width) {
    return width == 8    ? profile.dot_8
           : width == 16 ? profile.dot_16
           : width == 32 ? profile.dot_32
                         : profile.dot_64;
}

bool has_integers(const DeviceProfile& profile, uint32_t width) {
    return width == 8 ? profile.int8 : width == 16 ? profile.int16 : width == 32 || profile.int64;
}

}  // namespace

std::optional<Id> lower_integer_dot(Code& code, Instruction& inst, const DeviceProfile& profile) {
    const DotForm form = form_of(inst.op);
    const Id vector = inst.id(0);
    const uint32_t width = code.width(vector), count = code.count(vector);
    const bool is_word = count == 1, is_bytes = count == 4 && width == 8;
    if (has_integers(profile, code.builder().width(inst.type))) {
        if (is_word && is_faster(profile.dot_4x8_packed, form)) return std::nullopt;
        if (!is_word && count <= 4 && has_integers(profile, width) &&
            is_faster(of_width(profile, width), form))
            return std::nullopt;
        if (is_bytes && is_faster(profile.dot_4x8_packed, form)) {
            const Id word = code.builder().type_int(32);
            for (size_t i : {0, 1}) inst.operands[i] = code.op(Op::OpBitcast, word, {inst.id(i)});
            inst.operands.push_back(spv::PackedVectorFormat::PackedVectorFormat4x8Bit);
            return std::nullopt;
        }
    }
    return PlainDot(code, inst).value();
}

}  // namespace caldera::vulkan
