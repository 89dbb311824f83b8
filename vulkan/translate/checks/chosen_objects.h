// SPDX-License-Identifier: Apache-2.0
// ChosenObjects: the object of a pointer that a condition chooses, or a loop exchanges with another one,
// where each of those that it is made from has a known object. The object is chosen as the pointer is.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "vulkan/translate/checks/instrument.h"

namespace caldera::vulkan {

/// For one module. The references must outlive it.
class ChosenObjects {
 public:
    ChosenObjects(spirv::Builder& builder, Instrument& instrument)
        : builder_(builder), instrument_(instrument) {}

    /// Looks at all accesses of the function, before it is rewritten.
    void begin(const spirv::Function& function);
    /// Adds what chooses objects behind the instruction that chooses pointers.
    void add_behind(const spirv::Instruction& pointer);

    /// A chosen object, and how many places in it such an access may begin at.
    struct Choice {
        CheckedObject object = {};
        spirv::Id limit = {};
    };
    /// None if the object is known at the function's entry, or not at all.
    std::optional<Choice> of(spirv::Id pointer, const Access& access) const;

 private:
    struct Node {
        std::vector<spirv::Id> sources = {};  // of a pointer that is chosen
        bool is_known = true;
        CheckedObject object = {};
        std::map<uint64_t, spirv::Id> limits = {};  // by the bytes of accesses
    };

    spirv::Id base_of(spirv::Id pointer) const;
    const Node* node_of(spirv::Id pointer);
    Node made_node(spirv::Id base);
    void forget_unknown(const std::vector<spirv::Id>& added);
    void want(spirv::Id pointer, uint64_t bytes);

    spirv::Builder& builder_;
    Instrument& instrument_;
    spirv::IdMap<Node> nodes_ = {};
};

}  // namespace caldera::vulkan
