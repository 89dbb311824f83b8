// SPDX-License-Identifier: Apache-2.0
// A table with a number for each distinct identifier of a translation unit, so that data about names can be
// kept in vectors.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace caldera::frontend {

/// The number of an identifier, from 1, the same for equal spellings. 0: not an identifier.
using NameId = uint32_t;

class NameTable {
 public:
    NameTable();

    /// The number of `text`. If `text` is new, it must outlive the table.
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

/// A value for each name; T{} for names that were not set.
template <class T>
class ByName {
 public:
    /// The reference is valid until a later name is accessed.
    T& operator[](NameId name) {
        if (name >= items_.size()) items_.resize(name + name / 2 + 16);
        return items_[name];
    }
    T get(NameId name) const { return name < items_.size() ? items_[name] : T{}; }

 private:
    std::vector<T> items_ = {};
};

}  // namespace caldera::frontend
