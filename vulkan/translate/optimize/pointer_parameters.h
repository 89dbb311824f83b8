// SPDX-License-Identifier: Apache-2.0
// What functions do with parameters that point to private memory, and what they are given for them.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "vulkan/translate/support/reach.h"

namespace caldera::vulkan {

/// A parameter that points to Function storage.
struct PointerParameter {
    uint32_t index = 0;  ///< among the function's parameters
    spirv::Id pointee = {};
    uint64_t extent = 1;    ///< how many elements of `pointee` may be accessed, from where it points on
    bool exact = true;      ///< each access is of a part at a constant place within these
    bool written = false;   ///< by the function, or by one that it calls
    bool captured = false;  ///< the pointer is kept, compared or joined with others
    /// Each call gives it `extent` elements of a variable that nothing else points to, and nothing that the function writes
    /// by another parameter.
    bool separate = true;
};

class PointerParameters {
 public:
    /// `callees_first`: of CallGraph::order(). What a function does after its callees is found on the way up, what it is given on the
    /// way down.
    PointerParameters(const spirv::Module& module, const spirv::Builder& builder, const CallGraph& graph,
                      std::span<const uint32_t> callees_first);

    std::span<const PointerParameter> of(uint32_t function) const { return parameters_[function]; }

 private:
    /// Where a pointer points, in steps from its root: elements of what that points to, then members and elements.
    struct Place {
        static constexpr uint32_t kMaxDepth = 6;
        uint32_t root = 0;
        bool exact = true;  ///< else somewhere from the root on
        uint32_t depth = 1;
        std::array<uint32_t, kMaxDepth> path = {};
        spirv::Id type = {};      ///< of what is there
        uint64_t siblings = ~0u;  ///< elements of the array that it is in; 0 for none
    };
    /// A parameter or variable of the function that is looked at.
    struct Root {
        PointerParameter* parameter = nullptr;  ///< none: a variable
        bool captured = false;
    };
    /// An argument for a PointerParameter; without a place when nothing is known about it.
    using Argument = std::optional<Place>;
    struct Call {
        uint32_t callee = 0;
        std::vector<Argument> arguments = {};
    };
    /// What is known of a function's pointers when its callers' turn has not come.
    struct Findings {
        std::vector<Root> roots = {};
        std::vector<Call> calls = {};
    };

    void find_parameters(uint32_t f);
    void visit(const spirv::Instruction& inst);
    void derive(const spirv::Instruction& inst, size_t element, size_t first_index);
    bool advance(Place& place, spirv::Id element) const;
    bool step(Place& place, spirv::Id index) const;
    void access(spirv::Id pointer, bool writes, bool is_plain);
    void call(const spirv::Instruction& inst);
    void capture(spirv::Id pointer);
    void hand_down(const Findings& findings);
    static bool fits(const Place& place, const Root& root, uint64_t extent);
    static bool overlap(const Place& a, uint64_t extent_a, const Place& b, uint64_t extent_b);

    const spirv::Module& module_;
    const spirv::Builder& builder_;
    const CallGraph& graph_;
    std::vector<std::vector<PointerParameter>> parameters_;  // by function
    // Of the function that is looked at:
    Findings now_ = {};
    spirv::IdMap<Place> places_ = {};
};

}  // namespace caldera::vulkan
