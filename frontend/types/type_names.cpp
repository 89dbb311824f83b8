// SPDX-License-Identifier: Apache-2.0
// The words that name built-in types (OpenCL C 6.1.1 to 6.1.3), found by binary search.
#include "frontend/types/type_names.h"

#include <algorithm>
#include <array>

#include "frontend/types/type.h"

namespace caldera::frontend {

namespace {

enum class Group : uint8_t { Scalar, VectorElement, Image, Atomic };

struct Word {
    std::string_view name;
    Group group;
    uint8_t kind;  // TypeKind, or ImageKind for Image; of the value for Atomic
    Standard since = Standard::CL10;
    std::array<Ext, 2> needs = {};
};

constexpr Word word(std::string_view name, TypeKind kind, Group group = Group::Scalar) {
    return {name, group, static_cast<uint8_t>(kind)};
}
constexpr Word since_20(std::string_view name, TypeKind kind, Ext need = Ext::None) {
    return {name, Group::Scalar, static_cast<uint8_t>(kind), Standard::CL20, {need}};
}
constexpr Word matrix_constant(std::string_view name) {
    return {name,
            Group::Scalar,
            static_cast<uint8_t>(TypeKind::UInt),
            Standard::CL10,
            {Ext::KernelCooperativeMatrix}};
}
constexpr Word atomic(std::string_view name, TypeKind value, Ext need = Ext::None) {
    return {name, Group::Atomic, static_cast<uint8_t>(value), Standard::CL20, {need}};
}
constexpr Word atomic_64(std::string_view name, TypeKind value) {
    return {name,
            Group::Atomic,
            static_cast<uint8_t>(value),
            Standard::CL20,
            {Ext::Int64BaseAtomics, Ext::Int64ExtendedAtomics}};
}

constexpr auto kWords = [] {
    auto words = std::to_array<Word>({
#define IMAGE(kind, spelling, ...) {spelling, Group::Image, static_cast<uint8_t>(ImageKind::kind)},
#include "frontend/types/images.def"
#undef IMAGE
        word("void", TypeKind::Void),
        word("bool", TypeKind::Bool),
        word("char", TypeKind::Char, Group::VectorElement),
        word("uchar", TypeKind::UChar, Group::VectorElement),
        word("short", TypeKind::Short, Group::VectorElement),
        word("ushort", TypeKind::UShort, Group::VectorElement),
        word("int", TypeKind::Int, Group::VectorElement),
        word("uint", TypeKind::UInt, Group::VectorElement),
        word("long", TypeKind::Long, Group::VectorElement),
        word("ulong", TypeKind::ULong, Group::VectorElement),
        word("half", TypeKind::Half, Group::VectorElement),
        word("float", TypeKind::Float, Group::VectorElement),
        word("double", TypeKind::Double, Group::VectorElement),
        word("size_t", TypeKind::ULong),
        word("ptrdiff_t", TypeKind::Long),
        word("intptr_t", TypeKind::Long),
        word("uintptr_t", TypeKind::ULong),
        word("sampler_t", TypeKind::Sampler),
        word("event_t", TypeKind::Event),
        word("cl_mem_fence_flags", TypeKind::UInt),
        since_20("queue_t", TypeKind::Queue, Ext::DeviceEnqueue),
        since_20("clk_event_t", TypeKind::ClkEvent, Ext::DeviceEnqueue),
        since_20("reserve_id_t", TypeKind::ReserveId, Ext::Pipes),
        since_20("ndrange_t", TypeKind::NDRange, Ext::DeviceEnqueue),
        since_20("kernel_enqueue_flags_t", TypeKind::Int),
        since_20("clk_profiling_info", TypeKind::Int),
        since_20("memory_order", TypeKind::Int),
        since_20("memory_scope", TypeKind::Int),
        matrix_constant("coop_matrix_scope_t"),
        matrix_constant("coop_matrix_use_t"),
        matrix_constant("coop_matrix_layout_t"),
        matrix_constant("coop_matrix_operands_t"),
        atomic("atomic_int", TypeKind::Int),
        atomic("atomic_uint", TypeKind::UInt),
        atomic("atomic_half", TypeKind::Half, Ext::Fp16),
        atomic("atomic_float", TypeKind::Float),
        atomic("atomic_flag", TypeKind::Int),
        atomic_64("atomic_long", TypeKind::Long),
        atomic_64("atomic_ulong", TypeKind::ULong),
        atomic_64("atomic_double", TypeKind::Double),
        atomic_64("atomic_size_t", TypeKind::ULong),
        atomic_64("atomic_ptrdiff_t", TypeKind::Long),
        atomic_64("atomic_intptr_t", TypeKind::Long),
        atomic_64("atomic_uintptr_t", TypeKind::ULong),
    });
    std::ranges::sort(words, {}, &Word::name);
    return words;
}();

const Word* find(std::string_view name) {
    auto it = std::ranges::lower_bound(kWords, name, {}, &Word::name);
    return it != kWords.end() && it->name == name ? &*it : nullptr;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The number of lanes at the end of `name`, whose digits are removed; 0 if there are no digits or wrong ones.
uint32_t take_lanes(std::string_view& name) {
    size_t digits = 0;
    while (digits < name.size() && is_digit(name[name.size() - 1 - digits])) ++digits;
    std::string_view number = name.substr(name.size() - digits);
    name.remove_suffix(digits);
    if (number == "2") return 2;
    if (number == "3") return 3;
    if (number == "4") return 4;
    if (number == "8") return 8;
    if (number == "16") return 16;
    return 0;
}

// The word before the digits at the end of `name`.
std::string_view before_digits(std::string_view name) {
    while (!name.empty() && is_digit(name.back())) name.remove_suffix(1);
    return name;
}

// Whether `name` is a matrix, `float4x2`.
bool names_matrix(std::string_view name) {
    std::string_view rows = before_digits(name);
    if (rows.size() == name.size() || !rows.ends_with('x')) return false;
    rows.remove_suffix(1);
    std::string_view element = before_digits(rows);
    return element.size() < rows.size() && (element == "float" || element == "double");
}

}  // namespace

bool is_reserved_type_name(std::string_view name) {
    if (name == "quad" || name == "complex" || name == "imaginary" || names_matrix(name)) return true;
    std::string_view element = before_digits(name);
    if (element.size() == name.size()) return false;
    const Word* word = find(element);
    return element == "bool" || element == "quad" || (word && word->group == Group::VectorElement);
}

std::vector<Ext> missing_for_type(std::string_view name, const Features& features) {
    if (name.empty()) return {};
    if (is_digit(name.back())) {
        const uint32_t lanes = take_lanes(name);
        const bool is_half_vector = lanes != 0 && name == "half" && !features.has(Ext::Fp16);
        return is_half_vector ? std::vector{Ext::Fp16} : std::vector<Ext>();
    }
    const Word* found = find(name);
    if (!found || !features.at_least(found->since)) return {};
    std::vector<Ext> missing;
    for (const Ext need : found->needs)
        if (need != Ext::None && !features.has(need)) missing.push_back(need);
    return missing;
}

std::vector<std::string> builtin_type_names(const Features& features) {
    Arena arena;
    TypeTable types(arena);
    std::vector<std::string> names;
    const auto consider = [&](const std::string& name) {
        if (types.builtin_name(name, features)) names.push_back(name);
    };
    for (const Word& word : kWords) {
        consider(std::string(word.name));
        if (word.group != Group::VectorElement) continue;
        for (const char* lanes : {"2", "3", "4", "8", "16"}) consider(std::string(word.name) + lanes);
    }
    return names;
}

const Type* TypeTable::builtin_name(std::string_view name, const Features& features) {
    if (name.empty()) return nullptr;
    if (is_digit(name.back())) {
        uint32_t lanes = take_lanes(name);
        const Word* element = lanes != 0 ? find(name) : nullptr;
        if (!element || element->group != Group::VectorElement) return nullptr;
        bool is_half = element->kind == static_cast<uint8_t>(TypeKind::Half);
        if (is_half && !features.has(Ext::Fp16)) return nullptr;  // OpenCL C 6.1.4: halfn is reserved
        return vector(scalar(static_cast<TypeKind>(element->kind)), lanes);
    }
    const Word* found = find(name);
    if (!found || !features.at_least(found->since)) return nullptr;
    for (Ext need : found->needs)
        if (need != Ext::None && !features.has(need)) return nullptr;
    switch (found->group) {
        case Group::Scalar:
        case Group::VectorElement: return scalar(static_cast<TypeKind>(found->kind));
        case Group::Image: return image(static_cast<ImageKind>(found->kind));
        case Group::Atomic: return atomic(scalar(static_cast<TypeKind>(found->kind)));
    }
    return nullptr;
}

}  // namespace caldera::frontend
