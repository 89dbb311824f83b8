// SPDX-License-Identifier: Apache-2.0
// Result<T>: a value, or a sentence that says why there is none.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace caldera {

/// Why something was declined or failed. `message` is one sentence in lower case without a full stop.
struct Error {
    std::string message = {};
    int32_t code = 0;  ///< the VkResult if Vulkan failed, else 0
};

/// The value type of a Result without a value.
struct Done {};

/// Either a T or an Error. Test it before taking the value: value() of an error is a bug.
template <class T>
class [[nodiscard]] Result {
 public:
    Result(T value) : state_(std::move(value)) {}
    Result(Error error) : state_(std::move(error)) {}

    explicit operator bool() const { return state_.index() == 0; }
    T& value() { return std::get<0>(state_); }
    const T& value() const { return std::get<0>(state_); }
    T& operator*() { return value(); }
    const T& operator*() const { return value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }
    T take() { return std::move(value()); }
    const Error& error() const { return std::get<1>(state_); }

 private:
    std::variant<T, Error> state_;
};

}  // namespace caldera
