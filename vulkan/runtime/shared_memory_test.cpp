// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/shared_memory.h"

#include <doctest/doctest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

using namespace caldera::runtime;

TEST_CASE("a mirror takes free addresses only, and gives them back") {
    const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    void* taken = mmap(nullptr, 4 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(taken != MAP_FAILED);
    const auto address = reinterpret_cast<uint64_t>(taken);
    CHECK_FALSE(HostMirror::create(address, page));
    CHECK_FALSE(HostMirror::create(address + 3 * page, page));
    REQUIRE(munmap(taken, 4 * page) == 0);
    {
        auto mirror = HostMirror::create(address, 2 * page);
        REQUIRE(mirror);
        CHECK(reinterpret_cast<uint64_t>(mirror->data()) == address);
        std::memset(mirror->data(), 1, 2 * page);
        CHECK_FALSE(HostMirror::create(address + page, page));
        CHECK(HostMirror::create(address + 2 * page, page));
    }
    CHECK(HostMirror::create(address, 2 * page));
    {
        const auto reserved = HostMirror::reserve(address, 2 * page);
        REQUIRE(reserved);
        CHECK_FALSE(HostMirror::create(address, page));
        CHECK_FALSE(HostMirror::reserve(address + page, page));
    }
    CHECK(HostMirror::reserve(address, 2 * page));
}

#ifndef __SANITIZE_THREAD__  // it ends a process that asks for such an address
TEST_CASE("no mirror at addresses that no host has") {
    const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    CHECK_FALSE(HostMirror::create(0, page));
    CHECK_FALSE(HostMirror::create(page + 16, page));
    CHECK_FALSE(HostMirror::create(uint64_t{1} << 60, page));
    CHECK_FALSE(HostMirror::create(~uint64_t{0} / page * page, 2 * page));
}
#endif
