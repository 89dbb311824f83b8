// SPDX-License-Identifier: Apache-2.0
// float_order: random kernels over floats, each operation of which has to be rounded as it is written.
//
// A seed stands for a body: some statements and one result. One kernel contains many bodies. The host judges
// the device: it computes each operation exactly, rounds it once, and follows the order of the source text.
// Any product and sum in one expression may be contracted unless FP_CONTRACT is OFF; those in different
// statements may not. Any NaN equals any other NaN; zeros must have the right sign.
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "executor.h"
#include "generate.h"
#include "reduce.h"

namespace caldera::float_order {
namespace {

struct Options {
    uint64_t first = 1, count = 1000, bodies = 24, most_differences = 20;
    std::string input = "ours", abi = "addresses", contract = "seed", keep = "out/float_order";
    bool offline = false, promised_fma = false, opencl = false, reduces = false, prints = false;
    bool no_half = false, no_double = false, no_vectors = false, with_denormals = false;
};

/// Counts of all bodies that ran.
struct Counts {
    uint64_t bodies = 0, differ = 0, failed = 0, lanes = 0, judged = 0;
};

class Session {
 public:
    Session(Options options, std::unique_ptr<Executor> executor)
        : options_(std::move(options)), executor_(std::move(executor)), denormals_(executor_->denormals()) {
        wanted_ = wanted(options_, executor_.get());
        if (options_.with_denormals) denormals_ = {.half = true, .single = true, .of_double = true};
        if (options_.input != "clang") inputs_.push_back(Input::Ours);
        if (options_.input != "ours") inputs_.insert(inputs_.end(), {Input::Clang0, Input::Clang2});
    }

    static Wanted wanted(const Options& options, const Executor* executor) {
        return {.half = !options.no_half && (!executor || executor->has(Kind::Half)),
                .wide = !options.no_double && (!executor || executor->has(Kind::Double)),
                .vectors = !options.no_vectors,
                .always_contracts = options.contract == "on",
                .never_contracts = options.contract == "off"};
    }

    bool run() {
        std::map<std::pair<bool, bool>, std::vector<Body>> groups;  // one kernel each
        for (uint64_t seed = options_.first; seed < options_.first + options_.count; ++seed) {
            Body body = generate(seed, wanted_);
            std::vector<Body>& group = groups[{body.contracts, body.divides_exactly}];
            group.push_back(std::move(body));
            if (group.size() < options_.bodies) continue;
            try_all(group);
            group.clear();
            if (seen_ >= options_.most_differences) break;
        }
        for (auto& [_, group] : groups)
            if (!group.empty() && seen_ < options_.most_differences) try_all(group);
        const double judged =
            counts_.lanes ? 100.0 * static_cast<double>(counts_.judged) / static_cast<double>(counts_.lanes)
                          : 0;
        std::printf(
            "%s, FP_CONTRACT %s: %llu bodies, %llu differ, %llu failed; %.1f%% of the results judged\n",
            executor_->name().c_str(), options_.contract == "seed" ? "on or off" : options_.contract.c_str(),
            static_cast<unsigned long long>(counts_.bodies), static_cast<unsigned long long>(counts_.differ),
            static_cast<unsigned long long>(counts_.failed), judged);
        return counts_.differ == 0 && counts_.failed == 0 && counts_.judged > 0;
    }

 private:
    void try_all(const std::vector<Body>& bodies) {
        for (const Input input : inputs_) try_all(bodies, input);
    }

    void try_all(const std::vector<Body>& bodies, Input input) {
        const Result<std::vector<Verdict>> verdicts = verdicts_of(bodies, input);
        counts_.bodies += bodies.size();
        if (!verdicts) {
            counts_.failed += bodies.size();
            ++seen_;
            std::printf("seeds %llu to %llu (%s): %s\n", static_cast<unsigned long long>(bodies.front().seed),
                        static_cast<unsigned long long>(bodies.back().seed),
                        kInputNames[static_cast<int>(input)], verdicts.error().message.c_str());
            keep(bodies);
            return;
        }
        for (size_t i = 0; i < bodies.size(); ++i) {
            counts_.lanes += (*verdicts)[i].lanes;
            counts_.judged += (*verdicts)[i].judged;
            if (!(*verdicts)[i].difference) continue;
            ++counts_.differ;
            if (seen_++ < options_.most_differences) report(bodies, i, (*verdicts)[i], input);
        }
        std::fflush(stdout);
    }

    Result<std::vector<Verdict>> verdicts_of(std::span<const Body> bodies, Input input) {
        const Program program = make_program(bodies);
        std::vector<uint32_t> slots;
        for (const Kind kind : program.stored) slots.push_back(program.slots_of(bodies, kind));
        Result<std::vector<std::vector<std::byte>>> results = executor_->run(program, slots, input);
        if (!results) return results.error();
        std::vector<Verdict> verdicts;
        for (size_t i = 0; i < bodies.size(); ++i) {
            const Type type = bodies[i].result_type();
            const auto buffer =
                static_cast<size_t>(std::ranges::find(program.stored, type.kind) - program.stored.begin());
            const auto size = static_cast<size_t>(info(type.kind).bytes);
            std::vector<uint64_t> numbers(size_t{kItems} * type.width);
            for (size_t at = 0; at < numbers.size(); ++at)
                std::memcpy(&numbers[at],
                            &(*results)[buffer][(size_t{program.slots[i]} * kItems * kMaxWidth + at) * size],
                            size);
            verdicts.push_back(judge(bodies[i], numbers, denormals_));
        }
        return verdicts;
    }

