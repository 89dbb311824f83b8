// SPDX-License-Identifier: Apache-2.0
// Every identifier of a translation unit once, with a number: who keeps something for each name keeps a vector.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace caldera::frontend {

/// Of an identifier: equal for equal spellings, counted from 1. 0: no identifier.
using NameId = uint32_t;

class NameTable {
 public:
    NameTable();

    /// The number of `text`, which outlives the table when it is new to it.
    NameId intern(std::string_view text);
    NameId find(std::string_view text) const;  ///< 0 when it is not in the table
    std::string_view text(NameId name) const { return names_[name].text; }
    size_t size() const { return names_.size(); }  ///< all numbers are less

 private:
    struct Name {
        std::string_view text = {};
        uint32_t hash = 0;
    };
    size_t slot(std::string_view text, uint32_t hash) const;
    void grow();

    std::vector<Name> names_ = {};
    std::vector<NameId> slots_ = {};  // open addressing; a power of two of them, less than half in use
};

/// What is kept for each name; a name that nothing was kept for has a T{}.
template <class T>
class ByName {
 public:
    /// References end when a later name is asked for.
    T& operator[](NameId name) {
        if (name >= items_.size()) items_.resize(name + name / 2 + 16);
        return items_[name];
    }
    T get(NameId name) const { return name < items_.size() ? items_[name] : T{}; }

 private:
    std::vector<T> items_ = {};
};

}  // namespace caldera::frontend
