// SPDX-License-Identifier: Apache-2.0
#include "vulkan/icd/dump.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>

#include "spirv/support/environment.h"
#include "spirv/support/files.h"
#include "vulkan/runtime/settings.h"
#include "vulkan/translate/reflect/reflect.h"

namespace caldera::icd {
namespace {

/// Makes a new folder: a folder with this process number may already exist, from an earlier process or one in
/// another container.
std::filesystem::path make_folder(const std::filesystem::path& parent, std::error_code& error) {
    static std::atomic<unsigned> next = 1;
    std::filesystem::create_directories(parent, error);
    while (!error) {
        const std::filesystem::path path = parent / (std::to_string(getpid()) + "-" + std::to_string(next++));
        if (std::filesystem::create_directory(path, error)) return path;
    }
    return {};
}

void warn(const std::string& why) {
    runtime::warn_of_place("CALDERA_DUMP", environment("CALDERA_DUMP"), why);
}

void write(const std::filesystem::path& path, std::span<const char> bytes) {
    if (bytes.empty()) return;
    if (!write_file(utf8_text(path), {bytes.data(), bytes.size()}))
        warn(std::string("cannot write files there: ") + std::strerror(errno));
}
void write(const std::filesystem::path& path, std::span<const uint32_t> words) {
    write(path, std::span(reinterpret_cast<const char*>(words.data()), words.size_bytes()));
}

}  // namespace

std::function<void(const vulkan::AfterPass&)> stage_collector(Translated& translated) {
    if (environment("CALDERA_DUMP").empty() || !runtime::flag_setting("CALDERA_DUMP_PASSES", false))
        return {};
    return [&translated](const vulkan::AfterPass& after) {
        if (!after.changed) return;
        const std::string number = std::to_string(after.number);
        translated.stages.push_back(
            {.name = (number.size() < 2 ? "0" : "") + number + "-" + std::string(after.pass),
             .words = {after.words.begin(), after.words.end()}});
    };
}

void dump(const Program& program, const Program::Build& build, const Translated& translated) {
    const std::string_view parent = environment("CALDERA_DUMP");
    if (parent.empty()) return;
    std::error_code error;
    const std::filesystem::path folder = make_folder(utf8_path(parent), error);
    if (error) return warn("cannot make a folder there: " + error.message());
    if (program.source) write(folder / "source.cl", *program.source);
    write(folder / "options.txt", build.options);
    write(folder / "opencl.spv", build.words);
    write(folder / "vulkan.spv", translated.words);
    if (build.program) write(folder / "interface.json", vulkan::to_json(build.program->interface()));
    write(folder / "descriptors.spv", translated.descriptor_words);
    if (build.program && build.program->descriptor_form())
        write(folder / "descriptors.json", vulkan::to_json(build.program->descriptor_form()->interface()));
    write(folder / "log.txt", build.log);
    if (translated.stages.empty()) return;
    std::filesystem::create_directory(folder / "passes", error);
    for (const Translated::Stage& stage : translated.stages)
        write(folder / "passes" / (stage.name + ".spv"), stage.words);
}

}  // namespace caldera::icd
