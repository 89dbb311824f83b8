// SPDX-License-Identifier: Apache-2.0
// Finds the functions that kernels may reach from the tokens, before parsing. Programs include whole
// libraries and call few functions; the bodies of the others are checked, but need not be kept.
#pragma once

#include <vector>

#include "frontend/preprocess/token_store.h"

namespace caldera::frontend {

/// May find too many functions, but never too few. A function counts as reached if its name occurs in a
/// kernel, in a reached function, or outside functions, whatever the name means there.
class Reach {
 public:
    explicit Reach(const TokenStore& tokens);

    bool reaches(NameId function) const { return function < reached_.size() && reached_[function]; }

 private:
    /// The tokens [begin, end) of an external declaration.
    struct Piece {
        size_t begin = 0, end = 0;
        NameId function = 0;  // that it declares or defines and does nothing else; 0: that is not certain
        bool is_kernel = false;
        bool has_body = false;
        size_t next = 0;  // piece of the same function, counted from 1
    };
    Piece piece_at(size_t begin) const;
    size_t skip_brackets(size_t at) const;
    void mention_all(const Piece& piece);

    const TokenStore& tokens_;
    std::vector<bool> reached_ = {};
    std::vector<NameId> fresh_ = {};  // reached, their pieces not yet looked into
};

}  // namespace caldera::frontend
