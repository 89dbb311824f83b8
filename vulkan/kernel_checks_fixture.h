// SPDX-License-Identifier: Apache-2.0
// How tests run kernels with checks, and read the reports.
#pragma once

#include <doctest/doctest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>

#include "tests/support/why.h"
#include "vulkan/build_program.h"
#include "vulkan/runtime/open_device.h"
#include "vulkan/runtime/queue.h"

namespace caldera {

/// A fault in the body of a kernel.
struct Planted {
    const char* body;
    int line;            ///< of the source: the body begins in line 3
    const char* where;   ///< a part of the report
    int other_line = 0;  ///< of the other access of a data race, which may be reported too, or instead
};

constexpr uint32_t kItems = 64;  ///< work-items of a launch, and words of each buffer

constexpr const char* kCheckedHead =
    "struct Pair { int first, second; }; struct __attribute__((packed)) Packed { char a; int b; };"
    "int get(const global int *from) { return *from; } int get_any(const int *from) { return *from; }void "
    "put_any(int *to) { *to = get_global_id(0); }"
    "void put(global int *to) { *to = get_global_id(0); } global int counters[4], others[4], quiet[4]; "
    "int late(int n) { int x; if (n == 0) x = 1; return x; } "
    "int late_of(const int *from) { int x; if (*from == 99) x = 1; return x + from[1]; } int quotient(int a, "
    "int b) { return a / b; } "
    "int turn(int n) { while (n != 3) n ^= 1; return n; } "
    "void sync(void) { barrier(CLK_LOCAL_MEM_FENCE); }\n"
    "kernel void test(global int *out, global int *in, int n, local int *scratch) { int l = "
    "get_local_id(0), g = get_global_id(0);\n";

/// A device with checks.
class Checked {
 public:
    explicit Checked(vulkan::MemoryChecks checks, uint32_t group = kItems) : group_(group) {
        setenv("CALDERA_CHECK_FILE", file_.string().c_str(), 1);
        auto opened = runtime::open_device({.checks = checks});
        REQUIRE_MESSAGE(opened, why(opened));
        device_ = opened.take();
        queue_ = runtime::Queue::create(*device_).take();
    }
    ~Checked() {
        unsetenv("CALDERA_CHECK_FILE");
        std::filesystem::remove(file_);
    }

    bool has_addresses() const { return device_->has_addresses(); }
    bool has_doubles() const { return has_double(device_->profile()); }
    /// Runs the body as a kernel, and returns the reports.
    std::string report_of(const std::string& body) {
        std::filesystem::remove(file_);
        BuildOptions options;
        REQUIRE(frontend::parse_build_options("-cl-std=CL3.0", options.compile));
        const BuildResult built =
            build_program(*device_, std::string(kCheckedHead) + body + "\n}\n", "faults.cl", options);
        REQUIRE_MESSAGE(built, body << ": " << built.log);
        runtime::Kernel kernel = runtime::Kernel::create(*built.program, "test").take();
        const runtime::Buffer out = zeros(), in = zeros();
        REQUIRE(kernel.set(0, out));
        REQUIRE(kernel.set(1, in));
        REQUIRE(kernel.set(2, static_cast<int32_t>(kItems)));
        REQUIRE(kernel.set_local(3, kItems * 4));
        REQUIRE(queue_->dispatch(kernel, {.global = {kItems, 1, 1}, .local = {group_, 1, 1}}));
        REQUIRE(queue_->finish());
        CHECK(device_->validation_messages() == 0);
        std::ostringstream text;
        text << std::ifstream(file_).rdbuf();
        return text.str();
    }
    void find(const Planted& fault) {
        const std::string text = report_of(fault.body);
        const size_t here = count(text, "faults.cl:" + std::to_string(fault.line) + ":"),
                     other = count(text, "faults.cl:" + std::to_string(fault.other_line) + ":");
        INFO(std::string(fault.body));
        CHECK_MESSAGE(here + other != 0, text);
        CHECK_MESSAGE(here + other == count(text, "faults.cl:"), text);  // nowhere else
        CHECK_MESSAGE(text.find(fault.where) != std::string::npos, text);
        if (!has(device_->checks(), vulkan::MemoryChecks::Races)) CHECK_MESSAGE(here == 1, text);
    }
    void find_nothing(const char* body) {
        INFO(std::string(body));
        CHECK(report_of(body) == "");
    }

 private:
    static size_t count(const std::string& text, const std::string& part) {
        size_t found = 0;
        for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
        return found;
    }
    runtime::Buffer zeros() {
        runtime::Buffer buffer = runtime::Buffer::create(*device_, kItems * 4).take();
        REQUIRE(queue_->fill(buffer, 0, kItems * 4, 0));
        REQUIRE(queue_->finish());
        return buffer;
    }

    const uint32_t group_;  // work-items of a work-group
    const std::filesystem::path file_ = std::filesystem::temp_directory_path() /
                                        ("caldera_kernel_checks." + std::to_string(std::random_device()()));
    std::unique_ptr<runtime::Device> device_ = {};
    std::unique_ptr<runtime::Queue> queue_ = {};
};

}  // namespace caldera
