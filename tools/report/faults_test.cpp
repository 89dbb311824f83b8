// SPDX-License-Identifier: Apache-2.0
#include "tools/report/faults.h"

#include <doctest/doctest.h>

#include "tools/report/report.h"

using namespace caldera;
using namespace caldera::tools;

TEST_CASE("a fault at its source line names the module, too") {
    const Finding finding = as_finding({.message = "no",
                                        .rule = "VUID-x",
                                        .hint = "mend it",
                                        .instruction = "%a = OpIAdd %b",
                                        .function = "k",
                                        .file = "k\x1b[31m.cl",
                                        .line = 7,
                                        .column = 3,
                                        .ordinal = 12,
                                        .offset_bytes = 40,
                                        .length_bytes = 20},
                                       "k.spv");
    CHECK(as_text(finding) ==
          "k?[31m.cl:7:3: error: no [VUID-x]\n    %a = OpIAdd %b\n  note: instruction 12 in function 'k', "
          "k.spv\n"
          "  hint: mend it\n");
    REQUIRE(finding.notes.size() == 1);
    CHECK(finding.notes[0].place.offset == 40);
    const std::string sarif = to_sarif(std::vector{finding}, {.name = "t", .full_name = "T"});
    CHECK(sarif.find("\"uri\": \"k%1B%5B31m.cl\"") != std::string::npos);
    CHECK(sarif.find("\"byteOffset\": 40") != std::string::npos);
}

TEST_CASE("a fault without a source line is in the module") {
    const Finding finding = as_finding({.message = "no"}, "k.spv");
    CHECK(as_text(finding) == "k.spv: error: no\n");
    CHECK(finding.rule == kSpirvRule);
    CHECK(to_json(std::vector{finding}).find("\"file\": \"k.spv\"") != std::string::npos);
}
