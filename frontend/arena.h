// SPDX-License-Identifier: Apache-2.0
// Arena: owns a translation unit's nodes, types and strings, and frees them together.
#pragma once

#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <memory_resource>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace caldera::frontend {

/// Bump allocation. Nothing allocated here has its destructor run, so nodes are trivially destructible.
class Arena {
 public:
    template <class T, class... Args>
    T* make(Args&&... args) {
        static_assert(std::is_trivially_destructible_v<T>);
        return new (memory_.allocate(sizeof(T), alignof(T))) T{std::forward<Args>(args)...};
    }

    /// A copy that lives as long as the arena.
    template <class T>
    std::span<T> copy(const std::vector<T>& items) {
        return copy(std::span<const T>(items));
    }
    template <class T>
    std::span<T> copy(std::span<const T> items) {
        static_assert(std::is_trivially_copyable_v<T>);
        if (items.empty()) return {};
        T* data = static_cast<T*>(memory_.allocate(sizeof(T) * items.size(), alignof(T)));
        std::memcpy(static_cast<void*>(data), items.data(), sizeof(T) * items.size());
        return {data, items.size()};
    }
    std::string_view copy(std::string_view text) {
        if (text.empty()) return {};
        char* data = static_cast<char*>(memory_.allocate(text.size(), 1));
        std::memcpy(data, text.data(), text.size());
        return {data, text.size()};
    }

 private:
    std::pmr::monotonic_buffer_resource memory_{16 * 1024};
};

}  // namespace caldera::frontend
