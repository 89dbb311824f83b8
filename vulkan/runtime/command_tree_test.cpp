// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/command_tree.h"

#include <doctest/doctest.h>

#include <vector>

#include "vulkan/interface.h"

namespace caldera::runtime {
namespace {

using Words = std::vector<uint32_t>;
constexpr uint32_t kBlock = 3;

/// Events by their index; `event` -1: none.
Words record(uint32_t what, uint32_t parent, int event, const Words& wait_list = {}) {
    Words words(vulkan::kRecordTail);
    words[vulkan::kRecordCommand] = what;
    words[vulkan::kRecordParent] = parent;
    words[vulkan::kRecordEvent] = static_cast<uint32_t>(event + 1);
    words[vulkan::kRecordWaitCount] = static_cast<uint32_t>(wait_list.size());
    words.insert(words.end(), wait_list.begin(), wait_list.end());
    words[vulkan::kRecordWords] = static_cast<uint32_t>(words.size());
    return words;
}
Words profile(int event, uint32_t address) {
    Words words = record(vulkan::kProfileCommand, 0, event);
    words[vulkan::kRecordOffset] = address;
    return words;
}

TEST_CASE("CommandTree: a root alone is complete when it has ended") {
    CommandTree tree(0);
    CHECK(!tree.is_complete());
    CHECK(tree.take_ready().empty());
    tree.ended(CommandTree::kRoot, 10, 20);
    CHECK(tree.is_complete());
    CHECK(tree.status() == 0);
    CHECK(tree.command_count() == 0);
}

TEST_CASE("CommandTree: a command is complete after its children, and so is its event") {
    CommandTree tree(2);
    tree.take_event(0);
    REQUIRE(tree.add(record(kBlock, CommandTree::kRoot, 0)));
    REQUIRE(tree.add(record(kBlock, CommandTree::kRoot, -1, {0})));
    tree.ended(CommandTree::kRoot, 0, 1);
    const std::vector<uint32_t> first = tree.take_ready();
    REQUIRE(first.size() == 1);
    CHECK(tree.waiting() == 1);
    CHECK(tree.record(first[0])[vulkan::kRecordCommand] == kBlock);
    CHECK(!tree.is_idle(0));

    REQUIRE(tree.add(record(kBlock, first[0], -1)));  // it has enqueued something
    tree.ended(first[0], 2, 3);
    const std::vector<uint32_t> child = tree.take_ready();
    REQUIRE(child.size() == 1);
    tree.ended(child[0], 4, 5);
    CHECK(tree.is_idle(0));
    const std::vector<uint32_t> second = tree.take_ready();
    REQUIRE(second.size() == 1);
    CHECK(!tree.is_complete());
    tree.ended(second[0], 6, 7);
    CHECK(tree.is_complete());
    CHECK(tree.command_count() == 3);
}

TEST_CASE("CommandTree: markers and user events; a chain of markers is complete at once") {
    constexpr uint32_t kMarkers = 100'000;
    CommandTree tree(kMarkers + 1);
    for (uint32_t i = 0; i <= kMarkers; ++i) tree.take_event(i);
    for (uint32_t i = 0; i < kMarkers; ++i)
        REQUIRE(tree.add(record(vulkan::kMarkerCommand, 0, static_cast<int>(i + 1), {i})));
    REQUIRE(tree.add(record(kBlock, 0, -1, {kMarkers, 5, 7})));
    tree.ended(CommandTree::kRoot, 0, 1);
    CHECK(tree.is_open_user_event(0));
    CHECK(!tree.is_open_user_event(1));
    CHECK(tree.take_ready().empty());
    CHECK(tree.waiting() == kMarkers + 1);
    tree.complete_user_event(0, 0);
    CHECK(!tree.is_open_user_event(0));
    const std::vector<uint32_t> ready = tree.take_ready();
    REQUIRE(ready.size() == 1);
    CHECK(tree.waiting() == 0);
    tree.ended(ready[0], 2, 3);
    CHECK(tree.is_complete());
    CHECK(tree.status() == 0);
}

TEST_CASE("CommandTree: errors go to those that wait and to those above") {
    CommandTree tree(3);
    for (uint32_t i = 0; i < 3; ++i) tree.take_event(i);
    REQUIRE(tree.add(record(kBlock, 0, 1, {0})));
    REQUIRE(tree.add(record(kBlock, 0, 2, {1})));
    REQUIRE(tree.add(record(kBlock, 0, -1)));
    tree.ended(CommandTree::kRoot, 0, 1);
    tree.complete_user_event(0, -7);
    const std::vector<uint32_t> ready = tree.take_ready();
    REQUIRE(ready.size() == 1);  // the one that waits for nothing
    tree.ended(ready[0], 2, 3);
    CHECK(tree.is_complete());
    CHECK(tree.status() == CommandTree::kWaitFailed);

    CommandTree other(1);
    other.take_event(0);
    REQUIRE(other.add(record(kBlock, 0, 0)));
    other.ended(CommandTree::kRoot, 0, 1);
    const std::vector<uint32_t> child = other.take_ready();
    REQUIRE(child.size() == 1);
    other.failed(child[0], -5);
    CHECK(other.is_complete());
    CHECK(other.status() == -5);
    REQUIRE(other.add(record(kBlock, 0, -1, {0})));  // the event has that error already
    CHECK(other.take_ready().empty());
}

TEST_CASE("CommandTree: profiles, asked for before and after") {
    CommandTree tree(1);
    tree.take_event(0);
    REQUIRE(tree.add(record(kBlock, 0, 0)));
    REQUIRE(tree.add(profile(0, 0x1000)));
    tree.ended(CommandTree::kRoot, 0, 100);
    const uint32_t parent = tree.take_ready().at(0);
    REQUIRE(tree.add(record(kBlock, parent, -1)));
    tree.ended(parent, 200, 230);
    CHECK(tree.take_profiles().empty());
    tree.ended(tree.take_ready().at(0), 300, 350);
    std::vector<CommandTree::Profile> profiles = tree.take_profiles();
    REQUIRE(profiles.size() == 1);
    CHECK(profiles[0].address == 0x1000);
    CHECK(profiles[0].end_ns == 30);
    CHECK(profiles[0].complete_ns == 150);
    REQUIRE(tree.add(profile(0, 0x2000)));
    profiles = tree.take_profiles();
    REQUIRE(profiles.size() == 1);
    CHECK(profiles[0].address == 0x2000);
    CHECK(profiles[0].complete_ns == 150);
}

TEST_CASE("CommandTree: an event is nobody's when nothing waits for it and nothing will complete it") {
    CommandTree tree(1);
    CHECK(!tree.is_idle(0));
    tree.take_event(0);
    CHECK(tree.is_idle(0));  // a user event that nobody waits for
    REQUIRE(tree.add(record(kBlock, 0, -1, {0})));
    CHECK(!tree.is_idle(0));
    tree.complete_user_event(0, 0);
    CHECK(tree.is_idle(0));
    tree.free_event(0);
    CHECK(!tree.is_idle(0));
    CHECK(!tree.is_open_user_event(0));
}

TEST_CASE("CommandTree: records that cannot be are errors") {
    CommandTree tree(1);
    CHECK(!tree.add(record(kBlock, 1, -1)));
    CHECK(!tree.add(record(kBlock, 0, 1)));
    CHECK(!tree.add(record(kBlock, 0, -1, {1})));
    CHECK(!tree.add(profile(-1, 0)));
    Words long_wait_list = record(kBlock, 0, -1);
    long_wait_list[vulkan::kRecordWaitCount] = 1;
    CHECK(!tree.add(long_wait_list));
    CHECK(!tree.add(Words(3)));
}

}  // namespace
}  // namespace caldera::runtime
