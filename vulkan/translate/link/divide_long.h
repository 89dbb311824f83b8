// SPDX-License-Identifier: Apache-2.0
// LongDivision: divisions of 64-bit integers without the device's: multiplications by a constant divisor's inverse, or calls of the
// library's quotient().
#pragma once

#include <map>
#include <tuple>

#include "spirv/support/result.h"
#include "vulkan/translate/link/library_linker.h"
#include "vulkan/translate/support/code.h"

namespace caldera::vulkan {

class LongDivision {
 public:
    LongDivision(spirv::Builder& builder, LibraryLinker& linker)
        : code_(builder, /*select_by_scalar=*/false), linker_(linker) {}

    /// What is emitted from here on is in another block, where no quotient is known.
    void begin_block() { quotients_.clear(); }
    /// OpUDiv, OpSDiv, OpUMod, OpSRem or OpSMod of 64-bit integers or vectors of them: its value. {} for any other instruction. A
    /// quotient and a remainder by the same divisor share the division.
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

/// Unsigned numbers a <= `most` are divided by a number that is no power of two with a * (multiplier + 2^64 if `is_65_bits`) >> 64 + shift
/// (T. Granlund, P. Montgomery: Division by invariant integers using multiplication, 1994).
struct InverseMultiplier {
    uint64_t multiplier = 0;
    uint32_t shift = 0;
    bool is_65_bits = false;
};
InverseMultiplier inverse_multiplier(uint64_t divisor, uint64_t most);

}  // namespace caldera::vulkan
