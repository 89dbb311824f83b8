// SPDX-License-Identifier: Apache-2.0
#include "vulkan/known_drivers.h"

#include <doctest/doctest.h>
#include <vulkan/vulkan.h>

#include <set>
#include <string>

namespace caldera::vulkan {
namespace {

using Version = std::optional<DriverVersion>;

Version before(DriverVersion version) {
    constexpr uint32_t kLast = 999;
    if (version.patch != 0) return DriverVersion{version.major, version.minor, version.patch - 1};
    if (version.minor != 0) return DriverVersion{version.major, version.minor - 1, kLast};
    return DriverVersion{version.major - 1, kLast, kLast};
}
Version after(DriverVersion version) {
    return DriverVersion{version.major, version.minor, version.patch + 1};
}

/// The names of those that are true, in the table's order, with a space behind each.
std::string names(const DriverQuirks& quirks) {
    std::string text;
    for (const QuirkRow& row : quirk_rows())
        if (quirks.*row.member) text += std::string(row.name) + " ";
    return text;
}

/// Whether a driver that the entry is about has the row's quirk.
bool has(const QuirkRow& row, const Affected& entry, const Version& version) {
    bool all = true, any = false;
    const Processor affected = {.is_arm64 = row.processors == Processors::Arm64BeforeLlvm21};
    for (const DriverRow& driver : driver_rows()) {
        if (row.about(driver) != &entry) continue;
        const bool is_true = quirks_of(driver.driver, version, affected).*row.member;
        all &= is_true;
        any |= is_true;
    }
    CHECK_MESSAGE(all == any, row.name);
    return all && any;
}

}  // namespace

TEST_CASE("a quirk is bound to the versions between the one before it and the one that mends it") {
    for (const QuirkRow& row : quirk_rows())
        for (const Affected& entry : row.drivers) {
            CAPTURE(row.name);
            const Version not_in = parse_version(entry.not_in), fixed_in = parse_version(entry.fixed_in);
            const Version first = parse_version(entry.first_seen), last = parse_version(entry.last_seen);
            REQUIRE(first);
            REQUIRE(last);
            CHECK(*first <= *last);
            CHECK(has(row, entry, first));
            CHECK(has(row, entry, last));
            CHECK(has(row, entry, std::nullopt));  // a version that nobody tells
            if (not_in) {
                CHECK(*not_in < *first);
                CHECK(!has(row, entry, before(*not_in)));
                CHECK(!has(row, entry, not_in));
                CHECK(has(row, entry, after(*not_in)));
            } else {
                CHECK(entry.not_in == "-");
                CHECK(has(row, entry, DriverVersion{0, 0, 1}));
            }
            if (fixed_in) {
                CHECK(*last < *fixed_in);
                CHECK(has(row, entry, before(*fixed_in)));
                CHECK(!has(row, entry, fixed_in));
                CHECK(!has(row, entry, after(*fixed_in)));
            } else {
                CHECK(entry.fixed_in == "-");
                CHECK(has(row, entry, DriverVersion{9999, 0, 0}));
            }
        }
}

TEST_CASE(
    "a quirk is true where it is worked around: presets, drivers without a row, and those that are not "
    "tested") {
    CHECK(names({}) ==
          "drops_zero_operands mixes_up_selected_zeros wrong_long_comparisons miscounts_turns "
          "rounds_doubles_as_floats "
          "takes_atomics_for_doubles wrong_log2_of_denormals broadcasts_no_floats wrong_idioms "
          "wrong_around_calls traps_at_quotients ");
    CHECK(names(quirks_of(Driver::Unknown, std::nullopt)) ==
          "mixes_up_selected_zeros wrong_long_comparisons miscounts_turns wrong_log2_of_denormals ");
    CHECK(names(quirks_of(Driver::Moltenvk, std::nullopt)) == "wrong_log2_of_denormals ");
    // The compiler's front half is one for all of Mesa's drivers.
    CHECK(names(quirks_of(Driver::MesaRadv, DriverVersion{22, 3, 6})) ==
          "mixes_up_selected_zeros wrong_long_comparisons miscounts_turns wrong_log2_of_denormals "
          "refuses_large_private "
          "slow_long_offsets inlines_every_call branches_over_elements slow_addresses slow_to_decode "
          "traps_at_quotients ");
    CHECK(names(quirks_of(Driver::MesaRadv, DriverVersion{26, 2, 6})) ==
          "mixes_up_selected_zeros miscounts_turns wrong_log2_of_denormals refuses_large_private "
          "slow_long_offsets "
          "inlines_every_call branches_over_elements slow_addresses slow_to_decode traps_at_quotients ");
}

TEST_CASE("what drivers have that are tested") {
    CHECK(names(quirks_of(Driver::MesaLlvmpipe, DriverVersion{22, 3, 6})) ==
          "loop_results_need_phis fences_are_barriers ends_long_loops runs_padding drops_zero_operands "
          "drops_signs_of_zeros mixes_up_selected_zeros wrong_long_comparisons miscounts_turns "
          "rounds_doubles_as_floats "
          "takes_atomics_for_doubles wrong_log2_of_denormals takes_halves_for_integers broadcasts_no_floats "
          "coarse_exp2 slow_fma "
          "slow_with_accesses "
          "slow_long_kernels masks_branches idles_for_query_results slow_late_timestamps loads_local_scalars "
          "slow_to_decode traps_at_quotients "
          "locks_waited_semaphores ");
    CHECK(names(quirks_of(Driver::Nvidia, DriverVersion{580, 159, 3})) ==
          "wrong_idioms wrong_around_calls mixes_up_group_loops wrong_long_equality "
          "drops_half_rounding drops_zeros_in_dots reorders_volatile misses_long_rotations "
          "loads_local_scalars leaves_counted_loops "
          "slow_rounding_mode mixes_up_pipelines mixes_up_secondaries refuses_large_private loses_clocks "
          "fast_textures ");
    CHECK(names(quirks_of(Driver::SwiftShader, DriverVersion{5, 0, 0})) ==
          "loop_results_need_phis wrong_log2_of_denormals coarse_exp2 exp2_loses_nan coarse_log2 "
          "folds_functions_wrong unsigned_to_float_rounds_twice slow_fma follows_all_paths "
          "refuses_large_private slow_addresses ");
}

TEST_CASE("llvmpipe rounds doubles right where the processor rounds vectors of them") {
    const DriverVersion version{22, 3, 6};
    DriverQuirks with = quirks_of(Driver::MesaLlvmpipe, version),
                 without = quirks_of(Driver::MesaLlvmpipe, version, {.rounds_double_vectors = true});
    CHECK(with.rounds_doubles_as_floats);
    CHECK(!without.rounds_doubles_as_floats);
    without.rounds_doubles_as_floats = true;
    CHECK(with == without);  // and no other quirk depends on it
    CHECK(processor_of("a card") == Processor{});
}

TEST_CASE("llvmpipe has a fault of its own on 64-bit Arm processors") {
    const DriverVersion version{22, 3, 6};
    const DriverQuirks on_x86 = quirks_of(Driver::MesaLlvmpipe, version);
    DriverQuirks on_arm = quirks_of(Driver::MesaLlvmpipe, version, {.is_arm64 = true});
    CHECK(!on_x86.long_to_float_rounds_twice);
    CHECK(on_arm.long_to_float_rounds_twice);
    on_arm.long_to_float_rounds_twice = false;
    CHECK(on_arm == on_x86);
    CHECK(!quirks_of(Driver::Nvidia, version, {.is_arm64 = true}).long_to_float_rounds_twice);
}

TEST_CASE(
    "llvmpipe rounds longs twice on 64-bit Arm processors where its LLVM does, whatever Mesa's version") {
    for (const DriverVersion version :
         {DriverVersion{22, 3, 6}, DriverVersion{25, 0, 7}, DriverVersion{26, 2, 6}}) {
        const auto rounds_twice = [&](uint32_t llvm) {
            return quirks_of(Driver::MesaLlvmpipe, version, {.is_arm64 = true, .llvm = llvm})
                .long_to_float_rounds_twice;
        };
        CHECK(rounds_twice(15));
        CHECK(rounds_twice(19));
        CHECK(!rounds_twice(21));
        CHECK(!rounds_twice(22));
        CHECK(rounds_twice(0));  // nobody tells which
    }
}

TEST_CASE("llvmpipe's name tells its LLVM") {
    CHECK(processor_of("llvmpipe (LLVM 15.0.6, 256 bits)").llvm == 15);
    CHECK(processor_of("llvmpipe (LLVM 22.1.8, 128 bits)").llvm == 22);
    CHECK(processor_of("llvmpipe (LLVM 21.0.0git, 128 bits)").llvm == 21);
    CHECK(processor_of("llvmpipe (LLVM next, 128 bits)").llvm == 0);
    CHECK(processor_of("llvmpipe (128 bits)").llvm == 0);
    CHECK(processor_of("a card (LLVM 15.0.6)").llvm == 0);
}

TEST_CASE("a profile has its driver's quirks, and its sub-groups' order where that was tested") {
    DeviceProfile profile;
    know_driver(profile, Driver::Nvidia, std::nullopt);
    CHECK(profile.quirks == quirks_of(Driver::Nvidia, std::nullopt));
    CHECK(profile.linear_subgroups);
    profile = {};
    know_driver(profile, Driver::MesaRadv, std::nullopt);
    CHECK(!profile.linear_subgroups);
    CHECK(!profile.quirks.wrong_idioms);
}

TEST_CASE("drivers are known by VkDriverId") {
    CHECK(driver_of_id(VK_DRIVER_ID_MESA_LLVMPIPE) == Driver::MesaLlvmpipe);
    CHECK(driver_of_id(VK_DRIVER_ID_NVIDIA_PROPRIETARY) == Driver::Nvidia);
    CHECK(driver_of_id(VK_DRIVER_ID_GOOGLE_SWIFTSHADER) == Driver::SwiftShader);
    CHECK(driver_of_id(VK_DRIVER_ID_MESA_RADV) == Driver::MesaRadv);
    CHECK(driver_of_id(VK_DRIVER_ID_INTEL_OPEN_SOURCE_MESA) == Driver::MesaAnv);
    CHECK(driver_of_id(VK_DRIVER_ID_MOLTENVK) == Driver::Moltenvk);
    CHECK(driver_of_id("VK_DRIVER_ID_MESA_RADV") == Driver::MesaRadv);
    CHECK(driver_of_id("VK_DRIVER_ID_MESA_RADV_KHR") == Driver::MesaRadv);
    CHECK(driver_of_id(0) == Driver::Unknown);
    CHECK(driver_of_id("") == Driver::Unknown);
    std::set<std::string_view> names, ids;
    std::set<uint32_t> numbers;
    for (const DriverRow& row : driver_rows()) {
        CHECK(names.insert(row.name).second);
        CHECK(ids.insert(row.vulkan_id).second);
        CHECK(numbers.insert(row.vulkan_number).second);
        CHECK(driver_of_id(row.vulkan_id) == driver_of_id(row.vulkan_number));
    }
}

TEST_CASE("a driver's version: Mesa's is in a text, others' in a number") {
    const auto lavapipe = [](std::optional<uint32_t> number, std::string_view text) {
        return version_of(Driver::MesaLlvmpipe, number, text);
    };
    CHECK(lavapipe(1, "Mesa 25.0.7-2+deb13u1 (LLVM 19.1.7)") == DriverVersion{25, 0, 7});
    CHECK(lavapipe(std::nullopt, "Mesa 26.3.0-devel (git-0123456789)") == DriverVersion{26, 3, 0});
    CHECK(lavapipe(VK_MAKE_API_VERSION(0, 26, 2, 6), "") == DriverVersion{26, 2, 6});
    CHECK(lavapipe(1, "") == DriverVersion{0, 0, 1});  // older ones, which is as good as 22.3
    CHECK(!lavapipe(std::nullopt, "Mesa of today"));
    CHECK(version_of(Driver::Nvidia, std::nullopt, "470.161.03") == DriverVersion{470, 161, 3});
    CHECK(version_of(Driver::Nvidia, 580u << 22 | 159u << 14 | 3u << 6, "580.159.03") ==
          DriverVersion{580, 159, 3});
    CHECK(version_of(Driver::SwiftShader, VK_MAKE_API_VERSION(0, 5, 0, 0), "") == DriverVersion{5, 0, 0});
    CHECK(!version_of(Driver::Unknown, 1, "Mesa 26.2.6"));
}

TEST_CASE("texts of versions") {
    CHECK(parse_version("26") == DriverVersion{26, 0, 0});
    CHECK(parse_version("26.2") == DriverVersion{26, 2, 0});
    CHECK(parse_version("26.2.6-1") == DriverVersion{26, 2, 6});
    CHECK(!parse_version("-"));
    CHECK(!parse_version(""));
    CHECK(DriverVersion{25, 3, 9} < DriverVersion{26, 0, 0});
    CHECK(DriverVersion{26, 2, 6} < DriverVersion{26, 10, 0});
}

}  // namespace caldera::vulkan
