// SPDX-License-Identifier: Apache-2.0
// Bodies as OpenCL C: one kernel of many, or one by itself that a person can run.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "evaluate.h"

namespace caldera::float_order {

/// `kernel void test(int n, tables..., results...)`, for kItems work-items. Of each kind in `loaded` there is a table, of each in `stored`
/// a buffer of results: the body at `slot` among those of its kind writes kItems * kMaxWidth numbers from slot * that on.
struct Program {
    std::string source = {};
    std::string options = {};
    std::vector<Kind> loaded = {}, stored = {};
    std::vector<uint32_t> slots = {};  ///< of the bodies
    uint32_t slots_of(std::span<const Body> bodies, Kind kind) const;
};

/// Bodies that agree in `contracts` and `divides_exactly`.
Program make_program(std::span<const Body> bodies);

/// The body alone with the numbers of one work-item, as a file for clrun, whose first lines say how to run it and what it has to
/// give.
std::string stand_alone(const Body& body, const Difference& difference, const std::string& clrun_options);

/// As a person writes it; the shortest that is read back as the same.
std::string text(Kind kind, uint64_t bits);

}  // namespace caldera::float_order
