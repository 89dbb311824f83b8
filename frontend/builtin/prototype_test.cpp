// SPDX-License-Identifier: Apache-2.0
// Rows of builtins.def as a reader sees them.
#include <doctest/doctest.h>

#include <algorithm>

#include "frontend/builtin/builtin.h"

using namespace caldera::frontend;

namespace {

std::string text(std::string_view name, const Features& features = {}) {
    std::string out;
    for (const builtin::Prototype& prototype : builtin::prototypes(name, features)) {
        out += prototype.result + " (";
        for (size_t i = 0; i < prototype.params.size(); ++i) out += (i ? ", " : "") + prototype.params[i];
        out += std::string(prototype.variadic ? prototype.params.empty() ? "..." : ", ..." : "") + ")";
        out += (prototype.types.empty() ? "" : "; " + prototype.types) + "\n";
    }
    return out;
}

bool has(const auto& names, std::string_view name) { return std::ranges::find(names, name) != names.end(); }

}  // namespace

TEST_CASE("the specification's notation") {
    CHECK(text("fmax") ==
          "gentype (gentype, gentype); gentype: half, float or double, or vectors of 2, 3, 4, 8, 16\n"
          "gentype (gentype, sgentype); gentype: half, float or double, in vectors of 2, 3, 4, 8, 16\n");
    CHECK(text("get_global_id") == "ulong (uint)\n");
    CHECK(text("vload4") ==
          "gentype4 (ulong, const gentype *); gentype: char, uchar, short, ushort, int, uint, long, "
          "ulong, half, float or double\n");
    CHECK(text("convert_int4_sat") ==
          "int4 (gentype4); gentype: char, uchar, short, ushort, int, uint, long, ulong, half, float or "
          "double\n");
    CHECK(text("printf") == "int (constant const char *, ...)\n");
    CHECK(text("abs_diff").starts_with("ugentype (gentype, gentype); gentype: char"));
    CHECK(text("no_such_function").empty());
}

TEST_CASE("only what the language has") {
    Features features;
    features.device.set(Ext::Fp16, false).set(Ext::Fp64, false);
    CHECK(text("sin", features) == "floatn (floatn); gentype: float, or vectors of 2, 3, 4, 8, 16\n");
    CHECK(text("work_group_barrier").empty());
    CHECK(has(builtin::function_names({}), "vload16"));
    CHECK_FALSE(has(builtin::function_names({}), "work_group_barrier"));
    CHECK(has(builtin::function_names({.standard = Standard::CL20}), "work_group_barrier"));
    CHECK_FALSE(has(builtin::enumerator_names({}), "memory_order_relaxed"));
    CHECK(has(builtin::enumerator_names({.standard = Standard::CL30}), "memory_order_relaxed"));
}
