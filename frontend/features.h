// SPDX-License-Identifier: Apache-2.0
// The language standard and its optional parts: extensions and OpenCL C 3.0's features, one row of
// extensions.def each.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace caldera::frontend {

/// -cl-std=. The default without the option is CL1.2.
enum class Standard : uint8_t { CL10, CL11, CL12, CL20, CL30, CL31 };
std::string_view version_name(Standard standard);  ///< "1.2"

/// A row of extensions.def. None means no requirement.
enum class Ext : uint8_t {
    None,
#define EXTENSION(name, ...) name,
#define ANY_OF(name, ...) name,
#include "frontend/extensions.def"
    kCount,
};

class ExtSet {
 public:
    /// Every row: what Caldera's compiler supports.
    static constexpr ExtSet all() { return ExtSet(~uint64_t{0}); }
    constexpr ExtSet() = default;
    constexpr bool has(Ext e) const { return (words_[word(e)] >> bit(e) & 1) != 0; }
    constexpr ExtSet& set(Ext e, bool on = true) {
        words_[word(e)] = (words_[word(e)] & ~(uint64_t{1} << bit(e))) | uint64_t{on} << bit(e);
        return *this;
    }
    constexpr ExtSet operator&(ExtSet other) const {
        for (size_t i = 0; i < words_.size(); ++i) other.words_[i] &= words_[i];
        return other;
    }
    constexpr bool operator==(const ExtSet&) const = default;

 private:
    static_assert(static_cast<size_t>(Ext::kCount) <= 128);
    explicit constexpr ExtSet(uint64_t every) : words_{every, every} {}
    static constexpr size_t word(Ext e) { return static_cast<size_t>(e) / 64; }
    static constexpr unsigned bit(Ext e) { return static_cast<unsigned>(e) % 64; }
    std::array<uint64_t, 2> words_ = {};
};

/// The language of a compilation.
struct Features {
    Standard standard = Standard::CL12;
    ExtSet device = ExtSet::all();  ///< what the device has, independent of the standard; -cl-ext= changes it

    bool at_least(Standard least) const { return standard >= least; }
    /// Whether the language has `e`: it is core in the standard, or the standard knows it and the device has
    /// it.
    bool has(Ext e) const;
    /// The same, and all required pragmas are in `enabled`.
    bool usable(Ext e, const ExtSet& enabled) const;
    /// Whether #pragma OPENCL EXTENSION may name `e`: has(e), or the device supports programs that use it
    /// without all of its guarantees.
    bool serves(Ext e) const;
    /// Whether the macro of `e` is defined: has(e), if the standard defines the macro.
    bool shows(Ext e) const;
};

/// Finds an extension by its macro's name; nullopt if there is none.
std::optional<Ext> find_extension(std::string_view macro);
std::string_view macro_name(Ext e);
/// The macro that a misspelt one probably means; empty if none is near.
std::string_view nearest_extension(std::string_view macro);
/// Whether #pragma OPENCL EXTENSION knows `e` at all.
bool has_pragma(Ext e);
/// Whether the pragma has no effect for `e` because the standard includes it, on every device or on some.
bool is_core(Ext e, Standard standard);
/// The macro of the first extension that `standard` includes on every device and that this one lacks. It is
/// empty if the device may claim the standard.
std::string_view lacks(const ExtSet& device, Standard standard);

/// Applies the list of -cl-ext=: +name and -name, also for the name `all`. Unknown names are ignored, as in
/// clang. Returns the malformed item, or an empty string.
std::string_view change_extensions(std::string_view list, ExtSet& set);
/// The names in such a list that ask for something that is neither "all" nor an extension. One behind a `-`
/// asks for nothing.
std::vector<std::string_view> unknown_extensions(std::string_view list);

/// Violations of OpenCL C 3.0 6.2.1 by the combination, one sentence each.
std::vector<std::string> contradictions(const Features& features);

}  // namespace caldera::frontend
