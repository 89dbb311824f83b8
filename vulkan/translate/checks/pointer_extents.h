// SPDX-License-Identifier: Apache-2.0
// PointerExtents: where a pointer points in its private or local variable, where that is known at run time
// alone: the pointer is a parameter, is chosen by a condition, or moves on in a loop. lower_memory
// is asked (kPointerExtent) about a pointer that comes from memory.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "vulkan/translate/checks/object_paths.h"
#include "vulkan/translate/support/accesses.h"
#include "vulkan/translate/support/opencl_layout.h"

namespace caldera::vulkan {

/// Two integers of 64 bits, and one of 32.
struct PointerExtent {
    spirv::Id offset = {};    ///< in bytes, from the beginning of the variable
    spirv::Id size = {};      ///< of the variable, in bytes
    spirv::Id variable = {};  ///< the number that its Id is; 0 if nobody knows. Only where that is asked for
};

/// For one module. `tells_variables`: extents have a variable; not of parameters, nor of pointers from
/// memory. Pointers whose variable nobody knows are in the middle of one that has no end. The references must
/// outlive it.
class PointerExtents {
 public:
    PointerExtents(spirv::Builder& builder, const OpenclLayout& layout, const AccessFinder& accesses,
                   bool tells_variables = false)
        : builder_(builder), layout_(layout), accesses_(accesses), tells_variables_(tells_variables) {}

    /// Functions that are called alone get two parameters more for each pointer that they have as a
    /// parameter. Once, before add_to() of each function with a body, which adds the arguments to calls.
    void add_parameters(spirv::Module& module);
    /// Adds what computes the extents of the pointers by which the function accesses memory. Those with an
    /// ObjectPath have none.
    void add_to(spirv::Function& function);
    /// The extent of a pointer in the latest function of add_to(). None if its variable is not known, or it
    /// has a path.
    std::optional<PointerExtent> of(spirv::Id pointer);

 private:
    struct Node {
        std::vector<spirv::Id> sources = {};  // the pointers that it is made from
        bool is_known = false;
        bool is_of_several = false;   // so its size and its variable are computed
        bool is_asked = false;        // of lower_memory, at run time
        bool is_for_generic = false;  // an access by a generic pointer is through it
        PointerExtent extent = {};    // a member that is missing is that of the first source
    };

    bool may_be_of_variable(spirv::Id value) const;
    bool is_generic(spirv::Id pointer) const;
    void want(spirv::Id pointer, const ObjectPaths& paths);
    void specify_nulls(const ObjectPaths& paths);
    bool may_be_asked(spirv::Id pointer, const ObjectPaths& paths) const;
    std::optional<PointerExtent> of_leaf(spirv::Id pointer, const ObjectPaths& paths);
    static std::vector<spirv::Id> sources_of(const spirv::Instruction& inst, const ObjectPaths& paths);
    void spread_known();
    void name_results(const ObjectPaths& paths);
    PointerExtent extent_of(spirv::Id pointer);
    void add_question(const spirv::Instruction& pointer);
    void add_for(const spirv::Instruction& pointer, const ObjectPaths& paths);
    void add_arguments(spirv::Instruction& call);

    spirv::Builder& builder_;
    const OpenclLayout& layout_;
    const AccessFinder& accesses_;
    const bool tells_variables_;
    spirv::IdMap<std::vector<size_t>> pointers_ = {};  // which parameters have extents, by function
    spirv::IdMap<PointerExtent> parameters_ = {};
    bool has_generic_variables_ = false;  // a generic pointer may be to a private or local variable
    spirv::IdMap<Node> nodes_ = {};       // of the function of add_to()
    spirv::IdSet own_parameters_ = {};
};

}  // namespace caldera::vulkan
