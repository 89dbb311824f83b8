// SPDX-License-Identifier: Apache-2.0
// spv-check: all faults of SPIR-V modules, for people and for CI.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <thread>

#include "caldera/version.h"
#include "spirv/support/files.h"
#include "spirv/support/files_read.h"
#include "spirv/support/option_values.h"
#include "spirv/support/program.h"
#include "tools/report/faults.h"
#include "tools/report/report.h"
#include "tools/spv_check/check_file.h"
#include "vulkan/device_profile_json.h"

namespace caldera::tools {
namespace {

constexpr const char* kFooter =
    R"(Exit status: 0 if all modules are valid, 1 if one is not, 2 if something could not be checked.
Standard input, pipes and devices give at most 256 MiB; files have no limit.

Examples:
  spv-check k.spv                                        for the environment that the module seems to be for
  spv-check build/shaders                                all .spv and .spvasm files in a folder and below
  spv-check --target=vulkan1.3 --device-profile=gpu.json k.spv    and what the device has
  spv-check --format=sarif -o spirv.sarif build/shaders  for code scanning in CI
)";

enum ExitStatus { kValid = 0, kInvalid = 1, kNotChecked = 2 };

struct Options {
    std::vector<std::string> paths = {};
    CheckOptions check = {};
    Format format = Format::Text;
    std::string output = "-";
    unsigned jobs = 0;
};

void complain(const std::string& message) { std::fprintf(stderr, "spv-check: error: %s\n", message.c_str()); }

/// The files that a path names: itself, or the modules of a folder in the order of their names.
Result<std::vector<std::string>> files_of(const std::string& path) {
    std::error_code error;
    if (path == "-" || !std::filesystem::is_directory(utf8_path(path), error))
        return std::vector<std::string>{path};
    std::vector<std::string> files;
    std::filesystem::recursive_directory_iterator walk(utf8_path(path), error), end;
    for (; !error && walk != end; walk.increment(error)) {
        const std::string name = utf8_text(walk->path());
        std::error_code unreadable;
        if ((name.ends_with(".spv") || name.ends_with(".spvasm")) && walk->is_regular_file(unreadable))
            files.push_back(name);
    }
    if (error) return Error{.message = "cannot read the folder '" + path + "': " + error.message()};
    if (files.empty()) return Error{.message = "no .spv or .spvasm file in '" + path + "'"};
    std::ranges::sort(files);
    return files;
}

/// Checks the files with several threads. The results stand in the files' order.
std::vector<Result<std::vector<Finding>>> check_all(const std::vector<std::string>& files,
                                                    const Options& options) {
    std::vector<Result<std::vector<Finding>>> results(files.size(), std::vector<Finding>());
    std::atomic<size_t> next = 0;
    const auto work = [&] {
        for (size_t i = next++; i < files.size(); i = next++)
            results[i] = check_file(files[i], options.check);
    };
    const unsigned processors = options.jobs != 0 ? options.jobs : std::thread::hardware_concurrency();
    const size_t count = std::min<size_t>(std::max(processors, 1u), files.size());
    std::vector<std::jthread> others;
    for (size_t i = 1; i < count; ++i) others.emplace_back(work);
    work();
    others.clear();
    return results;
}

std::string as_report(const std::vector<Finding>& findings, size_t modules, const Options& options,
                      bool succeeded) {
    const Tool tool{.name = "spv-check",
                    .full_name = "Caldera's checker of SPIR-V modules, with SPIRV-Tools",
                    .succeeded = succeeded};
    if (options.format == Format::Json) return to_json(findings);
    if (options.format == Format::Sarif) return to_sarif(findings, tool);
    std::string text;
    size_t faults = 0;
    for (const Finding& finding : findings) {
        text += as_text(finding);
        faults += finding.level != Finding::Level::Note;
    }
    const auto count = [](size_t n, const char* what) {
        return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
    };
    return text + count(modules, "module") + ", " + count(faults, "fault") + "\n";
}

int check(const Options& options) {
    bool succeeded = true;
    std::vector<std::string> files;
    if (std::ranges::count(options.paths, "-") > 1) {
        complain("standard input can be read only once");
        return kNotChecked;
    }
    for (const std::string& path : options.paths) {
        Result<std::vector<std::string>> found = files_of(path);
        if (found)
            files.insert(files.end(), found->begin(), found->end());
        else
            complain(found.error().message);
        succeeded &= static_cast<bool>(found);
    }
    if (const Result<Done> done = FilesRead(files).may_write(options.output); !done) {
        complain(done.error().message);
        return kNotChecked;
    }
    std::vector<Finding> findings;
    for (Result<std::vector<Finding>>& result : check_all(files, options)) {
        if (result)
            std::ranges::move(*result, std::back_inserter(findings));
        else
            complain(result.error().message);
        succeeded &= static_cast<bool>(result);
    }
    const std::string report = as_report(findings, files.size(), options, succeeded);
    const bool written = write_file(options.output, report);
    if (!written) complain("cannot write '" + options.output + "': " + std::strerror(errno));
    if (!succeeded || !written) return kNotChecked;
    return findings.empty() ? kValid : kInvalid;
}

/// --target and --device-profile. A device has the highest version of Vulkan that its profile names.
Result<Done> set_environment(Options& options, const std::string& target, const std::string& profile) {
    if (!target.empty()) {
        spirv::Target chosen = {};
        if (!spirv::parse_target(target, chosen))
            return Error{.message = "unknown target '" + target + "'; see --help"};
        options.check.target = chosen;
    }
    if (profile.empty()) return Done{};
    Result<vulkan::DeviceProfile> loaded = vulkan::load_profile(profile);
    if (!loaded) return loaded.error();
    if (options.check.target && !spirv::is_vulkan(*options.check.target))
        return Error{.message = "--device-profile needs a Vulkan target"};
    if (!options.check.target) {
        const uint32_t minor = loaded->api_version_major > 1 ? 3 : loaded->api_version_minor;
        options.check.target = minor >= 3   ? spirv::Target::Vulkan13
                               : minor == 2 ? spirv::Target::Vulkan12
                                            : spirv::Target::Vulkan11;
    }
    options.check.profile = loaded.take();
    return Done{};
}

int run(int argc, char** argv) {
    Options options;
    std::string target, profile, format = "text";
    CLI::App app{
        "spv-check: reports all faults of SPIR-V modules, each with its instruction, its source line, the "
        "rule and "
        "what to do."};
    app.footer(kFooter);
    app.set_version_flag("--version", "spv-check (Caldera) " CALDERA_VERSION);
    app.add_option(
        "FILE", options.paths,
        "modules, text if they end in .spvasm; folders; '-' is standard input, a module or its text");
    app.add_option("--target", target,
                   "opencl1.2 to opencl3.1, vulkan1.1 to vulkan1.3 (default: as the module's capabilities "
                   "and version say)");
    app.add_option("--device-profile", profile,
                   "the Vulkan device that 'vulkaninfo --json' wrote this file of");
    app.add_option("--format", format, "text, json (as GCC's) or sarif")
        ->check(CLI::IsMember({"text", "json", "sarif"}));
    app.add_option("-o,--output", options.output, "write the report to a file (default: standard output)");
    app.add_option("--max-faults", options.check.max_faults, "the most faults that are reported of a module")
        ->check(CLI::Range(size_t{1}, size_t{1'000'000}))
        ->capture_default_str();
    app.add_option("-j,--jobs", options.jobs,
                   "modules that are checked at one time (default: one for each processor)");
    try {
        std::vector<std::string> args = with_empty_values(arguments(argc, argv));
        std::ranges::reverse(args);  // as CLI11 takes them
        app.parse(std::move(args));
    } catch (const CLI::ParseError& error) {
        const bool is_answer = app.exit(error) == 0;  // of --help or --version
        if (is_answer && finish_standard_output()) return kValid;
        if (is_answer) complain("cannot write to standard output");
        return kNotChecked;
    }
    options.format = format == "json" ? Format::Json : format == "sarif" ? Format::Sarif : Format::Text;
    if (Result<Done> done = set_environment(options, target, profile); !done) {
        complain(done.error().message);
        return kNotChecked;
    }
    if (options.paths.empty()) {  // last, since a misspelt option is the better reason
        complain("a FILE or folder is missing; see --help");
        return kNotChecked;
    }
    return check(options);
}

}  // namespace
}  // namespace caldera::tools

int main(int argc, char** argv) {
    caldera::use_binary_streams();
    return caldera::tools::run(argc, argv);
}
