// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/clock_policy.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <fstream>
#include <initializer_list>
#include <string>

using namespace caldera;
using namespace caldera::runtime;
using namespace std::chrono_literals;

namespace {

/// A folder as /sys/class/power_supply.
class Supplies {
 public:
    Supplies() {
        std::string name = (std::filesystem::temp_directory_path() / "supplies.XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        path_ = name;
    }
    ~Supplies() { std::filesystem::remove_all(path_); }
    Supplies(const Supplies&) = delete;
    Supplies& operator=(const Supplies&) = delete;

    struct Attribute {
        const char* name;
        const char* value;
    };
    Supplies& has(const char* supply, std::initializer_list<Attribute> attributes) {
        std::filesystem::create_directories(path_ / supply);
        for (const Attribute& attribute : attributes)
            std::ofstream(path_ / supply / attribute.name) << attribute.value << "\n";
        return *this;
    }
    bool are_battery() const { return runs_on_battery(path_); }

 private:
    std::filesystem::path path_ = {};
};

LaunchRun::Clock::time_point at(std::chrono::milliseconds time) {
    return LaunchRun::Clock::time_point(1h + time);
}

/// Launches every so often, for so long.
void launch(LaunchRun& run, std::chrono::milliseconds from, std::chrono::milliseconds every,
            std::chrono::milliseconds until) {
    for (auto time = from; time <= until; time += every) run.launched(at(time));
}

}  // namespace

TEST_CASE("CALDERA_KEEP_CLOCKS") {
    const auto wish = [](const char* value) {
        setenv("CALDERA_KEEP_CLOCKS", value, 1);
        const KeepClocks wanted = wanted_keep_clocks();
        unsetenv("CALDERA_KEEP_CLOCKS");
        return wanted;
    };
    CHECK(wanted_keep_clocks() == KeepClocks::Auto);
    CHECK(wish("auto") == KeepClocks::Auto);
    CHECK(wish("off") == KeepClocks::Off);
    CHECK(wish("on") == KeepClocks::On);
    CHECK(wish("ON?") == KeepClocks::Auto);  // with a warning
}

TEST_CASE("only drivers that lose clocks have somebody who keeps them") {
    const vulkan::DriverQuirks loses = {.loses_clocks = true}, keeps = {};
    for (const KeepClocks wish : {KeepClocks::Auto, KeepClocks::On}) {
        CHECK(wants_clock_keeper(loses, wish));
        CHECK(!wants_clock_keeper(keeps, wish));
    }
    CHECK(!wants_clock_keeper(loses, KeepClocks::Off));
}

TEST_CASE("what a machine runs on") {
    CHECK(!runs_on_battery("/no/such/folder"));
    CHECK(!Supplies().are_battery());
    SUBCASE("the mains") {
        CHECK(!Supplies().has("AC", {{"type", "Mains"}, {"online", "1"}}).are_battery());
        CHECK(Supplies().has("AC", {{"type", "Mains"}, {"online", "0"}}).are_battery());
    }
    SUBCASE("one of two, or a charger beside") {
        CHECK(!Supplies()
                   .has("AC0", {{"type", "Mains"}, {"online", "0"}})
                   .has("AC1", {{"type", "Mains"}, {"online", "1"}})
                   .are_battery());
        CHECK(!Supplies()
                   .has("AC", {{"type", "Mains"}, {"online", "0"}})
                   .has("ucsi", {{"type", "USB"}, {"online", "1"}})
                   .are_battery());
    }
    SUBCASE("a battery") {
        CHECK(Supplies().has("BAT0", {{"type", "Battery"}, {"status", "Discharging"}}).are_battery());
        CHECK(!Supplies().has("BAT0", {{"type", "Battery"}, {"status", "Full"}}).are_battery());
        CHECK(Supplies()
                  .has("AC", {{"type", "Mains"}, {"online", "1"}})
                  .has("BAT0", {{"type", "Battery"}, {"scope", "System"}, {"status", "Discharging"}})
                  .are_battery());
    }
    SUBCASE("a mouse has one too") {
        CHECK(!Supplies()
                   .has("hid", {{"type", "Battery"}, {"scope", "Device"}, {"status", "Discharging"}})
                   .are_battery());
    }
}

TEST_CASE("how long launches go on") {
    LaunchRun run;
    CHECK(!run.has_launches());
    SUBCASE("a second of launches is long, less is not") {
        launch(run, 0ms, 10ms, 990ms);
        CHECK(run.has_launches());
        CHECK(!run.is_long());
        run.launched(at(1000ms));
        CHECK(run.is_long());
    }
    SUBCASE("however many there are at once") {
        for (int i = 0; i < 100'000; ++i) run.launched(at(0ms));
        CHECK(!run.is_long());
    }
    SUBCASE("seldom ones are long after as many moments") {
        launch(run, 0ms, 5s, 15s);
        CHECK(!run.is_long());
        run.launched(at(20s));
        CHECK(run.is_long());
    }
    SUBCASE("copies, a kernel that takes long to compile, copies back") {
        for (const auto time : {0ms, 3ms, 2000ms, 2001ms, 4000ms}) run.launched(at(time));
        CHECK(!run.is_long());
    }
    SUBCASE("a pause ends it") {
        launch(run, 0ms, 10ms, 2s);
        CHECK(run.is_long());
        CHECK(!run.is_over(at(31s)));
        CHECK(run.is_over(at(32s)));
        run.launched(at(33s));
        CHECK(!run.is_long());
        CHECK(!run.is_over(at(33s)));
    }
}

TEST_CASE("when the clock is kept") {
    LaunchRun run;
    CHECK(!wants_clock(KeepClocks::On, run));
    run.launched(at(0ms));
    CHECK(wants_clock(KeepClocks::On, run));
    CHECK(!wants_clock(KeepClocks::Auto, run));
    launch(run, 0ms, 100ms, 1200ms);
    CHECK(wants_clock(KeepClocks::Auto, run));
    CHECK(!wants_clock(KeepClocks::Off, run));
    CHECK(still_wants_clock(KeepClocks::Auto, run, at(30s)));
    CHECK(!still_wants_clock(KeepClocks::Auto, run, at(32s)));
    CHECK(still_wants_clock(KeepClocks::On, run, at(32s)));
}
