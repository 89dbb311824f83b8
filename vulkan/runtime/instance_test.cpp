// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/instance.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string_view>

#include "spirv/support/environment.h"
#include "tests/support/why.h"
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

TEST_CASE("instances are counted") {
    const int before = Instance::count();
    {
        const std::shared_ptr<const Instance> instance = Instance::shared().take();
        CHECK(Instance::count() == before + 1);
        CHECK(Instance::shared().take() == instance);
        CHECK(Instance::count() == before + 1);
    }
    CHECK(Instance::count() == before);
}

TEST_CASE("a process can load the drivers again and again") {
    for (int i = 0; i < 30; ++i) {
        const Result<std::shared_ptr<const Instance>> instance = Instance::shared();
        REQUIRE_MESSAGE(instance, why(instance));
        REQUIRE(!(*instance)->devices().empty());
    }
}

TEST_CASE("an instance asks for portability devices where the loader has them") {
    const VkExtensionProperties offered[] = {{.extensionName = "VK_KHR_surface"},
                                             {.extensionName = "VK_KHR_portability_enumeration"}};
    const InstanceWishes without = instance_wishes(std::span(offered).first(1), false);
    CHECK(without.flags == 0);
    CHECK(without.extensions.empty());
    const InstanceWishes with = instance_wishes(offered, false);
    CHECK(with.flags == VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR);
    REQUIRE(with.extensions.size() == 1);
    CHECK(std::string_view(with.extensions[0]) == "VK_KHR_portability_enumeration");
    const InstanceWishes validated = instance_wishes(offered, true);
    REQUIRE(validated.extensions.size() == 2);
    CHECK(std::string_view(validated.extensions[0]) == "VK_EXT_debug_utils");
    CHECK(instance_wishes({}, true).extensions.size() == 1);
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
