// SPDX-License-Identifier: Apache-2.0
// SameValues: which values of a function a driver's compiler can find to be the same, component by component.
//
// Drivers inline all functions and take vectors apart. They then see that two sums are one address, although
// the sums have their terms in another order, or lead through the selections of checks. They load once from
// one address, and take what was stored there. So they know comparisons and differences that are between two
// values here.
//
// Each component has a number: the same components have the same number (Alpern, Wegman and Zadeck 1988).
// That of an integer is the sum of the numbers that it is the sum of, modulo 2^64, and other numbers are
// hashes. A compiler may find less: here no write is between two loads from one address, and conversions
// between integers change nothing. Whoever asks makes something opaque that was not known then, which is
// correct too.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "spirv/builder.h"
#include "spirv/cfg.h"
#include "spirv/id_map.h"

namespace caldera::vulkan {

/// What the calls of a function pass, as far as a compiler that inlines them sees it.
struct PassedValues {
    /// Parameters that some call passes a value that a compiler knows.
    spirv::IdSet known = {};
    /// Which component of all parameters, counted from the first, some call passes the same value as each.
    std::vector<size_t> first_same = {};

    bool empty() const {
        for (size_t i = 0; i < first_same.size(); ++i)
            if (first_same[i] != i) return false;
        return known.empty();
    }
};

class SameValues {
 public:
    /// Analyses the function, whose pointers are those of lower_memory. Values that a pass adds later are
    /// unknown to it.
    SameValues(const spirv::Builder& builder, const spirv::Function& function, const PassedValues& passed);

    /// Whether operands that are the same decide the component of a result, whatever their values are: x < x
    /// is false, and x - x is 0.
    bool decides(const spirv::Instruction& inst, uint32_t component) const;
    /// The same of all components.
    bool decides(const spirv::Instruction& inst) const;
    /// Adds what a call passes to what others of the same function pass.
    void add_same(const spirv::Instruction& call, PassedValues& passed) const;

 private:
    using Numbers = std::span<const uint64_t>;
    using Lanes = std::vector<uint64_t>;

    void enter_parameters(const spirv::Function& function, const PassedValues& passed);
    void enter_block(const spirv::Block& block);
    void set(spirv::Id value, Lanes lanes);
    Numbers numbers(spirv::Id value) const;
    uint64_t number(spirv::Id value, uint32_t component) const;
    Lanes constant(const spirv::Instruction& global) const;
    uint32_t components(spirv::Id type) const;
    uint32_t first_component(spirv::Id type, std::span<const spirv::Operand> path) const;

    Lanes computed(const spirv::Instruction& inst);
    Lanes phi(const spirv::Instruction& inst) const;
    Lanes chain(const spirv::Instruction& inst) const;
    Lanes loaded(const spirv::Instruction& load);
    void store(const spirv::Instruction& inst);
    uint64_t place(spirv::Id pointer, spirv::Id type, uint32_t component) const;
    Lanes construct(const spirv::Instruction& inst) const;
    Lanes shuffle(const spirv::Instruction& inst) const;
    Lanes by_component(const spirv::Instruction& inst) const;
    uint64_t operation(const spirv::Instruction& inst, std::span<const uint64_t> operands) const;
    Lanes whole(const spirv::Instruction& inst) const;
    Lanes alone(spirv::Id value, uint32_t count) const;

    const spirv::Builder& builder_;
    struct Range {
        size_t first = 0, count = 0;
    };
    spirv::IdMap<Range> ranges_ = {};  // of numbers_
    std::vector<uint64_t> numbers_ = {};
    std::unordered_map<uint64_t, uint64_t> contents_ =
        {};  // of memory: place -> number, in the current block
    struct Change {
        uint64_t place = 0, before = 0;
        bool was_known = false;
    };
    std::vector<Change> changes_ = {};
};

}  // namespace caldera::vulkan
