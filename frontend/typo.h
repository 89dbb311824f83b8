// SPDX-License-Identifier: Apache-2.0
// The word that a misspelt one stands for, by clang's measure: no more than one letter in three may be wrong,
// and no other candidate may be as near.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace caldera::frontend {

class Nearest {
 public:
    explicit Nearest(std::string_view typo) : typo_(typo), best_((typo.size() + 2) / 3) {}
    /// At most `most` letters may be wrong, for names that resemble each other.
    Nearest(std::string_view typo, size_t most) : Nearest(typo) { best_ = std::min(best_, most); }

    void consider(std::string_view word) {
        if (word == typo_ || word.empty() || word == found_) return;
        size_t distance = distance_to(word);
        if (distance > best_ || typo_.size() < 3 * distance) return;
        ambiguous_ = distance == best_ && !found_.empty();
        best_ = distance;
        found_ = word;
    }
    /// Empty when nothing is near, or several words are equally near.
    std::string_view found() const { return ambiguous_ ? std::string_view() : found_; }

 private:
    /// Levenshtein's distance; anything above best_ when it is larger.
    size_t distance_to(std::string_view word) {
        size_t shorter = std::min(word.size(), typo_.size()), longer = std::max(word.size(), typo_.size());
        if (longer - shorter > best_) return best_ + 1;
        row_.resize(word.size() + 1);
        for (size_t j = 0; j <= word.size(); ++j) row_[j] = j;
        for (size_t i = 1; i <= typo_.size(); ++i) {
            size_t diagonal = row_[0], least = row_[0] = i;
            for (size_t j = 1; j <= word.size(); ++j) {
                size_t change = diagonal + (typo_[i - 1] != word[j - 1]);
                diagonal = row_[j];
                row_[j] = std::min({change, row_[j] + 1, row_[j - 1] + 1});
                least = std::min(least, row_[j]);
            }
            if (least > best_) return best_ + 1;
        }
        return row_[word.size()];
    }

    std::string_view typo_, found_ = {};
    size_t best_;
    bool ambiguous_ = false;
    std::vector<size_t> row_ = {};
};

}  // namespace caldera::frontend
