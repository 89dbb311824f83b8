// SPDX-License-Identifier: Apache-2.0
// Scopes of names (C99 6.2.1). Ordinary identifiers and tags live in two name spaces; labels are the
// function's.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "frontend/ast/ast.h"
#include "frontend/lex/name_table.h"
#include "frontend/typo.h"

namespace caldera::frontend {

/// What each name currently means: one table for all scopes. A scope inside a function stores what it hides
/// and restores it when it ends.
class ScopeStack {
 public:
    void push() { scopes_.push_back({.hidden = hidden_.size(), .order = order_.size()}); }
    void pop();
    bool at_file_scope() const { return scopes_.empty(); }
    size_t depth() const { return scopes_.size() + 1; }

    Decl* find(std::string_view name) const { return meaning(ordinary_, name).decl; }
    Decl* find(std::string_view name,
               size_t& depth) const;  ///< and depth(), as it is in the scope that has it
    Decl* find_here(std::string_view name) const {
        return here(ordinary_, name);
    }                          ///< in the innermost scope
    void declare(Decl* decl);  ///< replaces an earlier one of the same scope
    void declare_at_file_scope(Decl* decl);

    /// The visible declaration that a misspelt name probably means, among those that `fits` accepts; null if
    /// none is similar.
    template <class Fits>
    Decl* nearest(std::string_view name, Fits fits) const {
        Nearest nearest(name);
        for (NameId id = 1; id < names_.size(); ++id)
            if (Decl* decl = ordinary_.get(id).decl; decl && fits(*decl)) nearest.consider(names_.text(id));
        return nearest.found().empty() ? nullptr : find(nearest.found());
    }

    Decl* find_tag(std::string_view name) const { return meaning(tags_, name).decl; }
    Decl* find_tag_here(std::string_view name) const { return here(tags_, name); }
    void declare_tag(Decl* decl) { bind(tags_, decl); }

    /// The declarations of the innermost scope in source order, for warnings about unused ones.
    std::span<Decl* const> here() const {
        return std::span(order_).subspan(scopes_.empty() ? 0 : scopes_.back().order);
    }

 private:
    struct Meaning {
        Decl* decl = nullptr;
        size_t depth = 0;
    };
    using Meanings = ByName<Meaning>;
    struct Hidden {
        Meanings* meanings;
        NameId name;
        Meaning meaning;
    };
    struct Scope {
        size_t hidden, order;  // where its part of hidden_ and order_ begins
    };
    Meaning meaning(const Meanings& meanings, std::string_view name) const {
        return meanings.get(names_.find(name));
    }
    Decl* here(const Meanings& meanings, std::string_view name) const {
        Meaning found = meaning(meanings, name);
        return found.depth == depth() ? found.decl : nullptr;
    }
    void bind(Meanings& meanings, Decl* decl);

    NameTable names_ = {};
    Meanings ordinary_ = {}, tags_ = {};
    std::vector<Hidden> hidden_ = {};
    std::vector<Decl*> order_ = {};
    std::vector<Scope> scopes_ = {};  // those inside functions
};

}  // namespace caldera::frontend
