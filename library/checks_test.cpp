// SPDX-License-Identifier: Apache-2.0
// CheckOptions and FaultReport, of opened and of adopted devices.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "caldera/caldera.h"
#include "library/application_fixture.h"

using namespace caldera;

namespace {

constexpr uint32_t kWords = 64;

constexpr const char* kFaulty =
    "kernel void outside(global uint *to) {\n"
    "    uint i = get_global_id(0);\n"
    "    to[i] = 1; if (i == 5) to[i + 59] = 2;\n"
    "}\n"
    "kernel void often(global uint *to) {\n"
    "    to[get_global_id(0) + 64] = 1;\n"
    "}\n"
    "kernel void races(global uint *to) {\n"
    "    to[0] = get_global_id(0);\n"
    "}\n"
    "kernel void right(global uint *to) {\n"
    "    to[get_global_id(0)] = 7;\n"
    "}\n"
    "kernel void reads(global uint *to) {\n"
    "    to[get_global_id(0)] = to[get_global_id(0) + 64] + 3;\n"
    "}\n"
    "kernel void turns(global uint *to) {\n"
    "    uint i = get_global_id(0), n = 0;\n"
    "    while (n < 500) n += to[i] == 0;\n"
    "    to[i] = n; while (n != 1) n |= 2;\n"
    "    to[i] += 1;\n"
    "}\n";

/// What callbacks got.
struct Reports {
    std::mutex mutex = {};
    std::vector<FaultReport> all = {};

    std::function<void(const FaultReport&)> sink() {
        return [this](const FaultReport& report) {
            const std::lock_guard lock(mutex);
            all.push_back(report);
        };
    }
};

/// Whether the device can check kernels.
bool has_addresses(const Device& device) { return must(Buffer::create(device, 16)).address() != 0; }

/// Runs a device's kernels on a buffer of zeros.
class Runs {
 public:
    explicit Runs(const Device& device)
        : device_(device),
          queue_(must(Queue::create(device))),
          buffer_(must(Buffer::create(device, kWords * 4))) {
        const ProgramResult built = Program::build(device, kFaulty, "faulty.cl");
        REQUIRE_MESSAGE(built, built.log);
        program_ = built.program;
    }
    std::vector<uint32_t> run(const char* name, uint32_t items = kWords) {
        Kernel kernel = must(Kernel::create(program_, name));
        must(queue_.write(buffer_, std::vector<uint32_t>(kWords)));
        must(kernel.set_all(buffer_));
        must(queue_.dispatch(kernel, {.global = {items, 1, 1}, .local = {32, 1, 1}}));
        must(queue_.finish());
        std::vector<uint32_t> words(kWords);
        must(queue_.read(buffer_, words));
        return words;
    }
    void release_program() { program_ = {}; }

 private:
    Device device_;
    Queue queue_;
    Buffer buffer_;
    Program program_ = {};
};

/// Runs `body` with a device that is opened, and with one that is adopted, where devices have addresses.
void on_devices(const std::function<CheckOptions()>& checks, const std::function<void(const Device&)>& body) {
    {
        INFO("an opened device");
        const Device device = must(Device::open({.checks = checks()}));
        if (!has_addresses(device)) return;
        body(device);
    }
    INFO("an adopted device");
    Application application;
    application.make_device(must(all_features(application.physical())));
    AdoptOptions options = application.options();
    options.checks = checks();
    body(must(Device::adopt(options)));
}

}  // namespace

TEST_CASE("faults are reported to a function, with their places") {
    Reports reports;
    on_devices([&] { return CheckOptions{.kinds = "bounds,races", .on_fault = reports.sink()}; },
               [&](const Device& device) {
                   reports.all.clear();
                   Runs runs(device);
                   runs.run("right");
                   CHECK(reports.all.empty());
                   CHECK(runs.run("outside")[5] == 1);
                   REQUIRE(reports.all.size() == 1);
                   const FaultReport& outside = reports.all[0];
                   CHECK(outside.kind == "bounds");
                   CHECK(outside.file == "faulty.cl");
                   CHECK(outside.line == 3);
                   CHECK(outside.column == 28);
                   CHECK(outside.kernel == "outside");
                   CHECK(outside.function == "outside");
                   CHECK(outside.global_id == std::array<uint64_t, 3>{5, 0, 0});
                   CHECK(outside.count == 1);
                   CHECK(outside.reported_before == 0);
                   CHECK(outside.where.find("0 bytes after the end of the buffer of 256 bytes") == 0);
                   CHECK(outside.text.find("store of 4 bytes out of bounds\n    at faulty.cl:3:28, ") !=
                         std::string::npos);
                   CHECK(outside.text.back() == '\n');
                   CHECK(outside.json.find("\"line\":3,\"column\":28") != std::string::npos);
                   reports.all.clear();
                   runs.run("races");
                   REQUIRE(reports.all.size() == 1);
                   CHECK(reports.all[0].kind == "races");
                   CHECK(reports.all[0].line == 9);
                   CHECK(reports.all[0].column == 5);
               });
}

