// SPDX-License-Identifier: Apache-2.0
// Scopes of names (C99 6.2.1). Ordinary identifiers and tags live in two name spaces; labels are the function's.
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "frontend/ast/ast.h"
#include "frontend/typo.h"

namespace caldera::frontend {

class ScopeStack {
 public:
    ScopeStack() { push(); }  // file scope

    void push() { scopes_.emplace_back(); }
    void pop() { scopes_.pop_back(); }
    bool at_file_scope() const { return scopes_.size() == 1; }
    size_t depth() const { return scopes_.size(); }

    Decl* find(std::string_view name) const;
    Decl* find(std::string_view name,
               size_t& depth) const;               ///< and depth(), as it is in the scope that has it
    Decl* find_here(std::string_view name) const;  ///< in the innermost scope only
    void declare(Decl* decl);                      ///< replaces an earlier one of the same scope
    void declare_at_file_scope(Decl* decl);

    /// The visible declaration that a misspelt name means, among those that `fits` takes; null when none is near.
    template <class Fits>
    Decl* nearest(std::string_view name, Fits fits) const {
        Nearest nearest(name);
        for (const Scope& scope : scopes_)
            for (const auto& [known, decl] : scope.names)
                if (fits(*decl)) nearest.consider(known);
        return nearest.found().empty() ? nullptr : find(nearest.found());
    }

    Decl* find_tag(std::string_view name) const;
    Decl* find_tag_here(std::string_view name) const;
    void declare_tag(Decl* decl);

    /// Declarations of the innermost scope in source order, for warnings about what was never used.
    const std::vector<Decl*>& here() const { return scopes_.back().order; }

 private:
    struct Scope {
        std::unordered_map<std::string_view, Decl*> names = {};
        std::unordered_map<std::string_view, Decl*> tags = {};
        std::vector<Decl*> order = {};
    };
    std::vector<Scope> scopes_ = {};
};

}  // namespace caldera::frontend
