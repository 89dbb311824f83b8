// SPDX-License-Identifier: Apache-2.0
#include "spirv/operands.h"

#include <doctest/doctest.h>

#include <vector>

#include "spirv/id_map.h"

using namespace caldera::spirv;

namespace {

std::vector<uint32_t> words(const Operands& operands) {
    std::vector<uint32_t> result;
    for (const Operand& operand : operands) result.push_back(operand.word);
    return result;
}

}  // namespace

TEST_CASE("operands: in place up to four, beyond that on the heap, the same either way") {
    for (uint32_t size : {0u, 1u, 3u, 4u, 5u, 9u}) {
        CAPTURE(size);
        std::vector<uint32_t> expected;
        Operands operands;
        for (uint32_t i = 0; i < size; ++i) {
            operands.push_back(i);
            expected.push_back(i);
        }
        Operands copy = operands, moved = std::move(operands);
        CHECK(operands.empty());
        CHECK(copy == moved);
        copy.insert(copy.begin() + size / 2, {77u, Id{5}});
        expected.insert(expected.begin() + size / 2, {77u, 5u});
        CHECK(words(copy) == expected);
        CHECK(copy[size / 2 + 1].is_id);
        copy.erase(copy.begin() + size / 2);
        expected.erase(expected.begin() + size / 2);
        CHECK(words(copy) == expected);
        moved = copy;
        CHECK(words(moved) == expected);
        copy = std::move(moved);
        copy.resize(2);
        CHECK(copy.size() == 2);
    }
}

TEST_CASE("id map: finds what was put in, whatever the distances of the keys, and lists it in order") {
    for (uint32_t stride : {1u, 31u, 32u, 4096u, 65536u}) {
        CAPTURE(stride);
        IdMap<uint32_t> map;
        for (uint32_t i = 0; i < 1000; ++i) CHECK(map.emplace(i * stride, i).second);
        CHECK(!map.emplace(0u, 7u).second);
        bool all = map.size() == 1000;
        for (uint32_t i = 0; i < 1000; ++i) all &= map.at(i * stride) == i && (map.begin() + i)->second == i;
        CHECK(all);
        CHECK(!map.contains(stride * 1000));
        map.clear();
        CHECK(!map.contains(0u));
        map[5u] = 3;
        CHECK(map.at(Id{5}) == 3);
    }
    IdSet set;
    CHECK(set.insert(9u));
    CHECK(!set.insert(Id{9}));
    CHECK(set.contains(9u));
    CHECK(!set.contains(10u));
}
