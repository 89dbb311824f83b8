// SPDX-License-Identifier: Apache-2.0
// Which functions kernels may reach, told from the tokens before anything is parsed. Programs include whole libraries
// and call little of them; the bodies of the rest are checked, and need not be kept.
#pragma once

#include <vector>

#include "frontend/preprocess/token_store.h"

namespace caldera::frontend {

/// Never too few functions, sometimes too many: a function counts as reached when its name stands anywhere in a kernel,
/// in a function that is reached, or outside functions, whatever the name means there.
class Reach {
 public:
    explicit Reach(const TokenStore& tokens);

    bool reaches(NameId function) const { return function < reached_.size() && reached_[function]; }

 private:
    /// What stands between two external declarations, as tokens [begin, end).
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
