// SPDX-License-Identifier: Apache-2.0
#include "spirv/support/archive.h"

#include <doctest/doctest.h>

#include "spirv/support/hash.h"

using namespace caldera;

namespace {

enum class Colour : uint8_t { Red, Green };
struct Leaf {
    Colour colour = {};
    std::string name = {};
    bool operator==(const Leaf&) const = default;
};
struct Tree {
    std::array<uint32_t, 2> size = {};
    std::vector<Leaf> leaves = {};
    std::vector<uint32_t> numbers = {};
    std::optional<std::string> note = {};
    bool is_tall = false;
    bool operator==(const Tree&) const = default;
};
template <class Archive, Archived<Leaf> T>
void archive_fields(Archive& archive, T& leaf) {
    auto& [colour, name] = leaf;
    archive(colour, name);
}
template <class Archive, Archived<Tree> T>
void archive_fields(Archive& archive, T& tree) {
    auto& [size, leaves, numbers, note, is_tall] = tree;
    archive(size, leaves, numbers, note, is_tall);
}

const Tree kTree = {.size = {3, 4},
                    .leaves = {{Colour::Green, "a"}, {Colour::Red, ""}},
                    .numbers = {1, 2, 3},
                    .note = "yes",
                    .is_tall = true};

}  // namespace

TEST_CASE("what was written is read") {
    ArchiveWriter writer;
    writer(kTree, std::string_view("end"));
    ArchiveReader reader(writer.bytes());
    Tree tree;
    std::string end;
    reader(tree);
    CHECK(!reader.is_good());  // something is left
    reader(end);
    CHECK(reader.is_good());
    CHECK(tree == kTree);
    CHECK(end == "end");
}

TEST_CASE("too few bytes, or counts of more than there are, are found") {
    ArchiveWriter writer;
    writer(kTree);
    for (size_t size = 0; size < writer.bytes().size(); ++size) {
        ArchiveReader reader(writer.bytes().first(size));
        Tree tree;
        reader(tree);
        CHECK(!reader.is_good());
    }
    std::vector<std::byte> bytes(writer.bytes().begin(), writer.bytes().end());
    bytes[8 + 7] = std::byte{0xff};  // of the number of leaves
    ArchiveReader reader(bytes);
    Tree tree;
    reader(tree);
    CHECK(!reader.is_good());
    CHECK(tree.leaves.empty());
}

TEST_CASE("hash128 tells apart a bit, an order, a length") {
    std::vector<std::byte> bytes(37);
    const Hash128 hash = hash128(bytes);
    for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
        bytes[bit / 8] ^= std::byte{1} << (bit % 8);
        CHECK(hash128(bytes) != hash);
        bytes[bit / 8] ^= std::byte{1} << (bit % 8);
    }
    CHECK(hash128(bytes) == hash);
    CHECK(hash128(std::span(bytes).first(36)) != hash);
    std::vector<std::byte> ordered(16), swapped(16);
    ordered[0] = swapped[8] = std::byte{1};
    CHECK(hash128(ordered) != hash128(swapped));
}
