// SPDX-License-Identifier: Apache-2.0
// Helpers of benchmarks.cpp: reproducible data, arguments, sizes and checks.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>
#include <type_traits>

#include "tests/evaluation/bench/problem.h"

namespace caldera::bench {

/// A hash of `i`: data that any element can be recomputed from.
inline uint32_t noise(uint64_t i, uint32_t seed = 0) {
    uint64_t x = i * 0x9e3779b97f4a7c15ull + seed * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93ull;
    return static_cast<uint32_t>(x >> 32);
}
/// A whole number in [0, 16): sums of them are exact in any order.
inline float digit(uint64_t i, uint32_t seed = 0) { return static_cast<float>(noise(i, seed) >> 28); }
/// In [-1, 1).
inline float unit(uint64_t i, uint32_t seed = 0) {
    return static_cast<float>(noise(i, seed) >> 8) / 8388608.0f - 1.0f;
}

/// `full` items at scale 1, in multiples of `step`.
inline uint32_t scaled(double full, double scale, uint32_t step) {
    return std::max(1u, static_cast<uint32_t>(std::lround(full * scale / step))) * step;
}

template <class T, class F>
std::vector<std::byte> bytes_of(size_t count, F element) {
    std::vector<std::byte> bytes(count * sizeof(T));
    for (size_t i = 0; i < count; ++i) {
        const T value = static_cast<T>(element(i));
        std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof value);
    }
    return bytes;
}
template <class T, class F>
Argument buffer(size_t count, F element) {
    return {.bytes = bytes_of<T>(count, element)};
}
template <class T>
Argument zeros(size_t count) {
    return {.bytes = std::vector<std::byte>(count * sizeof(T))};
}
template <class T>
Argument value(T v) {
    const auto bytes = std::as_bytes(std::span(&v, 1));
    return {.kind = Argument::Kind::Value, .bytes = {bytes.begin(), bytes.end()}};
}
inline Argument local(uint64_t bytes) { return {.kind = Argument::Kind::Local, .local_bytes = bytes}; }

inline runtime::NDRange items(uint64_t global, uint64_t local) {
    return {.dimensions = 1, .global = {global, 1, 1}, .local = {local, 1, 1}};
}
inline runtime::NDRange items(uint64_t x, uint64_t y, uint64_t local_x, uint64_t local_y) {
    return {.dimensions = 2, .global = {x, y, 1}, .local = {local_x, local_y, 1}};
}

/// How closely an element must agree, and how many are looked at.
struct Closeness {
    double absolute = 0;
    size_t samples = 65536;
    double may_differ = 0;  ///< this share of the elements
};

/// Expects elements of type T to be reference(i).
template <class T, class F>
Expectation expect(uint32_t argument, F reference, Closeness closeness = {}) {
    return {.argument = argument, .check = [=](std::span<const std::byte> bytes) -> std::string {
                const size_t count = bytes.size() / sizeof(T), samples = std::min(count, closeness.samples);
                size_t wrong = 0;
                std::ostringstream first;
                for (size_t s = 0; s < samples; ++s) {
                    const size_t i = samples == count ? s : noise(s) % count;
                    T got = {};
                    std::memcpy(&got, bytes.data() + i * sizeof(T), sizeof got);
                    const auto want = static_cast<T>(reference(i));
                    const double difference = std::abs(static_cast<double>(got) - static_cast<double>(want));
                    if (difference <= closeness.absolute) continue;
                    if (wrong++ == 0) first << "element " << i << " is " << +got << ", not " << +want;
                }
                if (static_cast<double>(wrong) <= closeness.may_differ * static_cast<double>(samples))
                    return {};
                return first.str() + " (" + std::to_string(wrong) + " of " + std::to_string(samples) +
                       " are wrong)";
            }};
}

}  // namespace caldera::bench
