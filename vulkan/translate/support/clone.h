// SPDX-License-Identifier: Apache-2.0
// Copies of code: fresh ids that carry the decorations and names of those they stand for.
#pragma once

#include <vector>

#include "spirv/id_map.h"
#include "spirv/module.h"

namespace caldera::vulkan {

/// Copies instructions under a map from old ids to new ones. One Cloner serves many copies; each rename of an id forgets the
/// one before. While it lives, names and annotations of the module are only appended to.
class Cloner {
 public:
    explicit Cloner(spirv::Module& module) : module_(module), map_(module.bound) {}

    void map(spirv::Id from, spirv::Id to) {
        if (from.value >= map_.size()) map_.resize(module_.bound);
        map_[from.value] = to;
    }
    /// A fresh id for `from` with its names and decorations; linkage is not copied.
    spirv::Id rename(spirv::Id from);
    /// What `id` is in the copy: itself when it was neither mapped nor renamed.
    spirv::Id operator()(spirv::Id id) const {
        return id.value < map_.size() && map_[id.value] ? map_[id.value] : id;
    }
    /// Renames parameters, labels and results of a function, so that copies may refer forward.
    void rename_body(const spirv::Function& function, bool with_params);
    spirv::Instruction copy(const spirv::Instruction& inst) const;
    /// A whole function under the id `as`.
    spirv::Function copy(const spirv::Function& function, spirv::Id as);

 private:
    void find_names();

    spirv::Module& module_;
    std::vector<spirv::Id> map_;                                         // by id
    spirv::IdMap<std::vector<uint32_t>> names_ = {}, annotations_ = {};  // id -> indices
    bool has_names_ = false;  // names_ and annotations_ are filled when they are first asked
};

}  // namespace caldera::vulkan
