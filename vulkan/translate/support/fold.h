// SPDX-License-Identifier: Apache-2.0
// Folds single instructions: constants, neutral operands, and extracts from composites that were just
// constructed.
#pragma once

#include <optional>

#include "spirv/builder.h"
#include "spirv/id_map.h"

namespace caldera::vulkan {

class Folder {
 public:
    /// `plain_conversions`: none has a decoration, so that all round as they do without one.
    explicit Folder(spirv::Builder& builder, bool plain_conversions = false)
        : builder_(builder), plain_conversions_(plain_conversions) {}

    /// Returns the value that the instruction always has, or {}. May also rewrite `inst` into a simpler
    /// instruction with the same result. Its operands must have been folded before, and note() must have been
    /// called for the definitions that fold() may look at.
    spirv::Id fold(spirv::Instruction& inst);
    /// Records a definition of the current function, which must not move.
    void note(const spirv::Instruction& inst);
    void forget() { definitions_.clear(); }

 private:
    const spirv::Instruction* definition(spirv::Id id) const;
    spirv::Id fold_extract(spirv::Instruction& inst);
    spirv::Id fold_construct(const spirv::Instruction& inst);
    spirv::Id number_in(spirv::Id vector, uint32_t at);
    spirv::Id fold_insert(const spirv::Instruction& inst);
    spirv::Id fold_shuffled_numbers(const spirv::Instruction& inst);
    spirv::Id fold_shuffle(const spirv::Instruction& inst);
    spirv::Id fold_binary(spirv::Instruction& inst);
    spirv::Id fold_complement(const spirv::Instruction& inst);
    spirv::Id fold_bit_count(const spirv::Instruction& inst);
    spirv::Id fold_with_itself(const spirv::Instruction& inst);
    spirv::Id fold_back(const spirv::Instruction& inst);
    spirv::Id fold_neutral(const spirv::Instruction& inst);
    spirv::Id fold_compare(spirv::Instruction& inst);
    spirv::Id fold_compare_of_select(spirv::Instruction& inst, uint64_t with);
    void narrow_compare(spirv::Instruction& inst);
    spirv::Id narrowed(spirv::Id value, spv::Op extension, spirv::Id type);
    spirv::Id fold_components(const spirv::Instruction& inst);
    bool is_number(spirv::Id value) const;
    bool is_glsl(const spirv::Instruction& inst) const;
    spirv::Id fold_to_float(const spirv::Instruction& inst);
    spirv::Id fold_to_int(const spirv::Instruction& inst);
    spirv::Id fold_float_width(const spirv::Instruction& inst);
    std::optional<double> float_constant(spirv::Id value) const;
    std::optional<double> finite_float(spirv::Id value) const;
    std::optional<double> plain_float(spirv::Id value) const;
    spirv::Id plain_constant(spirv::Id type, double value);
    spirv::Id exact_constant(spirv::Id type, double value);
    spirv::Id fold_sign(const spirv::Instruction& inst, spirv::Id operand, bool negates);
    spirv::Id fold_float_binary(const spirv::Instruction& inst);
    spirv::Id fold_self_compare(const spirv::Instruction& inst);
    spirv::Id fold_float_compare(const spirv::Instruction& inst);
    spirv::Id fold_fma(spirv::Id type, double a, double b, double c);
    spirv::Id fold_float_extended(const spirv::Instruction& inst);
    spirv::Id fold_extended(const spirv::Instruction& inst);
    std::optional<bool> truth_of(spirv::Id value) const;
    spirv::Id truth(spirv::Id type, bool value);
    spirv::Id fold_logic(const spirv::Instruction& inst);
    spirv::Id fold_comparisons(const spirv::Instruction& inst);
    spirv::Id fold_widths(spirv::Instruction& inst);
    spirv::Id fold_bits(const spirv::Instruction& inst);
    spirv::Id fold_conversion(spirv::Instruction& inst);
    spirv::Id fold_select(const spirv::Instruction& inst);
    spirv::Id fold_phi(const spirv::Instruction& inst);
    bool step_into(const spirv::Instruction& composite, spirv::Instruction& extract, spirv::Id& whole);

    spirv::Builder& builder_;
    bool plain_conversions_;
    spirv::IdTable<const spirv::Instruction*> definitions_ = {};
};

}  // namespace caldera::vulkan