    void report(const std::vector<Body>& bodies, size_t at, const Verdict& verdict, Input input) {
        const auto alone = [&](const Body& body) {
            const Result<std::vector<Verdict>> verdicts = verdicts_of(std::span(&body, 1), input);
            return verdicts ? (*verdicts)[0] : Verdict{};
        };
        const Body& body = bodies[at];
        std::printf("seed %llu (%s): %u of %u results differ\n", static_cast<unsigned long long>(body.seed),
                    kInputNames[static_cast<int>(input)], verdict.differ, verdict.lanes);
        Body shown = body;
        Verdict of_shown = alone(body);
        if (!of_shown.difference) {
            std::printf("(only among others: %s)\n", keep(bodies).c_str());
            of_shown = verdict;
        } else if (options_.reduces) {
            shown = reduce(body, [&](const Body& smaller) { return alone(smaller).difference.has_value(); });
            of_shown = alone(shown);
        }
        if (!of_shown.difference) of_shown = verdict;
        if (options_.offline)
            std::printf("// (of modules for --target=vulkan1.2; clrun makes those for its device)\n");
        std::printf("%s\n", stand_alone(shown, *of_shown.difference,
                                        options_.abi == "descriptors" ? " --abi=descriptors" : "")
                                .c_str());
        std::fflush(stdout);
    }

    /// Writes the kernel of many to a file, of which this is the name.
    std::string keep(const std::vector<Body>& bodies) const {
        std::filesystem::create_directories(options_.keep);
        const std::string path = options_.keep + "/" + std::to_string(bodies.front().seed) + ".cl";
        std::ofstream(path) << make_program(bodies).source;
        return path;
    }

    Options options_ = {};
    std::unique_ptr<Executor> executor_ = {};
    Denormals denormals_ = {};
    Wanted wanted_ = {};
    std::vector<Input> inputs_ = {};
    Counts counts_ = {};
    uint64_t seen_ = 0;
};

int run(const Options& options) {
    if (options.prints) {
        const Wanted wanted = Session::wanted(options, nullptr);
        for (uint64_t seed = options.first; seed < options.first + options.count; ++seed) {
            const Body body = generate(seed, wanted);
            std::printf("%s\n", make_program(std::span(&body, 1)).source.c_str());
        }
        return 0;
    }
    Result<std::unique_ptr<Executor>> executor =
        options.opencl ? open_opencl()
                       : open_vulkan({.descriptors = options.abi == "descriptors",
                                      .offline = options.offline,
                                      .promised_fma = options.promised_fma});
    if (!executor) return std::fprintf(stderr, "float_order: %s\n", executor.error().message.c_str()), 2;
    return Session(options, executor.take()).run() ? 0 : 1;
}

}  // namespace
}  // namespace caldera::float_order

int main(int argc, char** argv) {
    using namespace caldera::float_order;
    Options options;
    CLI::App app(
        "float_order: random kernels over floats, whose operations have to be rounded each, in the order of "
        "the text",
        "float_order");
    app.add_option("--first", options.first, "first seed")->capture_default_str();
    app.add_option("--count", options.count, "number of seeds")->capture_default_str();
    app.add_option("--bodies", options.bodies, "of a kernel")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    app.add_option("--input", options.input,
                   "who makes the SPIR-V: clang is clang-15 with llvm-spirv-15, at -O0 and -O2")
        ->capture_default_str()
        ->check(CLI::IsMember({"ours", "clang", "both"}));
    app.add_option("--abi", options.abi, "of modules for Vulkan")
        ->capture_default_str()
        ->check(CLI::IsMember({"addresses", "descriptors"}));
    app.add_flag("--offline", options.offline,
                 "modules as clc2spv --target=vulkan1.2 makes them, instead of the device's own");
    app.add_flag("--promised-fma", options.promised_fma,
                 "offline, trust the device's Fma to round once, as the target does, even where it does not")
        ->needs("--offline");
    app.add_flag("--opencl", options.opencl,
                 "run on the system's first OpenCL device (OCL_ICD_VENDORS chooses) instead");
    app.add_option("--contract", options.contract, "FP_CONTRACT of all bodies, or as the seed says")
        ->capture_default_str()
        ->check(CLI::IsMember({"seed", "on", "off"}));
    app.add_flag("--no-half", options.no_half, "no half (nor where the device has none)");
    app.add_flag("--no-double", options.no_double, "no double");
    app.add_flag("--no-vectors", options.no_vectors, "scalars only");
    app.add_flag("--denormals", options.with_denormals,
                 "judge denormals also where the device may flush them");
    app.add_flag("--reduce", options.reduces, "make what differs smaller");
    app.add_option("--most", options.most_differences, "stop after so many differences")
        ->capture_default_str();
    app.add_option("--keep", options.keep, "folder for kernels that fail or differ only as a whole")
        ->capture_default_str();
    app.add_flag("--print", options.prints, "print the kernels of the seeds instead");
    app.footer(
        "\nExamples:\n"
        "  float_order --count=10000                              on the Vulkan device that CALDERA_DEVICE "
        "chooses\n"
        "  float_order --offline --abi=descriptors --reduce       what clc2spv makes, run there; smallest "
        "kernels that differ\n"
        "  float_order --input=both --contract=off                from our front end and from clang\n"
        "  float_order --first=17 --count=1 --reduce              one seed\n"
        "  float_order --opencl                                   another implementation, to judge the "
        "judge\n"
        "What it prints of a difference is a file for clrun, with the command in its first lines.");
    CLI11_PARSE(app, argc, argv);
    try {
        return caldera::float_order::run(options);
    } catch (const std::exception& error) {
        return std::fprintf(stderr, "float_order: %s\n", error.what()), 2;
    }
}
