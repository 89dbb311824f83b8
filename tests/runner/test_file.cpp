// SPDX-License-Identifier: Apache-2.0
#include "tests/runner/test_file.h"

#include <algorithm>
#include <ctime>
#include <fstream>
#include <sstream>

namespace caldera::runner {

std::string read_file(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::vector<std::string> directives(const std::string& source, std::string_view marker) {
    std::vector<std::string> found;
    std::istringstream lines(source);
    for (std::string line; std::getline(lines, line);) {
        const size_t at = line.find(marker);
        if (at == std::string::npos) continue;
        const size_t first = line.find_first_not_of(' ', at + marker.size());
        found.push_back(first == std::string::npos ? "" : line.substr(first));
    }
    return found;
}

bool is_always(const Test& test, const std::string& form) {
    for (const std::string& forms : directives(test.source, "// ALWAYS:"))
        if (forms.find(form) != std::string::npos) return true;
    return false;
}

long long milliseconds() { return std::clock() * 1000LL / CLOCKS_PER_SEC; }

Verdict load(const fs::path& path, const fs::path& root, Test& test) {
    test = {.path = path, .source = read_file(path)};
    for (std::string options : directives(test.source, "OPTIONS:")) {
        if (const size_t at = options.find("--target="); at != std::string::npos) {
            const size_t end = std::min(options.find(' ', at), options.size());
            if (!spirv::parse_target(options.substr(at + 9, end - at - 9), test.target))
                return "unknown --target";
            options.erase(at, end - at);
        }
        const auto take = [&](std::string_view option) {
            const size_t at = options.find(option);
            if (at != std::string::npos) options.erase(at, option.size());
            return at != std::string::npos;
        };
        if (take("--abi=descriptors")) test.abi = vulkan::Abi::Descriptors;
        if (take("--module-constants-in-storage-buffer")) test.constants_in_buffer = true;
        if (take("--value-arguments=uniform-buffer"))
            test.value_arguments = vulkan::ArgumentBlock::UniformBuffer;
        if (take("--value-arguments=storage-buffer"))
            test.value_arguments = vulkan::ArgumentBlock::StorageBuffer;
        if (take("--images=hardware") || test.abi == vulkan::Abi::Descriptors)
            test.images = vulkan::Images::Hardware;
        if (Result<Done> done = frontend::parse_build_options(options, test.compile); !done)
            return done.error().message;
    }
    test.compile.include_dirs.push_back(root.string());
    if (!spirv::is_vulkan(test.target)) test.compile.target = test.target;
    test.compile.image_signs = test.images == vulkan::Images::Hardware;
    return {};
}

}  // namespace caldera::runner
