// SPDX-License-Identifier: Apache-2.0
// HostRanges: ranges of the program's memory that a copy leaves alone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <map>

namespace caldera::icd {

class HostRanges {
 public:
    bool empty() const { return ends_.empty(); }

    void add(const std::byte* begin, size_t size) {
        const std::byte* end = begin + size;
        auto it = ends_.upper_bound(begin);
        if (it != ends_.begin() && !before(std::prev(it)->second, begin)) --it;
        while (it != ends_.end() && !before(end, it->first)) {  // they touch, and become one
            begin = std::min(begin, it->first, before);
            end = std::max(end, it->second, before);
            it = ends_.erase(it);
        }
        ends_.emplace(begin, end);
    }

    /// Calls part(offset, size) for each stretch of these bytes that lies in no range, in order.
    template <class F>
    void for_others(const std::byte* begin, size_t size, const F& part) const {
        const std::byte* const end = begin + size;
        const std::byte* at = begin;
        auto it = ends_.upper_bound(begin);
        if (it != ends_.begin() && before(begin, std::prev(it)->second)) --it;
        for (; at != end && it != ends_.end() && before(it->first, end); ++it) {
            if (before(at, it->first)) part(at - begin, it->first - at);
            at = std::min(end, it->second, before);
        }
        if (at != end) part(at - begin, end - at);
    }

 private:
    static constexpr std::less<const std::byte*> before = {};  // orders pointers into different objects

    std::map<const std::byte*, const std::byte*, std::less<>> ends_ = {};  // by begin
};

}  // namespace caldera::icd
