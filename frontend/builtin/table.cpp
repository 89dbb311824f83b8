// SPDX-License-Identifier: Apache-2.0
#include "frontend/builtin/table.h"

#include <spirv/unified1/OpenCL.std.h>
#include <algorithm>
#include <array>
#include <optional>
#include <spirv/unified1/spirv.hpp11>
#include <string>

#include "frontend/typo.h"

namespace caldera::frontend::builtin {

namespace {

// ---- The vocabulary of builtins.def ----

struct How {
    Lowering lowering;
    uint32_t a = 0, b = 0, c = 0;
};
/// The part of the language that a row needs: `Since20 && cl_khr_depth_images`.
struct When {
    Standard min_standard = Standard::CL10;
    std::array<Ext, kMaxNeeds> needs = {};
};
constexpr When operator&&(When a, When b) {
    a.min_standard = std::max(a.min_standard, b.min_standard);
    for (Ext need : b.needs)
        if (need != Ext::None) *std::ranges::find(a.needs, Ext::None) = need;
    return a;
}

namespace how {

using enum OpenCLLIB::Entrypoints;
using enum spv::Op;
using spv::BuiltIn;

constexpr How two(Lowering lowering, uint32_t a, uint32_t b) { return {lowering, a, b != 0 ? b : a}; }
constexpr How ExtInst(OpenCLLIB::Entrypoints a) { return two(Lowering::ExtInst, a, a); }
constexpr How ExtInst(OpenCLLIB::Entrypoints a, OpenCLLIB::Entrypoints b) {
    return two(Lowering::ExtInst, a, b);
}
constexpr uint32_t number(spv::Op op) { return static_cast<uint32_t>(op); }
constexpr How Op(spv::Op a) { return {Lowering::Op, number(a), number(a), number(a)}; }
constexpr How Dot(spv::Op a) { return {Lowering::Dot, number(a)}; }
constexpr How DotAdd(spv::Op a) { return {Lowering::Dot, number(a), 1}; }
constexpr How WorkItem(spv::BuiltIn a, uint32_t out_of_range) {
    return {Lowering::WorkItem, static_cast<uint32_t>(a), out_of_range};
}
constexpr How LinearId(spv::BuiltIn a) { return {Lowering::LinearId, static_cast<uint32_t>(a)}; }
constexpr How Relational(spv::Op a) { return {Lowering::Relational, number(a)}; }
constexpr How Any() { return {Lowering::Any}; }
constexpr How AllOf() { return {Lowering::All}; }
constexpr How SelectOf() { return {Lowering::Select, OpenCLLIB::Select}; }
constexpr How VectorLoad(OpenCLLIB::Entrypoints a) { return {Lowering::VectorLoad, a}; }
constexpr How VectorStore(OpenCLLIB::Entrypoints a, OpenCLLIB::Entrypoints rounded = {}) {
    return {Lowering::VectorStore, a, rounded};
}
constexpr How Barrier() { return {Lowering::Barrier}; }
constexpr How Fence() { return {Lowering::Fence}; }
constexpr How Call() { return {Lowering::Call}; }
constexpr How Convert() { return {Lowering::Convert}; }
constexpr How Bitcast() { return {Lowering::Bitcast}; }
constexpr How ShuffleOf(OpenCLLIB::Entrypoints a) { return {Lowering::Shuffle, a}; }
constexpr How Atomic(spv::Op a) { return two(Lowering::Atomic, number(a), number(a)); }
constexpr How Atomic(spv::Op a, spv::Op b) { return two(Lowering::Atomic, number(a), number(b)); }
constexpr How AtomicSubtract(spv::Op a) { return {Lowering::AtomicSubtract, number(a)}; }
constexpr How AtomicInit() { return {Lowering::AtomicInit}; }
constexpr How LegacyAtomic(spv::Op a) { return two(Lowering::LegacyAtomic, number(a), number(a)); }
constexpr How LegacyAtomic(spv::Op a, spv::Op b) { return two(Lowering::LegacyAtomic, number(a), number(b)); }
constexpr How Group(spv::Op a) { return {Lowering::Group, number(a), number(a), number(a)}; }
constexpr How Group(spv::Op a, spv::Op b, spv::Op c) {
    return {Lowering::Group, number(a), number(b), number(c)};
}
constexpr uint32_t Lod = static_cast<uint32_t>(spv::ImageOperandsMask::Lod);
constexpr uint32_t Grad = static_cast<uint32_t>(spv::ImageOperandsMask::Grad);
constexpr uint32_t Sample = static_cast<uint32_t>(spv::ImageOperandsMask::Sample);
constexpr How Image(spv::Op a, uint32_t b = 0) { return {Lowering::Image, number(a), b}; }

constexpr How Pipe(spv::Op a) { return two(Lowering::Pipe, number(a), number(a)); }
constexpr How Pipe(spv::Op a, spv::Op b) { return two(Lowering::Pipe, number(a), number(b)); }
constexpr How Enqueue(spv::Op a) { return {Lowering::Enqueue, number(a)}; }
constexpr How Matrix() { return {Lowering::Matrix}; }
constexpr How Gnu(GnuOp op) { return {Lowering::Gnu, static_cast<uint32_t>(op)}; }
constexpr How Sync(SyncOp op, uint32_t forms) { return {Lowering::Sync, static_cast<uint32_t>(op), forms}; }
constexpr How Special() { return {Lowering::Special}; }
constexpr How Special(spv::Op a) { return {Lowering::Special, number(a), number(a), number(a)}; }

constexpr Row row(std::string_view name, std::string_view signature, How how, When when) {
    return {name, signature, how.lowering, how.a, how.b, how.c, when.min_standard, when.needs};
}

constexpr When All = {}, Since11 = {Standard::CL11}, Since12 = {Standard::CL12}, Since20 = {Standard::CL20},
               Since30 = {Standard::CL30};
#define EXTENSION(name, macro, ...) constexpr When macro = {.needs = {Ext::name}};
#define ANY_OF(name, macro, ...) constexpr When macro = {.needs = {Ext::name}};
#include "frontend/extensions.def"

constexpr Row kRows[] = {
#define BUILTIN(name, signature, lowering, when) row(name, signature, lowering, when),
#include "frontend/builtin/builtins.def"
#undef BUILTIN
};

}  // namespace how

constexpr std::span<const Row> kRows(how::kRows);

// Indices of rows in the order of their names; rows of one name keep their order.
constexpr auto kByName = [] {
    std::array<uint16_t, kRows.size()> order = {};
    for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<uint16_t>(i);
    std::ranges::sort(order, [](uint16_t a, uint16_t b) {
        return kRows[a].name != kRows[b].name ? kRows[a].name < kRows[b].name : a < b;
    });
    return order;
}();

bool enabled(const Row& row, const Features& features) {
    if (features.standard < row.min_standard) return false;
    return std::ranges::all_of(row.needs, [&](Ext e) { return e == Ext::None || features.has(e); });
}

std::vector<const Row*> rows_named(std::string_view name, const Features& features) {
    // Not equal_range: clang 15 cannot compile libstdc++ 12's subrange.
    auto row = std::ranges::lower_bound(kByName, name, {}, [](uint16_t i) { return kRows[i].name; });
    std::vector<const Row*> out;
    for (; row != kByName.end() && kRows[*row].name == name; ++row)
        if (enabled(kRows[*row], features)) out.push_back(&kRows[*row]);
    return out;
}

// ---- Names with parts ----

bool take_suffix(std::string_view& name, std::string_view suffix) {
    if (!name.ends_with(suffix)) return false;
    name.remove_suffix(suffix.size());
    return true;
}

int8_t take_rounding(std::string_view& name) {
    auto mode = [](spv::FPRoundingMode value) { return static_cast<int8_t>(value); };
    if (take_suffix(name, "_rte")) return mode(spv::FPRoundingMode::RTE);
    if (take_suffix(name, "_rtz")) return mode(spv::FPRoundingMode::RTZ);
    if (take_suffix(name, "_rtp")) return mode(spv::FPRoundingMode::RTP);
    if (take_suffix(name, "_rtn")) return mode(spv::FPRoundingMode::RTN);
    return -1;
}

uint8_t take_lanes(std::string_view& name) {
    for (std::string_view digits : {"16", "8", "4", "3", "2"})
        if (take_suffix(name, digits)) return static_cast<uint8_t>(std::stoi(std::string(digits)));
    return 1;
}

std::optional<TypeKind> scalar_kind(std::string_view name, bool allow_size_t) {
    struct Named {
        std::string_view name;
        TypeKind kind;
    };
    static constexpr Named kNames[] = {
        {"char", TypeKind::Char},
        {"uchar", TypeKind::UChar},
        {"short", TypeKind::Short},
        {"ushort", TypeKind::UShort},
        {"int", TypeKind::Int},
        {"uint", TypeKind::UInt},
        {"long", TypeKind::Long},
        {"ulong", TypeKind::ULong},
        {"half", TypeKind::Half},
        {"float", TypeKind::Float},
        {"double", TypeKind::Double},
        // as_ only (6.2.4.2)
        {"size_t", TypeKind::ULong},
        {"ptrdiff_t", TypeKind::Long},
        {"intptr_t", TypeKind::Long},
        {"uintptr_t", TypeKind::ULong},
    };
    auto it = std::ranges::find(kNames, name, &Named::name);
    if (it == std::end(kNames) || (!allow_size_t && name.ends_with("_t"))) return std::nullopt;
    return it->kind;
}

// The part after the prefix: "convert_int4_sat_rte", "as_float4".
NameMatch match_type_name(std::string_view prefix, std::string_view rest, const Features& features) {
    NameMatch out;
    bool converts = prefix == "convert_";
    if (converts) {
        out.rounding = take_rounding(rest);
        out.saturate = take_suffix(rest, "_sat");
    }
    out.lanes = take_lanes(rest);
    if (out.lanes != 1 && rest.ends_with("_t")) return {};
    std::optional<TypeKind> kind = scalar_kind(rest, !converts);
    if (!kind || !element_enabled(*kind, features)) return {};
    if (out.saturate && *kind > TypeKind::ULong) return {};
    out.named_result = {*kind, out.lanes};
    out.rows = rows_named(prefix, features);
    return out;
}

// "vload4", "vstore_half8_rtz"
NameMatch match_vector_name(std::string_view name, const Features& features) {
    if (name.ends_with('#')) return {};
    NameMatch out;
    std::string_view rest = name;
    if (name.find("_half") != std::string_view::npos && name.starts_with("vstore"))
        out.rounding = take_rounding(rest);
    out.lanes = take_lanes(rest);
    std::string key(rest);
    if (out.lanes != 1) key += '#';
    out.rows = rows_named(key, features);
    return out;
}

// clang's own names, such as "__opencl_atomic_fetch_add" for atomic_fetch_add_explicit, which libraries
// written for clang use.
NameMatch match_clang_atomic(std::string_view name, const Features& features) {
    NameMatch out;
    out.name = name == "atomic_init" ? name : std::string(name) + "_explicit";
    out.rows = rows_named(out.name, features);
    return out;
}

// "__sync_fetch_and_add_4": gcc's names for one size. clang takes the size of the object for all of them.
NameMatch match_sync(std::string_view name, const Features& features) {
    std::string_view stem = name;
    for (const std::string_view size : {"_16", "_8", "_4", "_2", "_1"})
        if (take_suffix(stem, size)) break;
    NameMatch out = {.rows = rows_named(stem, features)};
    const auto lacks_sizes = [](const Row* row) {
        const auto op = static_cast<SyncOp>(row->a);
        return op == SyncOp::Min || op == SyncOp::Max || op == SyncOp::Fence;
    };
    if (stem != name && std::ranges::any_of(out.rows, lacks_sizes)) out.rows.clear();
    return out;
}

}  // namespace

bool element_enabled(TypeKind kind, const Features& features) {
    if (kind == TypeKind::Half) return features.has(Ext::Fp16);
    if (kind == TypeKind::Double) return features.has(Ext::Fp64);
    return true;
}

NameMatch match_name(std::string_view name, const Features& features) {
    for (std::string_view prefix : {"convert_", "as_"})
        if (name.size() > prefix.size() && name.starts_with(prefix))
            return match_type_name(prefix, name.substr(prefix.size()), features);
    if (name.starts_with("vload") || name.starts_with("vstore")) return match_vector_name(name, features);
    if (constexpr std::string_view kClang = "__opencl_"; name.starts_with("__opencl_atomic_"))
        return match_clang_atomic(name.substr(kClang.size()), features);
    if (name.starts_with("__sync_")) return match_sync(name, features);
    return {.rows = name.ends_with('_') || name.ends_with('#') ? std::vector<const Row*>()
                                                               : rows_named(name, features)};
}

std::span<const Row> all_rows() { return kRows; }

bool is_builtin(std::string_view name, const Features& features) {
    return !match_name(name, features).rows.empty();
}

// ---- enumerators.def ----

namespace {

constexpr auto kEnumerators = [] {
    auto rows = std::to_array<Enumerator>({
#define ENUMERATOR(name, type, value, standard) \
    {#name, TypeKind::type, static_cast<uint64_t>(static_cast<int64_t>(value)), Standard::standard},
#include "frontend/builtin/enumerators.def"
#undef ENUMERATOR
    });
    std::ranges::sort(rows, {}, &Enumerator::name);
    return rows;
}();

}  // namespace

const Enumerator* enumerator(std::string_view name, const Features& features) {
    auto it = std::ranges::lower_bound(kEnumerators, name, {}, &Enumerator::name);
    if (it == kEnumerators.end() || it->name != name || features.standard < it->min_standard) return nullptr;
    return &*it;
}

std::vector<std::string> function_names(const Features& features) {
    std::vector<std::string> names;
    for (const uint16_t i : kByName) {
        const Row& row = kRows[i];
        if (row.name.ends_with('_') || !enabled(row, features)) continue;
        if (!row.name.ends_with('#')) {
            if (names.empty() || names.back() != row.name) names.emplace_back(row.name);
            continue;
        }
        const std::string stem(row.name.substr(0, row.name.size() - 1));
        for (const char* lanes : {"2", "3", "4", "8", "16"}) names.push_back(stem + lanes);
    }
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

std::vector<std::string_view> enumerator_names(const Features& features) {
    std::vector<std::string_view> names;
    for (const Enumerator& row : kEnumerators)
        if (features.standard >= row.min_standard) names.push_back(row.name);
    return names;
}

// ---- "did you mean" ----

std::string_view nearest(std::string_view name, const Features& features) {
    Nearest nearest(name);
    for (const Row& row : kRows)
        if (enabled(row, features) && !row.name.ends_with('_') && !row.name.ends_with('#'))
            nearest.consider(row.name);
    return nearest.found();
}

}  // namespace caldera::frontend::builtin
