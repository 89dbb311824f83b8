// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/instance.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "spirv/support/environment.h"
#include "vulkan/runtime/device.h"
#include "vulkan/runtime/open_device.h"

using namespace caldera;
using namespace caldera::runtime;

TEST_CASE("a process has one instance as long as somebody has it") {
    const std::shared_ptr<const Instance> instance = Instance::shared().take();
    CHECK(!instance->devices().empty());
    CHECK(Instance::shared().take() == instance);
    {
        const std::unique_ptr<Device> device = open_device().take();
        const bool has_its_own = environment("CALDERA_VALIDATION") == "1";
        CHECK(instance.use_count() == (has_its_own ? 1 : 2));
    }
    REQUIRE(list_devices());
    CHECK(instance.use_count() == 1);
}

TEST_CASE("a child of fork makes its own instance") {
    const std::shared_ptr<const Instance> instance = Instance::shared().take();
    const pid_t child = fork();
    if (child == 0) {
        const Result<std::shared_ptr<const Instance>> own = Instance::shared();
        _exit(own && *own != instance && *own == Instance::shared().take() ? 0 : 1);
    }
    int status = 1;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
}
