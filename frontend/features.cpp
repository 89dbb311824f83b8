// SPDX-License-Identifier: Apache-2.0
#include "frontend/features.h"

#include <algorithm>

#include "frontend/typo.h"

namespace caldera::frontend {
namespace {

using enum Standard;

enum class PragmaUse : uint8_t { Unknown, Accepted, Needed, NeededTo11 };

struct Core {
    Standard from, to;  // from > to: never
};
constexpr Core Never = {CL31, CL10}, From11 = {CL11, CL31}, Only20 = {CL20, CL20}, To20 = {CL10, CL20},
               From31 = {CL31, CL31}, InAll = {CL10, CL31};

struct Row {
    std::string_view macro = {};
    Standard since = CL10;
    Core core = Never;
    PragmaUse pragma = PragmaUse::Unknown;
    std::array<Ext, 3> any_of = {};
};

constexpr auto kRows = [] {
    std::array<Row, static_cast<size_t>(Ext::kCount)> rows;
    auto row = [&](Ext e) -> Row& { return rows[static_cast<size_t>(e)]; };
    using enum Ext;
    using enum PragmaUse;
#define EXTENSION(name, macro, since, core, pragma) row(name) = {#macro, since, core, pragma};
#define ANY_OF(name, spelling, ...) row(name) = Row{.macro = #spelling, .any_of = {__VA_ARGS__}};
#include "frontend/extensions.def"
    return rows;
}();

const Row& row_of(Ext e) { return kRows[static_cast<size_t>(e)]; }

struct Pair {
    Ext first, second;
};
constexpr Pair kSame[] = {
#define SAME(name, other) {Ext::name, Ext::other},
#include "frontend/extensions.def"
};
constexpr Pair kRequires[] = {
#define REQUIRES(name, other) {Ext::name, Ext::other},
#include "frontend/extensions.def"
};
constexpr Pair kServedBy[] = {
#define SERVED_BY(name, other) {Ext::name, Ext::other},
#include "frontend/extensions.def"
};

}  // namespace

std::string_view version_name(Standard standard) {
    switch (standard) {
        case CL10: return "1.0";
        case CL11: return "1.1";
        case CL12: return "1.2";
        case CL20: return "2.0";
        case CL30: return "3.0";
        case CL31: return "3.1";
    }
    return "";
}

bool Features::has(Ext e) const {
    const Row& row = row_of(e);
    if (row.any_of[0] != Ext::None)
        return std::ranges::any_of(row.any_of, [&](Ext one) { return one != Ext::None && has(one); });
    if (row.core.from <= standard && standard <= row.core.to) return true;
    return standard >= row.since && device.has(e);
}

bool Features::usable(Ext e, const ExtSet& enabled) const {
    PragmaUse use = row_of(e).pragma;
    bool needs_pragma = use == PragmaUse::Needed || (use == PragmaUse::NeededTo11 && standard <= CL11);
    return has(e) && (!needs_pragma || enabled.has(e));
}

bool Features::serves(Ext e) const {
    return has(e) || std::ranges::any_of(kServedBy, [&](const Pair& pair) {
               return pair.first == e && at_least(row_of(e).since) && has(pair.second);
           });
}

bool Features::shows(Ext e) const { return standard >= row_of(e).since && has(e); }

std::optional<Ext> find_extension(std::string_view macro) {
    auto found = std::ranges::find(kRows, macro, &Row::macro);
    if (macro.empty() || found == kRows.end()) return std::nullopt;
    return static_cast<Ext>(found - kRows.begin());
}

std::string_view nearest_extension(std::string_view macro) {
    // Another vendor's extension, as cl_amd_fp64, is three letters away or more.
    Nearest nearest(macro, 2);
    for (const Row& row : kRows) nearest.consider(row.macro);
    return nearest.found();
}

std::string_view macro_name(Ext e) { return row_of(e).macro; }

bool has_pragma(Ext e) { return row_of(e).pragma != PragmaUse::Unknown; }

bool is_core(Ext e, Standard standard) {
    const Row& row = row_of(e);
    return (row.core.from <= standard && standard <= row.core.to) ||
           (row.pragma == PragmaUse::NeededTo11 && standard > CL11);
}

std::string_view lacks(const ExtSet& device, Standard standard) {
    for (uint32_t e = 1; e < static_cast<uint32_t>(Ext::kCount); ++e) {
        const Row& row = kRows[e];
        const bool is_core = row.core.from <= standard && standard <= row.core.to;
        if (is_core && !device.has(static_cast<Ext>(e))) return row.macro;
    }
    return {};
}

std::string_view change_extensions(std::string_view list, ExtSet& set) {
    while (!list.empty()) {
        std::string_view item = list.substr(0, list.find(','));
        list.remove_prefix(std::min(list.size(), item.size() + 1));
        if (item.size() < 2 || (item[0] != '+' && item[0] != '-')) return item.empty() ? "," : item;
        bool on = item[0] == '+';
        std::string_view name = item.substr(1);
        if (name == "all")
            set = on ? ExtSet::all() : ExtSet();
        else if (std::optional<Ext> ext = find_extension(name))
            set.set(*ext, on);
    }
    return {};
}

std::vector<std::string_view> unknown_extensions(std::string_view list) {
    std::vector<std::string_view> unknown;
    while (!list.empty()) {
        const std::string_view item = list.substr(0, list.find(','));
        list.remove_prefix(std::min(list.size(), item.size() + 1));
        if (item.size() < 2 || item[0] != '+') continue;
        const std::string_view name = item.substr(1);
        if (name != "all" && !find_extension(name)) unknown.push_back(name);
    }
    return unknown;
}

std::vector<std::string> contradictions(const Features& features) {
    std::vector<std::string> faults;
    if (!features.at_least(CL30)) return faults;
    for (auto [one, other] : kRequires)
        if (features.has(one) && !features.has(other))
            faults.push_back("feature " + std::string(macro_name(one)) + " requires support of " +
                             std::string(macro_name(other)) + " feature");
    for (auto [one, other] : kSame)
        if (features.has(one) != features.has(other))
            faults.push_back("options " + std::string(macro_name(one)) + " and " +
                             std::string(macro_name(other)) + " are set to different values");
    return faults;
}

}  // namespace caldera::frontend
