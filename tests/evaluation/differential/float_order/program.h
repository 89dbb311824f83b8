// SPDX-License-Identifier: Apache-2.0
// Bodies as OpenCL C: one kernel of many, or one by itself that a person can run.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "evaluate.h"

namespace caldera::float_order {

/// `kernel void test(int n, tables..., results...)`, for kItems work-items. Each kind in `loaded` has a
/// table, and each in `stored` has a buffer of results. The body at `slot` among those of its kind writes
/// kItems * kMaxWidth numbers, starting at slot * kItems * kMaxWidth.
struct Program {
    std::string source = {};
    std::string options = {};
    std::vector<Kind> loaded = {}, stored = {};
    std::vector<uint32_t> slots = {};  ///< of the bodies
    uint32_t slots_of(std::span<const Body> bodies, Kind kind) const;
};

/// Bodies that agree in `contracts` and `divides_exactly`.
Program make_program(std::span<const Body> bodies);

/// The text of a file for clrun that contains the body alone, with the numbers of one work-item. Its first
/// lines say how to run it and which result it must give.
std::string stand_alone(const Body& body, const Difference& difference, const std::string& clrun_options);

/// The number as a person would write it: the shortest text that reads back as the same number.
std::string text(Kind kind, uint64_t bits);

}  // namespace caldera::float_order
