// SPDX-License-Identifier: Apache-2.0
// Answer: the destination of a clGet*Info call's answer.
#pragma once

#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "vulkan/icd/object.h"

namespace caldera::icd {

/// Each put checks the size of the program's memory and returns the size of the answer (OpenCL API 4.1 and
/// similar sections).
class Answer {
 public:
    Answer(size_t size, void* value, size_t* size_ret) : size_(size), value_(value), size_ret_(size_ret) {}

    template <class T>
    void put(const T& value) const {
        static_assert(std::is_trivially_copyable_v<T>);
        bytes(&value, sizeof value);
    }
    /// Puts a vector, an array or a span.
    template <class List>
    void put_all(const List& values) const {
        const auto all = std::span(values);
        bytes(all.data(), all.size_bytes());
    }
    void put_text(std::string_view text) const {
        const std::vector<char> with_end = [&] {
            std::vector<char> out(text.begin(), text.end());
            out.push_back('\0');
            return out;
        }();
        put_all(with_end);
    }

 private:
    void bytes(const void* from, size_t size) const {
        require(!value_ || size_ >= size, CL_INVALID_VALUE);
        if (value_ && size != 0) std::memcpy(value_, from, size);
        if (size_ret_) *size_ret_ = size;
    }

    size_t size_;
    void* value_;
    size_t* size_ret_;
};

/// Copies a list of at most `capacity` elements to the program's memory and returns the number of elements,
/// as the clGet*IDs functions do.
template <class T>
void put_list(std::span<T* const> all, cl_uint capacity, T** out, cl_uint* count_ret) {
    require(out || count_ret, CL_INVALID_VALUE);
    require(!out || capacity != 0, CL_INVALID_VALUE);
    for (size_t i = 0; out && i < all.size() && i < capacity; ++i) out[i] = all[i];
    if (count_ret) *count_ret = static_cast<cl_uint>(all.size());
}

/// A list of names and values that ends with 0, the form of a call's properties. A null pointer is an empty
/// list.
template <class P>
std::vector<P> properties_of(const P* list) {
    std::vector<P> out;
    if (!list) return out;
    for (; *list; list += 2) out.insert(out.end(), {list[0], list[1]});
    out.push_back(0);
    return out;
}

}  // namespace caldera::icd
