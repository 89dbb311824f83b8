// SPDX-License-Identifier: Apache-2.0
// Purge: when a list that does not keep its objects alive should drop those that have died.
#pragma once

#include <cstddef>
#include <set>
#include <vector>

namespace caldera::icd {

/// Each addition to the list pays for a few entries, however many there are.
class Purge {
 public:
    /// Before an addition: drops dead entries if as many as were left the last time have been added since.
    template <class List, class IsDead>
    void before_addition(List& list, const IsDead& is_dead) {
        if (list.size() < due_at_) return;
        std::erase_if(list, is_dead);
        due_at_ = 2 * list.size() + kFew;
    }

 private:
    static constexpr size_t kFew = 16;
    size_t due_at_ = kFew;
};

}  // namespace caldera::icd
