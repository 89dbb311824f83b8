// SPDX-License-Identifier: Apache-2.0
// Copies code with new ids, which get the decorations and names of the original ids.
#pragma once

#include <vector>

#include "spirv/id_map.h"
#include "spirv/module.h"

namespace caldera::vulkan {

/// Copies instructions, mapping old ids to new ones. One Cloner can make many copies; renaming an id replaces
/// its previous mapping. While a Cloner exists, names and annotations may only be appended to the module.
class Cloner {
 public:
    explicit Cloner(spirv::Module& module) : module_(module), map_(module.bound) {}

    void map(spirv::Id from, spirv::Id to) {
        if (from.value >= map_.size()) map_.resize(module_.bound);
        map_[from.value] = to;
    }
    /// Returns a new id for `from`, with its names and decorations except linkage.
    spirv::Id rename(spirv::Id from);
    /// The id for `id` in the copy: `id` itself if it was neither mapped nor renamed.
    spirv::Id operator()(spirv::Id id) const {
        return id.value < map_.size() && map_[id.value] ? map_[id.value] : id;
    }
    /// Renames the parameters, labels and results of a function, so that the copy may contain forward
    /// references.
    void rename_body(const spirv::Function& function, bool with_params);
    spirv::Instruction copy(const spirv::Instruction& inst) const;
    /// Copies a whole function and gives it the id `as`.
    spirv::Function copy(const spirv::Function& function, spirv::Id as);

 private:
    void find_names();

    spirv::Module& module_;
    std::vector<spirv::Id> map_;                                         // by id
    spirv::IdMap<std::vector<uint32_t>> names_ = {}, annotations_ = {};  // id -> indices
    bool has_names_ = false;  // names_ and annotations_ are filled on first use
};

}  // namespace caldera::vulkan
