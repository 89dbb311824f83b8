// SPDX-License-Identifier: Apache-2.0
// Integers of any width up to 64 bits that are known, in the low bits of a uint64_t, and what instructions
// make of them.
#pragma once

#include <cstdint>
#include <optional>

#include "spirv/builder.h"

namespace caldera::vulkan {

constexpr uint64_t sign_bit(uint32_t width) { return uint64_t{1} << (width - 1); }
constexpr uint64_t all_ones(uint32_t width) { return ~uint64_t{0} >> (64 - width); }

/// The value of an integer of `width` bits, the highest of which is its sign.
constexpr int64_t sign_extend(uint64_t value, uint32_t width) {
    return static_cast<int64_t>(value << (64 - width)) >> (64 - width);
}

/// The value of an integer constant, whose highest bit is its sign; none if the id is of another value.
std::optional<int64_t> signed_constant(const spirv::Builder& builder, spirv::Id id);

/// What an arithmetic instruction or a comparison gives for two integers of `width` bits, of which the others
/// are zero: an integer of that width, or 1 or 0. None where SPIR-V leaves the result undefined, and for
/// other instructions.
std::optional<uint64_t> integer_result(spv::Op op, uint64_t a, uint64_t b, uint32_t width);

}  // namespace caldera::vulkan
