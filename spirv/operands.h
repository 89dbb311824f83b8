// SPDX-License-Identifier: Apache-2.0
// The operand words of an instruction.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <span>
#include <type_traits>
#include <utility>

namespace caldera::spirv {

/// The SPIR-V <id>. 0 is "none".
struct Id {
    uint32_t value = 0;
    explicit operator bool() const { return value != 0; }
    auto operator<=>(const Id&) const = default;
};

template <class E>
concept Enumerant = std::is_enum_v<E> && sizeof(E) == sizeof(uint32_t);

/// One operand word. Its constructor records whether the word is an <id>, which is all that a rewrite needs
/// to know of the grammar (SPIR-V 2.3).
///
/// A weak operand of debug information also names an id, but is no use of it: what computes that id is still
/// dead code if nothing else uses it. Substitutions and copies follow it. `is_id` is false.
struct Operand {
    uint32_t word = 0;
    bool is_id = false;
    bool is_weak = false;

    Operand() = default;
    Operand(Id id) : word(id.value), is_id(true) {}
    Operand(uint32_t literal) : word(literal) {}
    template <Enumerant E>
    Operand(E enumerant) : word(static_cast<uint32_t>(enumerant)) {}

    static Operand weak(Id id) {
        Operand operand(id.value);
        operand.is_weak = true;
        return operand;
    }

    Id id() const { return Id{word}; }
    /// The same operand with another id.
    Operand with(Id id) const { return is_weak ? weak(id) : Operand(id); }
    bool operator==(const Operand&) const = default;
};

/// A vector of operands with inline storage for four, enough for most instructions (a store with its
/// alignment). A module has millions of these lists, and allocating each took most of the translation time.
class Operands {
 public:
    using value_type = Operand;
    using iterator = Operand*;
    using const_iterator = const Operand*;

    Operands() = default;
    Operands(std::initializer_list<Operand> list) { assign(list.begin(), list.end()); }
    template <std::forward_iterator It>
    Operands(It first, It last) {
        assign(first, last);
    }
    Operands(size_t count, Operand value) { resize(count, value); }
    Operands(const Operands& other) { assign(other.begin(), other.end()); }
    Operands(Operands&& other) noexcept { take(other); }
    Operands& operator=(const Operands& other) {
        if (this != &other) assign(other.begin(), other.end());
        return *this;
    }
    Operands& operator=(Operands&& other) noexcept {
        if (this == &other) return *this;
        free();
        take(other);
        return *this;
    }
    ~Operands() { free(); }

    size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    Operand* data() { return capacity_ > kInPlace ? many() : storage_.few; }
    const Operand* data() const { return capacity_ > kInPlace ? many() : storage_.few; }
    iterator begin() { return data(); }
    iterator end() { return data() + size_; }
    const_iterator begin() const { return data(); }
    const_iterator end() const { return data() + size_; }
    Operand& operator[](size_t index) { return data()[within_size(index)]; }
    const Operand& operator[](size_t index) const { return data()[within_size(index)]; }
    Operand& front() { return (*this)[0]; }
    const Operand& front() const { return (*this)[0]; }
    Operand& back() { return (*this)[size_t{size_} - 1]; }
    const Operand& back() const { return (*this)[size_t{size_} - 1]; }

    void clear() { size_ = 0; }
    void reserve(size_t count) {
        if (count > capacity_) grow(count);
    }
    void push_back(Operand operand) {
        if (size_ == capacity_) grow(size_ + 1);
        data()[size_++] = operand;
    }
    void resize(size_t count, Operand value = {}) {
        reserve(count);
        if (count > size_) std::fill(end(), data() + count, value);
        size_ = static_cast<uint32_t>(count);
    }
    template <std::forward_iterator It>
    void assign(It first, It last) {  // not from itself
        const auto count = static_cast<size_t>(std::distance(first, last));
        reserve(count);
        std::copy(first, last, data());
        size_ = static_cast<uint32_t>(count);
    }
    template <std::forward_iterator It>
    iterator insert(const_iterator place, It first, It last) {  // not from itself
        const auto at = static_cast<size_t>(place - begin());
        const auto count = static_cast<size_t>(std::distance(first, last));
        reserve(size_ + count);
        std::copy_backward(begin() + at, end(), end() + count);
        std::copy(first, last, begin() + at);
        size_ += static_cast<uint32_t>(count);
        return begin() + at;
    }
    iterator insert(const_iterator place, std::initializer_list<Operand> list) {
        return insert(place, list.begin(), list.end());
    }
    iterator insert(const_iterator place, Operand operand) { return insert(place, &operand, &operand + 1); }
    iterator erase(const_iterator first, const_iterator last) {
        const auto at = static_cast<size_t>(first - begin());
        const auto count = static_cast<size_t>(last - first);
        std::copy(begin() + at + count, end(), begin() + at);
        size_ -= static_cast<uint32_t>(count);
        return begin() + at;
    }
    iterator erase(const_iterator place) { return erase(place, place + 1); }

    friend bool operator==(const Operands& a, const Operands& b) { return std::ranges::equal(a, b); }

 private:
    static constexpr uint32_t kInPlace = 4;
    union Storage {
        Storage() {}
        Operand few[kInPlace];
        std::array<uint32_t, sizeof(Operand*) / 4>
            many;  // the pointer as words, so that instructions need no padding
    };

    /// The index. Words in place that nobody wrote are no address that a sanitizer knows as wrong.
    size_t within_size(size_t index) const {
#ifdef CALDERA_ASSERTIONS
        if (index >= size_) std::abort();
#endif
        return index;
    }
    Operand* many() const { return std::bit_cast<Operand*>(storage_.many); }
    void set_many(Operand* operands) { storage_.many = std::bit_cast<decltype(storage_.many)>(operands); }

    void grow(size_t count) {
        const size_t capacity = std::max<size_t>(count, size_t{capacity_} * 2);
        auto* const larger = new Operand[capacity];
        std::copy(begin(), end(), larger);
        free();
        set_many(larger);
        capacity_ = static_cast<uint32_t>(capacity);
    }
    void free() {
        if (capacity_ > kInPlace) delete[] many();
    }
    void take(Operands& other) {
        if (other.capacity_ > kInPlace)
            storage_.many = other.storage_.many;
        else
            std::copy(other.begin(), other.end(), storage_.few);
        size_ = std::exchange(other.size_, 0);
        capacity_ = std::exchange(other.capacity_, kInPlace);
    }

    Storage storage_;
    uint32_t size_ = 0;
    uint32_t capacity_ = kInPlace;
};

}  // namespace caldera::spirv

template <>
struct std::hash<caldera::spirv::Id> {
    size_t operator()(caldera::spirv::Id id) const noexcept { return id.value; }
};
