// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/printf.h"

#include <doctest/doctest.h>

#include <string>

namespace caldera::runtime {
namespace {

std::string printed(std::vector<uint32_t> buffer, const PrintfTable& table) {
    std::string text;
    print_records(buffer, table, [&](const Printed& piece) {
        text += piece.text;
        if (piece.is_cut) text += "(cut)";
    });
    return text;
}

const PrintfTable kTable{.formats = {{"number %d\n", {4}}, {"%s %s %s\n", {4, 8, 8}}, {"literal", {}}},
                         .data_segment = {'x', 0, 'o', 'k', 0, 'e', 'n', 'd'},
                         .data_address = 0x100000000};

TEST_CASE("print_records: one after another") {
    CHECK(printed({0, 1, 2, 3}, kTable) == "");
    CHECK(printed({4, 0, 7, 0, 8, 99}, kTable) == "number 7\nnumber 8\n");
    CHECK(printed({6, 1, 2, 2, 1, 5, 1}, kTable) == "literal ok end\n");
    PrintfTable by_offset = kTable;
    by_offset.data_address = 0;
    CHECK(printed({6, 1, 2, 2, 77, 0, 77}, by_offset) == "literal ok x\n");
}

TEST_CASE("print_records: what does not fit is cut") {
    CHECK(printed({4, 0, 7, 0}, kTable) == "number 7\n(cut)");
    CHECK(printed({100, 0, 7, 0}, kTable) == "number 7\n(cut)");
    CHECK(printed({~0u}, kTable) == "(cut)");
}

TEST_CASE("print_records: a buffer of nonsense does no harm") {
    CHECK(printed({}, kTable) == "");
    CHECK(printed({3, 3, 0, 0}, kTable) == "");                                  // no such format
    CHECK(printed({1, 1, 0, 0}, kTable) == "");                                  // shorter than its format
    CHECK(printed({6, 1, 99, 0, 0, 1, 0}, kTable) == " (null) (no literal)\n");  // no such strings
}

TEST_CASE("print_records: pieces are not huge") {
    const PrintfTable wide{.formats = {{"%60000d", {4}}}};
    std::vector<uint32_t> buffer(201);
    buffer[0] = 200;
    size_t pieces = 0, total = 0;
    print_records(buffer, wide, [&](const Printed& piece) {
        ++pieces;
        total += piece.text.size();
        CHECK(piece.text.size() <= 200000);
    });
    CHECK(total == 100 * 60000);
    CHECK(pieces == 50);
}

TEST_CASE("print_records: the last piece is known, and has text") {
    const PrintfTable wide{.formats = {{"%60000d", {4}}, {"", {}}}};
    const auto lasts = [&](const std::vector<uint32_t>& buffer) {
        std::vector<bool> list;
        print_records(buffer, wide, [&](const Printed& piece) {
            CHECK(!piece.text.empty());
            list.push_back(piece.is_last);
        });
        return list;
    };
    CHECK(lasts({1, 1}).empty());
    CHECK(lasts({4, 0, 7, 0, 7}) == std::vector{true});
    CHECK(lasts({5, 0, 7, 0, 7, 1}) == std::vector{true});
    CHECK(lasts({6, 0, 7, 0, 7, 0, 7}) == std::vector{false, true});
}

}  // namespace
}  // namespace caldera::runtime
