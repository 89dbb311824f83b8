// SPDX-License-Identifier: Apache-2.0
// ArchiveWriter, ArchiveReader: plain data as bytes, for files that this machine writes for itself.
//
// Both are called with the same list of fields. A struct has a function in caldera:: or its own namespace
// that gives its fields:
//     template <class Archive, Archived<Point> T>
//     void archive_fields(Archive& archive, T& point) { auto& [x, y] = point; archive(x, y); }
// The structured binding sees to it that no field is forgotten.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace caldera {

/// T, or const T.
template <class T, class Plain>
concept Archived = std::same_as<std::remove_const_t<T>, Plain>;

/// Types that are archived as they are in memory.
template <class T>
concept ArchivedAsBytes = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class ArchiveWriter {
 public:
    template <class... T>
    void operator()(const T&... values) {
        (put(values), ...);
    }
    std::span<const std::byte> bytes() const { return bytes_; }

 private:
    void put_bytes(const void* from, size_t size) {
        const size_t at = bytes_.size();
        bytes_.resize(at + size);
        if (size != 0) std::memcpy(bytes_.data() + at, from, size);
    }
    template <ArchivedAsBytes T>
    void put(const T& value) {
        put_bytes(&value, sizeof value);
    }
    void put(std::string_view text) { put(std::span(text.data(), text.size())); }
    void put(const std::string& text) { put(std::string_view(text)); }
    template <class T>
    void put(const std::vector<T>& values) {
        put(std::span<const T>(values));
    }
    template <class T>
    void put(std::span<const T> values) {
        put(values.size());
        if constexpr (ArchivedAsBytes<T>)
            put_bytes(values.data(), values.size_bytes());
        else
            for (const T& value : values) put(value);
    }
    template <class T, size_t N>
    void put(const std::array<T, N>& values) {
        for (const T& value : values) put(value);
    }
    template <class T>
    void put(const std::optional<T>& value) {
        put(value.has_value());
        if (value) put(*value);
    }
    template <class T>
    requires std::is_class_v<T>
    void put(const T& value) { archive_fields(*this, value); }

    std::vector<std::byte> bytes_ = {};
};

/// If bytes are missing, values stay unchanged and is_good() returns false.
class ArchiveReader {
 public:
    explicit ArchiveReader(std::span<const std::byte> bytes) : rest_(bytes) {}
    template <class... T>
    void operator()(T&... values) {
        (get(values), ...);
    }
    /// Whether all values were there, and nothing is left.
    bool is_good() const { return is_good_ && rest_.empty(); }

 private:
    bool get_bytes(void* to, size_t size) {
        is_good_ &= size <= rest_.size();
        if (!is_good_) return false;
        if (size != 0) std::memcpy(to, rest_.data(), size);
        rest_ = rest_.subspan(size);
        return true;
    }
    template <ArchivedAsBytes T>
    void get(T& value) {
        get_bytes(&value, sizeof value);
    }
    /// At most the number for which there are bytes: each element has at least one byte.
    size_t get_count(size_t element_bytes) {
        size_t count = 0;
        get(count);
        is_good_ &= count <= rest_.size() / element_bytes;
        return is_good_ ? count : 0;
    }
    void get(std::string& text) {
        text.resize(get_count(1));
        get_bytes(text.data(), text.size());
    }
    template <class T>
    void get(std::vector<T>& values) {
        if constexpr (ArchivedAsBytes<T>) {
            values.resize(get_count(sizeof(T)));
            get_bytes(values.data(), values.size() * sizeof(T));
        } else {
            values.resize(get_count(1));
            for (T& value : values) get(value);
        }
    }
    template <class T, size_t N>
    void get(std::array<T, N>& values) {
        for (T& value : values) get(value);
    }
    template <class T>
    void get(std::optional<T>& value) {
        bool has_value = false;
        get(has_value);
        if (has_value) get(value.emplace());
    }
    template <class T>
    requires std::is_class_v<T>
    void get(T& value) { archive_fields(*this, value); }

    std::span<const std::byte> rest_;
    bool is_good_ = true;
};

}  // namespace caldera
