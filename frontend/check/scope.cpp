// SPDX-License-Identifier: Apache-2.0
#include "frontend/check/scope.h"

#include <algorithm>

namespace caldera::frontend {

void ScopeStack::pop() {
    for (; hidden_.size() > scopes_.back().hidden; hidden_.pop_back())
        (*hidden_.back().meanings)[hidden_.back().name] = hidden_.back().meaning;
    order_.resize(scopes_.back().order);
    scopes_.pop_back();
}

Decl* ScopeStack::find(std::string_view name, size_t& depth) const {
    Meaning found = meaning(ordinary_, name);
    depth = found.depth;
    return found.decl;
}

void ScopeStack::bind(Meanings& meanings, Decl* decl) {
    NameId name = names_.intern(decl->name);
    Meaning& meaning = meanings[name];
    if (meaning.depth != depth() && !at_file_scope()) hidden_.push_back({&meanings, name, meaning});
    meaning = {decl, depth()};
}

void ScopeStack::declare(Decl* decl) {
    bind(ordinary_, decl);
    order_.push_back(decl);
}

void ScopeStack::declare_at_file_scope(Decl* decl) {
    NameId name = names_.intern(decl->name);
    Meaning* outermost = &ordinary_[name];
    if (outermost->depth > 1) {
        auto hides = [&](const Hidden& h) { return h.meanings == &ordinary_ && h.name == name; };
        outermost = &std::ranges::find_if(hidden_, hides)->meaning;
    }
    *outermost = {decl, 1};
}

}  // namespace caldera::frontend
