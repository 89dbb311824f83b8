// SPDX-License-Identifier: Apache-2.0
/// @file
/// Result<T>: a value, or a sentence that says why there is none.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>

namespace caldera {

/// Why something was declined or failed.
struct Error {
    std::string message = {};  ///< one sentence in lower case without a full stop
    int32_t code = 0;          ///< the VkResult if Vulkan failed (Vulkan 1.3, 3.8.1), else 0
};

/// The value type of a Result without a value.
struct Done {};

/// What value() and take() of a failure throw.
class BadResult : public std::bad_variant_access {
 public:
    /// Made from the error that is there instead of the value.
    explicit BadResult(const Error& error) : message_(std::make_shared<const std::string>(error.message)) {}
    /// The error's sentence.
    const char* what() const noexcept override { return message_->c_str(); }

 private:
    std::shared_ptr<const std::string> message_;  // copies of an exception must not throw
};

/// Either a T or an Error. Test it before you take the value: value() of an error throws BadResult.
template <class T>
class [[nodiscard]] Result {
 public:
    /// A success.
    Result(T value) : state_(std::move(value)) {}
    /// A failure.
    Result(Error error) : state_(std::move(error)) {}

    /// Whether there is a value.
    explicit operator bool() const { return state_.index() == 0; }
    /// The value, which stays in the result.
    T& value() {
        if (state_.index() != 0) throw BadResult(error());
        return *std::get_if<0>(&state_);
    }
    /// The value of a constant result.
    const T& value() const {
        if (state_.index() != 0) throw BadResult(error());
        return *std::get_if<0>(&state_);
    }
    T& operator*() { return value(); }                ///< the same as value()
    const T& operator*() const { return value(); }    ///< the same as value()
    T* operator->() { return &value(); }              ///< a member of the value
    const T* operator->() const { return &value(); }  ///< a member of the value
    /// Moves the value out.
    T take() { return std::move(value()); }
    /// Why there is no value. Throws std::bad_variant_access where there is one.
    const Error& error() const { return std::get<1>(state_); }

 private:
    std::variant<T, Error> state_;
};

}  // namespace caldera
