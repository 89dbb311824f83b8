// SPDX-License-Identifier: Apache-2.0
// value_at(): reads what the program passes as a pointer to void.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace caldera::icd {

/// The value in the program's bytes, which need not be aligned; `index` is its place in an array there.
template <class T>
T value_at(const void* bytes, size_t index = 0) {
    static_assert(std::is_trivially_copyable_v<T>);
    T value;
    std::memcpy(&value, static_cast<const std::byte*>(bytes) + index * sizeof value, sizeof value);
    return value;
}

}  // namespace caldera::icd