TEST_CASE("a place is reported once, and again with the number of its faults when the program goes") {
    Reports reports;
    on_devices([&] { return CheckOptions{.kinds = "bounds", .on_fault = reports.sink()}; },
               [&](const Device& device) {
                   reports.all.clear();
                   Runs runs(device);
                   for (int i = 0; i < 3; ++i) runs.run("often");
                   REQUIRE(reports.all.size() == 1);
                   CHECK(reports.all[0].count == 64);
                   runs.release_program();
                   REQUIRE(reports.all.size() == 2);
                   CHECK(reports.all[1].count == 192);
                   CHECK(reports.all[1].reported_before == 64);
                   CHECK(reports.all[1].line == 6);
               });
}

TEST_CASE("the function for reports may call Caldera, and throw") {
    std::unique_ptr<Runs> runs;
    std::vector<std::string> order;
    std::thread::id thread;
    const auto on_fault = [&](const FaultReport& report) {
        order.push_back("begin " + report.kernel);
        thread = std::this_thread::get_id();
        if (report.kernel == "outside") {
            CHECK(runs->run("right")[63] == 7);  // the same queue
            runs->run("often");                  // and its report follows
        }
        order.push_back("end " + report.kernel);
        throw std::runtime_error("dropped");
    };
    on_devices([&] { return CheckOptions{.kinds = "bounds", .on_fault = on_fault}; },
               [&](const Device& device) {
                   order.clear();
                   runs = std::make_unique<Runs>(device);
                   runs->run("outside");
                   CHECK(order == std::vector<std::string>{"begin outside", "end outside", "begin often",
                                                           "end often"});
                   CHECK(thread == std::this_thread::get_id());
                   runs.reset();
               });
}

TEST_CASE("robust kernels read zeros outside, and loops end where a number of turns is given, silently") {
    Reports reports;
    on_devices([&] { return CheckOptions{.robust = true, .loop_turns = 1000, .on_fault = reports.sink()}; },
               [&](const Device& device) {
                   Runs runs(device);
                   for (const uint32_t word : runs.run("reads")) CHECK(word == 3);
                   for (const uint32_t word : runs.run("turns")) CHECK(word == 501);
                   CHECK(reports.all.empty());
               });
}

TEST_CASE("options of checks are stronger than the environment, and both of them may be set") {
    const auto file = std::filesystem::temp_directory_path() /
                      ("caldera_check_options." + std::to_string(std::random_device()()));
    Reports reports;
    const auto run = [&](const CheckOptions& checks, const char* kernel) {
        std::filesystem::remove(file);
        reports.all.clear();
        const Device device = must(Device::open({.checks = checks}));
        if (has_addresses(device)) Runs(device).run(kernel);
        std::ostringstream text;
        text << std::ifstream(file).rdbuf();
        return text.str();
    };
    if (!has_addresses(must(Device::open()))) return;
    setenv("CALDERA_CHECK", "bounds", 1);
    setenv("CALDERA_CHECK_FILE", file.string().c_str(), 1);
    CHECK(run({}, "outside").find("faulty.cl:3:28") != std::string::npos);
    CHECK(run({.kinds = "races"}, "outside").empty());
    CHECK(run({.kinds = ""}, "outside").empty());
    CHECK(run({.kinds = "", .robust = true}, "outside").empty());
    CHECK(run({.on_fault = reports.sink()}, "outside").find("faulty.cl:3:28") != std::string::npos);
    CHECK(reports.all.size() == 1);  // the file has it too
    unsetenv("CALDERA_CHECK");
    unsetenv("CALDERA_CHECK_FILE");
    std::filesystem::remove(file);
    CHECK(fails_with(Device::open({.checks = {.kinds = "bounds,traces"}}),
                     "checks.kinds: unknown check 'traces'; expected bounds, "));
    CHECK(fails_with(Device::open({.checks = {.loop_turns = ~0u}}), "checks.loop_turns: "));
    AdoptOptions options;
    options.checks.kinds = "traces";
    CHECK(fails_with(Device::adopt(options), "checks.kinds: unknown check 'traces'"));
}
