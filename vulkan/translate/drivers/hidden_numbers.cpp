// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/drivers/hidden_numbers.h"

#include <utility>

#include "spirv/sink_scope.h"
#include "vulkan/translate/support/opaque.h"

namespace caldera::vulkan {

using spirv::Id;

/// Puts the code that `make` appends at the start of the function.
template <class Make>
Id HiddenNumbers::at_entry(Make&& make) {
    const spirv::SinkScope sink(builder_, &at_entry_);
    return make();
}

/// The hidden constant as a value of the type; made once.
template <class Make>
Id HiddenNumbers::known(Id type, Id constant, Make&& make) {
    for (const Known& known : known_)
        if (known.type == type && known.constant == constant) return known.value;
    const Id value = make();
    known_.push_back({type, constant, value});
    return value;
}

Id HiddenNumbers::number(Id type, uint64_t bits) {
    const Id scalar = builder_.element(type);
    const Id constant = builder_.is_float(scalar) ? builder_.constant_float_bits(scalar, bits)
                                                  : builder_.constant_int(scalar, bits);
    return known(type, constant, [&] {
        const Id hidden = value(constant);
        return at_entry([&] { return code_.splat(hidden, builder_.count(type)); });
    });
}

Id HiddenNumbers::value(Id constant) {
    return known(code_.type(constant), constant, [&] {
        return at_entry([&] {
            if (is_array(builder_, code_.type(constant))) return hide(constant);
            return code_.select(no_groups(), other(constant), constant);
        });
    });
}

Id HiddenNumbers::components(Id constant, std::span<const uint32_t> hidden) {
    const Id type = code_.type(constant);
    Id changed = constant;
    for (const uint32_t at : hidden) {
        const Id component = value(builder_.constant_component(constant, at));
        changed = at_entry([&] {
            return code_.op(spv::Op::OpCompositeInsert, type, {component, changed, at});
        });
    }
    return changed;
}

Id HiddenNumbers::hide(Id floats) {
    const Id type = code_.type(floats);
    const bool is_float = builder_.is_float(builder_.element(type));
    if (!is_array(builder_, type))
        return code_.select(no_groups(), is_float ? code_.real(type, 2) : code_.number(type, 1), floats);
    spirv::Operands hidden;
    for (uint32_t i = 0; i < builder_.array_length(type); ++i)
        hidden.push_back(hide(code_.op(spv::Op::OpCompositeExtract, builder_.element(type), {floats, i})));
    return code_.op(spv::Op::OpCompositeConstruct, type, std::move(hidden));
}

void HiddenNumbers::insert() {
    if (!at_entry_.empty()) function_.insert_at_entry(std::move(at_entry_));
}

Id HiddenNumbers::no_groups() {
    if (!no_groups_) no_groups_ = at_entry([&] { return vulkan::no_groups(builder_, at_entry_); });
    return no_groups_;
}

/// The other operand of the selection: 2.0, or an integer that differs from the constant. For -1 it is 3:
/// with 1, compilers would turn x * -1 into a selection of x and -x.
Id HiddenNumbers::other(Id constant) {
    const Id type = code_.type(constant);
    const uint32_t width = builder_.width(type);
    if (builder_.is_float(builder_.element(type)))
        return builder_.changed_constant(type, constant,
                                         [&](uint64_t) { return sign_bit(width) >> 1; });  // 2.0
    return builder_.changed_constant(type, constant, [&](uint64_t bits) -> uint64_t {
        return bits == 1 ? 0 : bits == all_ones(width) ? 3 : 1;
    });
}

}  // namespace caldera::vulkan
