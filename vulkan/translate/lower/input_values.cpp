// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/lower/input_values.h"

#include <bit>
#include <optional>

#include "spirv/sink_scope.h"
#include "spirv/support/check.h"
#include "vulkan/translate/support/built_in.h"
#include "vulkan/translate/support/number_arguments.h"

namespace caldera::vulkan {

using spirv::Id;
using spv::BuiltIn;
using spv::Op;

namespace {

/// Components of Vulkan's variable.
uint32_t component_count(BuiltIn input) {
    if (input == BuiltIn::LocalInvocationIndex) return 1;
    if (!is_sub_group_input(input)) return 3;
    return input >= BuiltIn::SubgroupEqMask && input <= BuiltIn::SubgroupLtMask ? 4 : 1;
}

/// The component of HiddenKind::PrivateMemory that kernels know and functions do not: it is no argument.
constexpr uint32_t kBlockBytes = 1;

constexpr uint32_t kConverted = 4, kWholeVector = 8;

}  // namespace

template <class Emit>
Id InputValues::in_prologue(Scope& scope, Emit emit) {
    const spirv::SinkScope sink(builder_, &scope.prologue);
    return emit();
}

Id InputValues::component(Scope& scope, InputVariable input, uint32_t dimension, Id type) {
    const uint32_t key = input.key();
    Id& known = scope.components[{key, dimension}];
    if (!known) known = in_prologue(scope, [&] { return compute(scope, input, dimension); });
    const uint32_t have = builder_.width(builder_.type_of(known));
    if (have == builder_.width(type)) return known;
    Id& converted = scope.components[{key, kConverted + dimension}];
    if (!converted) converted = in_prologue(scope, [&] { return convert(known, builder_.width(type)); });
    return converted;
}

Id InputValues::whole_vector(Scope& scope, InputVariable input, Id type) {
    Id& known = scope.components[{input.key(), kWholeVector + type.value}];
    if (known) return known;
    spirv::Operands parts;
    for (uint32_t i = 0; i < builder_.count(type); ++i)
        parts.push_back(component(scope, input, i, builder_.element(type)));
    return known = in_prologue(
               scope, [&] { return builder_.append(Op::OpCompositeConstruct, type, std::move(parts)); });
}

Id InputValues::convert(Id value, uint32_t width) {
    const Id type = builder_.type_int(width);
    if (builder_.type_of(value) == type) return value;
    if (const std::optional<uint64_t> constant = builder_.constant_value(value))
        return builder_.constant_int(type, *constant);
    return builder_.append(Op::OpUConvert, type, {value});
}

Id InputValues::binary(Op op, Id a, Id b) { return builder_.append(op, builder_.type_of(a), {a, b}); }

/// OpenCL C 3.0 6.15.1 "Work-Item Functions". A region has fewer than 2^32 work-items per dimension, so
/// ids within it are 32-bit arithmetic.
Id InputValues::compute(Scope& scope, InputVariable input, uint32_t d) {
    if (input.is_block) return scope.reader->address();
    if (input.is_private_block) return private_block(scope);
    if (input.is_private_lane)
        return binary(Op::OpBitwiseAnd, private_slot(scope), builder_.constant_u32(kPrivateLanes - 1));
    if (!input.builtin) return hidden(scope, {input.hidden, input.argument});
    const BuiltIn builtin = *input.builtin;
    if (is_sub_group_input(builtin))
        return context_.options.profile.subgroups ? compute_sub_group(scope, builtin, d)
                                                  : compute_only_sub_group(scope, builtin);
    if (context_.options.simple_ndrange) return compute_simple(scope, builtin, d);
    switch (builtin) {
        case BuiltIn::GlobalInvocationId:
            return binary(Op::OpIAdd, hidden(scope, {HiddenKind::GlobalIdBase, d}),
                          convert(global_id(scope, d), 64));
        case BuiltIn::WorkgroupId:
            return binary(Op::OpIAdd, hidden(scope, {HiddenKind::GroupBase, d}),
                          vulkan_input(scope, BuiltIn::WorkgroupId, d));
        case BuiltIn::LocalInvocationId: return local_id(scope, d);
        case BuiltIn::LocalInvocationIndex: return vulkan_input(scope, BuiltIn::LocalInvocationIndex, 0);
        case BuiltIn::GlobalSize: return hidden(scope, {HiddenKind::GlobalSize, d});
        case BuiltIn::GlobalOffset: return hidden(scope, {HiddenKind::GlobalOffset, d});
        case BuiltIn::NumWorkgroups: return hidden(scope, {HiddenKind::NumGroups, d});
        case BuiltIn::EnqueuedWorkgroupSize: return hidden(scope, {HiddenKind::EnqueuedLocalSize, d});
        case BuiltIn::WorkDim: return hidden(scope, {HiddenKind::WorkDim, 0});
        case BuiltIn::WorkgroupSize: return group_size_[d];
        case BuiltIn::GlobalLinearId: return global_linear_id(scope);
        default: check(false, "a built-in variable that Vulkan lacks"); return {};
    }
}

/// The same where a dispatch is a whole NDRange without an offset.
Id InputValues::compute_simple(Scope& scope, BuiltIn input, uint32_t d) {
    switch (input) {
        case BuiltIn::GlobalInvocationId: return global_id(scope, d);
        case BuiltIn::LocalInvocationId: return local_id(scope, d);
        case BuiltIn::WorkgroupId:
        case BuiltIn::NumWorkgroups: return vulkan_input(scope, input, d);
        case BuiltIn::LocalInvocationIndex: return vulkan_input(scope, input, 0);
        case BuiltIn::GlobalSize:
            return binary(Op::OpIMul, vulkan_input(scope, BuiltIn::NumWorkgroups, d), group_size_[d]);
        case BuiltIn::GlobalOffset: return builder_.constant_u32(0);
        case BuiltIn::EnqueuedWorkgroupSize:
        case BuiltIn::WorkgroupSize: return group_size_[d];
        case BuiltIn::WorkDim: return work_dim();
        case BuiltIn::GlobalLinearId: {
            Id index = global_id(scope, 2);
            for (const uint32_t below : {1, 0}) {
                const Id size = compute_simple(scope, BuiltIn::GlobalSize, below);
                const Id id = global_id(scope, below);
                index = binary(Op::OpIAdd, binary(Op::OpIMul, index, size), id);
            }
            return index;
        }
        default: check(false, "a built-in variable that Vulkan lacks"); return {};
    }
}

Id InputValues::work_dim() {
    if (!work_dim_) work_dim_ = builder_.spec_constant_u32(context_.interface.work_dim_spec_id, 3);
    return work_dim_;
}

/// ((z * size_y) + y) * size_x + x, of ids without the global offset; unused dimensions have size 1 and
/// id 0.
Id InputValues::global_linear_id(Scope& scope) {
    Id index = {};
    for (uint32_t d = 3; d-- > 0;) {
        const Id id = compute(scope, InputVariable{BuiltIn::GlobalInvocationId}, d);
        const Id relative = binary(Op::OpISub, id, hidden(scope, {HiddenKind::GlobalOffset, d}));
        if (index) index = binary(Op::OpIMul, index, hidden(scope, {HiddenKind::GlobalSize, d}));
        index = index ? binary(Op::OpIAdd, index, relative) : relative;
    }
    return index;
}

// ---- Ids where Vulkan knows one dimension only ----

Id InputValues::local_id(Scope& scope, uint32_t d) {
    if (!group_size_.is_flat()) return vulkan_input(scope, BuiltIn::LocalInvocationId, d);
    Id index = vulkan_input(scope, BuiltIn::LocalInvocationIndex, 0);
    for (uint32_t below = 0; below < d; ++below) index = binary(Op::OpUDiv, index, group_size_[below]);
    if (d == 2) return index;
    // No division where there are no further dimensions: a driver does not know how large the index is.
    const Id further = d == 1 ? group_size_[2] : binary(Op::OpIMul, group_size_[1], group_size_[2]);
    const Id is_last =
        builder_.append(Op::OpIEqual, builder_.type_bool(), {further, builder_.constant_u32(1)});
    return builder_.append(Op::OpSelect, builder_.type_int(32),
                           {is_last, index, binary(Op::OpUMod, index, group_size_[d])});
}

Id InputValues::global_id(Scope& scope, uint32_t d) {
    if (!group_size_.is_flat()) return vulkan_input(scope, BuiltIn::GlobalInvocationId, d);
    const Id first = binary(Op::OpIMul, vulkan_input(scope, BuiltIn::WorkgroupId, d), group_size_[d]);
    return binary(Op::OpIAdd, first, local_id(scope, d));
}

// ---- Sub-groups (cl_khr_subgroups) ----

/// The device's sub-groups: all have the maximum size except the last one, which has the rest of the
/// work-group.
Id InputValues::compute_sub_group(Scope& scope, BuiltIn input, uint32_t d) {
    switch (input) {
        case BuiltIn::SubgroupMaxSize: return vulkan_input(scope, BuiltIn::SubgroupSize, 0);
        case BuiltIn::SubgroupSize: {
            const Id size = vulkan_input(scope, BuiltIn::SubgroupSize, 0);
            const Id first = binary(Op::OpIMul, vulkan_input(scope, BuiltIn::SubgroupId, 0), size);
            const Id left = binary(Op::OpISub, group_size_.work_items(), first);
            const Id is_last = builder_.append(Op::OpULessThan, builder_.type_bool(), {left, size});
            return builder_.append(Op::OpSelect, builder_.type_int(32), {is_last, left, size});
        }
        // Vulkan's NumSubgroups leaves uneven sub-groups out on llvmpipe 22.3.
        // driver_quirks.def: counts_sub_groups.
        case BuiltIn::NumSubgroups: return count_sub_groups(scope, group_size_.work_items());
        case BuiltIn::NumEnqueuedSubgroups: return count_sub_groups(scope, enqueued_group_size(scope));
        default: return vulkan_input(scope, input, d);
    }
}

Id InputValues::count_sub_groups(Scope& scope, Id work_items) {
    const Id one = builder_.constant_u32(1);
    const Id last = binary(Op::OpUDiv, binary(Op::OpISub, work_items, one),
                           vulkan_input(scope, BuiltIn::SubgroupSize, 0));
    return binary(Op::OpIAdd, last, one);
}

/// One, as large as the work-group.
Id InputValues::compute_only_sub_group(Scope& scope, BuiltIn input) {
    switch (input) {
        case BuiltIn::SubgroupSize: return group_size_.work_items();
        case BuiltIn::SubgroupMaxSize: return enqueued_group_size(scope);
        case BuiltIn::NumSubgroups:
        case BuiltIn::NumEnqueuedSubgroups: return builder_.constant_u32(1);
        case BuiltIn::SubgroupId: return builder_.constant_u32(0);
        case BuiltIn::SubgroupLocalInvocationId: return vulkan_input(scope, BuiltIn::LocalInvocationIndex, 0);
        default: check(false, "a built-in variable that needs sub-groups"); return {};
    }
}

Id InputValues::enqueued_group_size(Scope& scope) {
    Id size = compute(scope, InputVariable{BuiltIn::EnqueuedWorkgroupSize}, 0);
    for (const uint32_t d : {1, 2})
        size = binary(Op::OpIMul, size, compute(scope, InputVariable{BuiltIn::EnqueuedWorkgroupSize}, d));
    return size;
}

// ---- Private memory in a buffer (Kernel::private_bytes) ----

/// The number of the work-item in its dispatch.
Id InputValues::private_slot(Scope& scope) {
    Id& slot = scope.private_slot;
    if (slot) return slot;
    Id group = vulkan_input(scope, BuiltIn::WorkgroupId, 2);
    for (const uint32_t d : {1, 0})
        group = binary(Op::OpIAdd, binary(Op::OpIMul, group, vulkan_input(scope, BuiltIn::NumWorkgroups, d)),
                       vulkan_input(scope, BuiltIn::WorkgroupId, d));
    return slot = binary(Op::OpIAdd, binary(Op::OpIMul, group, group_size_.work_items()),
                         vulkan_input(scope, BuiltIn::LocalInvocationIndex, 0));
}

Id InputValues::private_block(Scope& scope) {
    constexpr auto kShift = static_cast<uint32_t>(std::countr_zero(kPrivateLanes));
    const Id block = binary(Op::OpShiftRightLogical, private_slot(scope), builder_.constant_u32(kShift));
    const Id offset =
        binary(Op::OpIMul, convert(block, 64), hidden(scope, {HiddenKind::PrivateMemory, kBlockBytes}));
    if (context_.options.abi == Abi::Descriptors) return offset;
    return binary(Op::OpIAdd, hidden(scope, {HiddenKind::PrivateMemory, 0}), offset);
}

// ---- What Vulkan and the argument block give ----

Id InputValues::vulkan_input(Scope& scope, BuiltIn builtin, uint32_t d) {
    const Id u32 = builder_.type_int(32);
    const bool scalar = component_count(builtin) == 1;
    const Id type = builder_.with_count(u32, component_count(builtin));
    Id& variable = vulkan_variables_[static_cast<uint32_t>(builtin)];
    if (!variable) variable = new_built_in_variable(builder_, builtin, type);
    Id& value = scope.vulkan_inputs[static_cast<uint32_t>(builtin)];
    if (!value) value = builder_.append(Op::OpLoad, type, {variable});
    return scalar ? value : builder_.append(Op::OpCompositeExtract, u32, {value, d});
}

Id InputValues::hidden(Scope& scope, HiddenComponent component) {
    Id& value = scope.hidden[component];
    if (value) return value;
    const uint32_t bytes = shape_of(component.first).component_bytes;
    const Id type = builder_.type_int(bytes * 8);
    if (!scope.reader) return value = builder_.append(Op::OpLoad, type, {private_variable(component)});
    if (component == HiddenComponent{HiddenKind::PrivateMemory, kBlockBytes})
        return value = builder_.constant_u64(scope.kernel->private_bytes * kPrivateLanes);
    for (const HiddenArgument& argument : scope.kernel->hidden) {
        if (argument.kind != component.first) continue;
        if (!is_about_argument(component.first))
            return value = if_based(component.first, scope.reader->load(type, argument.offset_bytes +
                                                                                  component.second * bytes));
        if (argument.argument == component.second)
            return value = scope.reader->load(type, argument.offset_bytes);
    }
    check(false, "a hidden argument that was not laid out");
    return {};
}

/// A region's base: 0 where the pipeline says that it has none.
Id InputValues::if_based(HiddenKind kind, Id value) {
    if (kind != HiddenKind::GroupBase && kind != HiddenKind::GlobalIdBase) return value;
    uint32_t& spec_id = context_.interface.has_base_spec_id;
    if (!has_base_) {
        spec_id = first_free_spec_id(context_.interface);
        has_base_ = builder_.spec_constant_true(spec_id);
    }
    const Id type = builder_.type_of(value);
    return builder_.append(Op::OpSelect, type, {has_base_, value, builder_.constant_int(type, 0)});
}

Id InputValues::private_variable(HiddenComponent component) {
    Id& variable = private_variables_[component];
    if (!variable)
        variable = builder_.variable(spv::StorageClass::Private,
                                     builder_.type_int(shape_of(component.first).component_bytes * 8));
    return variable;
}

}  // namespace caldera::vulkan
