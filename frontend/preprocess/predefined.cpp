// SPDX-License-Identifier: Apache-2.0
// Predefined macros: a table that is searched by name, so that those nobody uses cost nothing.
#include <array>

#include "frontend/preprocess/macro.h"

namespace caldera::frontend::pp {
namespace {

using Condition = bool (*)(const CompileOptions&);

template <Standard S>
bool since(const CompileOptions& o) {
    return o.standard >= S;
}
template <Standard S>
bool just(const CompileOptions& o) {
    return o.standard == S;
}
template <spirv::Target T, Standard S>
bool device(const CompileOptions& o) {  // the version of the device that the output is for
    return o.target >= T || o.standard >= S;
}
template <Ext E>
bool has(const CompileOptions& o) {
    return o.has(E);
}
template <Ext E>
bool shows(const CompileOptions& o) {
    return o.features().shows(E);
}

constexpr Condition Always = [](const CompileOptions&) { return true; };
constexpr Condition CL20 = since<Standard::CL20>;
constexpr Condition Is10 = just<Standard::CL10>, Is11 = just<Standard::CL11>, Is12 = just<Standard::CL12>,
                    Is20 = just<Standard::CL20>, Is30 = just<Standard::CL30>, Is31 = just<Standard::CL31>;
constexpr Condition Device20 = device<spirv::Target::OpenCL20, Standard::CL20>,
                    Device21 = device<spirv::Target::OpenCL21, Standard::CL30>,
                    Device22 = device<spirv::Target::OpenCL22, Standard::CL30>,
                    Device30 = device<spirv::Target::OpenCL30, Standard::CL30>;
constexpr Condition Device31 = [](const CompileOptions& o) {
    return o.standard >= Standard::CL31 || o.target == spirv::Target::OpenCL31 ||
           (Device30(o) && o.target != spirv::Target::OpenCL30 &&
            lacks(o.extensions, Standard::CL31).empty());
};
constexpr Condition Fp16 = has<Ext::Fp16>, Fp64 = has<Ext::Fp64>, Images = has<Ext::Images>;
constexpr Condition ImageUnormInt2_101010 = has<Ext::ImageUnormInt2_101010>,
                    ImageRaw10Raw12 = has<Ext::ImageRaw10Raw12>;
constexpr Condition DeviceEnqueue = has<Ext::DeviceEnqueue>, Pipes = has<Ext::Pipes>;
constexpr Condition FastRelaxedMath = [](const CompileOptions& o) { return o.fast_relaxed_math; };
constexpr Condition FiniteMath = [](const CompileOptions& o) {
    return o.finite_math_only || o.fast_relaxed_math;
};

template <Condition C>
bool of_target(const CompileOptions& o) {
    return !o.no_target_macros && C(o);
}

struct Row {
    Predefined macro;
    Condition condition;
};

constexpr Row kRows[] = {
#define PREDEFINED(name, condition, text) {{#name, "", text, Dynamic::None}, condition},
#define PREDEFINED_FUNCTION(name, params, condition, text) {{#name, params, text, Dynamic::None}, condition},
#define DYNAMIC(name, kind) {{#name, "", "", Dynamic::kind}, Always},
#define EXTENSION(name, macro, ...) {{#macro, "", "1", Dynamic::None}, shows<Ext::name>},
#define ANY_OF(name, macro, ...) {{#macro, "", "1", Dynamic::None}, shows<Ext::name>},
#include "frontend/extensions.def"
#include "frontend/preprocess/predefined.def"
#undef PREDEFINED
#define PREDEFINED(name, condition, text) {{#name, "", text, Dynamic::None}, of_target<condition>},
#include "frontend/preprocess/predefined_target.def"
#undef PREDEFINED
#undef PREDEFINED_FUNCTION
#undef DYNAMIC
};

constexpr size_t kSlots = 2048;
static_assert(std::size(kRows) * 3 < kSlots);

constexpr uint32_t hash(std::string_view text) {
    uint32_t h = static_cast<uint32_t>(text.size());
    for (char c : text) h = (h ^ static_cast<unsigned char>(c)) * 16777619u;
    return h ^ h >> 15;
}

/// Uses open addressing. A name that has several rows is entered once, with its first row.
constexpr auto kTable = [] {
    std::array<int16_t, kSlots> table{};
    for (int16_t& slot : table) slot = -1;
    for (size_t i = 0; i < std::size(kRows); ++i) {
        if (i > 0 && kRows[i - 1].macro.name == kRows[i].macro.name) continue;
        size_t at = hash(kRows[i].macro.name) % kSlots;
        while (table[at] >= 0) at = (at + 1) % kSlots;
        table[at] = static_cast<int16_t>(i);
    }
    return table;
}();

}  // namespace

const Predefined* find_predefined(std::string_view name, const CompileOptions& options) {
    for (size_t at = hash(name) % kSlots; kTable[at] >= 0; at = (at + 1) % kSlots) {
        auto row = static_cast<size_t>(kTable[at]);
        if (kRows[row].macro.name != name) continue;
        for (; row < std::size(kRows) && kRows[row].macro.name == name; ++row)
            if (kRows[row].condition(options)) return &kRows[row].macro;
        return nullptr;
    }
    return nullptr;
}

std::vector<const Predefined*> all_predefined(const CompileOptions& options) {
    std::vector<const Predefined*> out;
    for (const Row& row : kRows)
        if (find_predefined(row.macro.name, options) == &row.macro) out.push_back(&row.macro);
    return out;
}

}  // namespace caldera::frontend::pp
