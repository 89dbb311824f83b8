// SPDX-License-Identifier: Apache-2.0
#include "frontend/check/scope.h"

namespace caldera::frontend {

namespace {
Decl* lookup(const std::unordered_map<std::string_view, Decl*>& map, std::string_view name) {
    auto found = map.find(name);
    return found == map.end() ? nullptr : found->second;
}
}  // namespace

Decl* ScopeStack::find(std::string_view name) const {
    size_t depth = 0;
    return find(name, depth);
}

Decl* ScopeStack::find(std::string_view name, size_t& depth) const {
    for (depth = scopes_.size(); depth > 0; --depth)
        if (Decl* decl = lookup(scopes_[depth - 1].names, name)) return decl;
    return nullptr;
}

Decl* ScopeStack::find_here(std::string_view name) const { return lookup(scopes_.back().names, name); }

void ScopeStack::declare(Decl* decl) {
    scopes_.back().names[decl->name] = decl;
    scopes_.back().order.push_back(decl);
}

void ScopeStack::declare_at_file_scope(Decl* decl) { scopes_.front().names[decl->name] = decl; }

Decl* ScopeStack::find_tag(std::string_view name) const {
    for (size_t i = scopes_.size(); i-- > 0;)
        if (Decl* decl = lookup(scopes_[i].tags, name)) return decl;
    return nullptr;
}

Decl* ScopeStack::find_tag_here(std::string_view name) const { return lookup(scopes_.back().tags, name); }

void ScopeStack::declare_tag(Decl* decl) { scopes_.back().tags[decl->name] = decl; }

}  // namespace caldera::frontend
