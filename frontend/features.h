// SPDX-License-Identifier: Apache-2.0
// The standard, and what is optional in it: extensions and OpenCL C 3.0's features, a row of extensions.def each.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace caldera::frontend {

/// -cl-std=. The default without the option is CL1.2.
enum class Standard : uint8_t { CL10, CL11, CL12, CL20, CL30 };
std::string_view version_name(Standard standard);  ///< "1.2"

/// A row of extensions.def; None is no requirement.
enum class Ext : uint8_t {
    None,
#define EXTENSION(name, ...) name,
#define ANY_OF(name, ...) name,
#include "frontend/extensions.def"
    kCount,
};

class ExtSet {
 public:
    /// Every row: what our compiler does.
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
    ExtSet device = ExtSet::all();  ///< what the device has, whatever the standard; -cl-ext= changes it

    bool at_least(Standard least) const { return standard >= least; }
    /// Whether the language has `e`: it is core in the standard, or the standard knows it and the device has it.
    bool has(Ext e) const;
    /// The same, and no pragma of those that `enabled` sums up is missing.
    bool usable(Ext e, const ExtSet& enabled) const;
    /// Whether #pragma OPENCL EXTENSION may name `e`: has(e), or the device serves programs that want it without its promises.
    bool serves(Ext e) const;
    /// Whether the macro of `e` is defined: has(e), once the standard speaks of it.
    bool shows(Ext e) const;
};

/// By its macro's name; nullopt when it is none.
std::optional<Ext> find_extension(std::string_view macro);
std::string_view macro_name(Ext e);
/// Whether #pragma OPENCL EXTENSION knows `e` at all.
bool has_pragma(Ext e);
/// Whether the pragma means nothing for `e` in the standard, which has it, on every device or on some.
bool is_core(Ext e, Standard standard);

/// -cl-ext= without its "-cl-ext=": a list of +name and -name, `all` among them; names nobody knows are ignored, as
/// clang does. Returns the item at fault, empty when there is none.
std::string_view change_extensions(std::string_view list, ExtSet& set);

/// What OpenCL C 3.0 6.2.1 forbids of the combination, a sentence each.
std::vector<std::string> contradictions(const Features& features);

}  // namespace caldera::frontend
