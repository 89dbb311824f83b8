// SPDX-License-Identifier: Apache-2.0
// SPIRV-Tools' validator for one module: what it is given, and what it says.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "spirv/spirv.h"

namespace caldera::spirv {

/// The first fault that SPIRV-Tools find.
struct Refusal {
    std::string message = {};  ///< it may end with the instruction in a line of its own
    size_t instruction = 0;    ///< counted from 1 in the order of the words; 0 if it is about none
};

class Validator {
 public:
    /// Without a target, only SPIR-V's own rules count. `words` must outlive the validator.
    Validator(std::span<const uint32_t> words, std::optional<Target> target);
    Validator(const Validator&) = delete;
    Validator& operator=(const Validator&) = delete;

    /// Why the environment takes no such module, where SPIRV-Tools would not say so: they have no environment
    /// for OpenCL with extensions.
    const std::optional<Refusal>& unfit() const { return unfit_; }
    /// What SPIRV-Tools are to see: the module, or one with stand-ins for what they do not know.
    std::span<const uint32_t> words() const { return words_; }
    /// Judges words() or a changed copy of it. Friendly names take time, also where there is no fault.
    std::optional<Refusal> refusal(std::span<const uint32_t> words, bool friendly_names = false) const;

 private:
    int environment_;  // spv_target_env
    uint32_t max_parameters_;
    std::vector<uint32_t> stand_in_ = {};
    std::span<const uint32_t> words_;
    std::optional<Refusal> unfit_ = {};
};

}  // namespace caldera::spirv
