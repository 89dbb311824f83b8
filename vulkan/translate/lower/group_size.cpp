// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/lower/group_size.h"

#include <algorithm>
#include <string>

#include "spirv/uses.h"

namespace caldera::vulkan {

using spirv::Function;
using spirv::Id;
using spv::BuiltIn;
using spv::Op;

void GroupSize::choose(bool uses_sub_groups) {
    const std::vector<Kernel>& kernels = context_.interface.kernels;
    if (kernels.empty()) return;
    const auto first = kernels.front().required_local_size;
    const bool same = std::all_of(kernels.begin(), kernels.end(),
                                  [&](const Kernel& kernel) { return kernel.required_local_size == first; });
    if (same && first[0] != 0) default_sizes_ = first;
    const TranslateOptions& options = context_.options;
    is_fixed_ = same && first[0] != 0 && (options.uniform_work_group_size || options.clspv_reflection);
    is_flat_ = uses_sub_groups;
    for (uint32_t i = 0; i < 3; ++i) {
        if (is_fixed_) {
            sizes_[i] = builder_.constant_u32(first[i]);
            continue;
        }
        sizes_[i] = builder_.spec_constant_u32(kernels.front().local_size_spec_ids[i], default_sizes_[i]);
        builder_.name(sizes_[i], std::string("local_size_") + "xyz"[i]);
    }
    if (is_fixed_) return;
    const Id one = builder_.constant_u32(1);
    const Id size =
        builder_.global(Op::OpSpecConstantComposite, builder_.type_vector(builder_.type_int(32), 3),
                        is_flat_ ? spirv::Operands{work_items(), one, one}
                                 : spirv::Operands{sizes_[0], sizes_[1], sizes_[2]});
    builder_.decorate(size, spv::Decoration::BuiltIn, {BuiltIn::WorkgroupSize});
}

Id GroupSize::work_items() {
    if (work_items_) return work_items_;
    if (is_fixed_)
        return work_items_ = builder_.constant_u32(default_sizes_[0] * default_sizes_[1] * default_sizes_[2]);
    const Id u32 = builder_.type_int(32);
    const Id row = builder_.global(Op::OpSpecConstantOp, u32, {Op::OpIMul, sizes_[0], sizes_[1]});
    return work_items_ = builder_.global(Op::OpSpecConstantOp, u32, {Op::OpIMul, row, sizes_[2]});
}

std::array<uint32_t, 3> GroupSize::mode() const {
    if (is_flat_) return {default_sizes_[0] * default_sizes_[1] * default_sizes_[2], 1, 1};
    return default_sizes_;
}

spirv::IdSet GroupSize::shorten_group_values() {
    spirv::IdSet variables;
    spirv::Substitution replaced;
    for (const Id id : context_.variables.group_values) {
        const Id array = builder_.pointee(builder_.type_of(id));
        const auto each = static_cast<uint32_t>(builder_.array_length(array) /
                                                context_.options.profile.max_local_invocations);
        Id length = work_items();
        if (each > 1)
            length = builder_.global(Op::OpSpecConstantOp, builder_.type_int(32),
                                     {Op::OpIMul, length, builder_.constant_u32(each)});
        const Id shorter = builder_.variable(spv::StorageClass::Workgroup,
                                             builder_.type_array(builder_.element(array), length));
        builder_.name(shorter, "caldera.group_values");
        replaced.set(id, shorter);
        variables.insert(id);
    }
    if (variables.empty()) return variables;
    for (Function& function : builder_.module().functions) replaced.apply(function);
    return variables;
}

}  // namespace caldera::vulkan
