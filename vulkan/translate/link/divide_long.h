// SPDX-License-Identifier: Apache-2.0
// LongDivision: divides 64-bit integers without the device's division. It multiplies by a constant divisor's
// inverse, or calls the library's quotient().
#pragma once

#include <map>
#include <tuple>

#include "spirv/support/result.h"
#include "vulkan/translate/link/library_linker.h"
#include "vulkan/translate/support/code.h"

namespace caldera::vulkan {

class LongDivision {
 public:
    LongDivision(spirv::Builder& builder, LibraryLinker& linker) : code_(builder), linker_(linker) {}

    /// Call this when emission moves to another block, where earlier quotients may not be available.
    void begin_block() { quotients_.clear(); }
    /// Returns the value of an OpUDiv, OpSDiv, OpUMod, OpSRem or OpSMod of 64-bit integers or vectors of
    /// them. {} for any other instruction. A quotient and a remainder with the same divisor share the
    /// division.
    Result<spirv::Id> emit(const spirv::Instruction& inst);

 private:
    Result<spirv::Id> quotient(spirv::Id a, spirv::Id b, bool is_signed);
    Result<spirv::Id> quotient_of_scalars(spirv::Id a, spirv::Id b, bool is_signed);
    spirv::Id by_constant(spirv::Id a, uint64_t divisor, bool is_signed);
    spirv::Id by_constant(spirv::Id a, uint64_t divisor, uint64_t most);
    spirv::Id mul_high(spirv::Id a, uint64_t b);

    Code code_;
    LibraryLinker& linker_;
    std::map<std::tuple<spirv::Id, spirv::Id, bool>, spirv::Id> quotients_ = {};
};

/// Divides unsigned numbers a <= `most` by a number that is not a power of two, as a * (multiplier + 2^64 if
/// `is_65_bits`) >> 64 + shift (T. Granlund, P. Montgomery: Division by invariant integers using
/// multiplication, 1994).
struct InverseMultiplier {
    uint64_t multiplier = 0;
    uint32_t shift = 0;
    bool is_65_bits = false;
};
InverseMultiplier inverse_multiplier(uint64_t divisor, uint64_t most);

}  // namespace caldera::vulkan
