// SPDX-License-Identifier: Apache-2.0
// The linker of SPIRV-Tools 2023.1 leaves the files of lines as they were, so that they name other files, or
// no files. While it links, all lines are those of one file, and the number of a line is its place in a
// table.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "spirv/module.h"

namespace caldera::spirv {

class CarriedLines {
 public:
    /// Replaces the lines of modules that will be linked. They have no scopes (drop_debug_info()).
    void take(const std::vector<Module*>& modules);
    bool empty() const { return places_.empty(); }
    /// Gives the linked module its lines.
    void restore(Module& linked) const;

 private:
    using Place = std::tuple<std::string, uint32_t, uint32_t>;  // file, line, column
    void take(Module& module, Id carrier);

    std::string carrier_ = {};  ///< the name of the one file, which no other string has
    std::vector<Place> places_ = {};
    std::map<Place, uint32_t> known_ = {};  ///< indices of places
};

}  // namespace caldera::spirv
