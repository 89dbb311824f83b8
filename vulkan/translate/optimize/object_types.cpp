// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/optimize/object_types.h"

namespace caldera::vulkan {

using spirv::Id;

namespace {

constexpr uint64_t kMaxSplitArray = 64;  // elements of an array that is split

}  // namespace

uint64_t ObjectTypes::size_of(Id type) const {
    const auto layout = layout_.find(type);
    return layout ? layout->size_bytes : 0;
}

uint64_t ObjectTypes::part_count(Id type, uint32_t depth) const {
    if (!is_aggregate(type)) return 1;
    if (depth > kMaxDepth || !is_countable(type)) return kMaxParts + 1;
    if (builder_.op_of_type(type) == spv::Op::OpTypeArray) {
        const uint64_t length = builder_.array_length(type);
        if (length > kMaxSplitArray) return kMaxParts + 1;
        return length * part_count(builder_.element(type), depth + 1);
    }
    uint64_t parts = 0;
    for (uint32_t i = 0; i < builder_.member_count(type) && parts <= kMaxParts; ++i)
        parts += part_count(builder_.member(type, i), depth + 1);
    return parts;
}

bool ObjectTypes::same_bits(Id a, Id b) const {
    auto numeric = [&](Id type) {
        const Id element = builder_.is_vector(type) ? builder_.element(type) : type;
        return builder_.is_int(element) || builder_.is_float(element);
    };
    if (!numeric(a) || !numeric(b) || builder_.count(a) == 3 || builder_.count(b) == 3) return false;
    return builder_.width(a) * builder_.count(a) == builder_.width(b) * builder_.count(b);
}

bool ObjectTypes::is_padded(Id object, Id type) const {
    return builder_.is_vector(object) && builder_.is_vector(type) && builder_.count(object) == 3 &&
           builder_.count(type) == 4 && builder_.element(object) == builder_.element(type);
}

}  // namespace caldera::vulkan
