// SPDX-License-Identifier: Apache-2.0
// A file of a suite: its text, the comments that steer it, and what they say.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/compile.h"
#include "spirv/spirv.h"
#include "vulkan/interface.h"

namespace caldera::runner {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path);

/// The rest of each line that holds `marker`, trimmed.
std::vector<std::string> directives(const std::string& source, std::string_view marker);

struct Test {
    fs::path path = {};
    std::string source = {};
    frontend::CompileOptions compile = {};
    spirv::Target target = spirv::Target::Vulkan12;
    vulkan::Abi abi = vulkan::Abi::Addresses;
    bool constants_in_buffer = false;
    vulkan::ArgumentBlock value_arguments = vulkan::ArgumentBlock::PushConstants;
    vulkan::Images images = vulkan::Images::Memory;
    bool is_assembly() const { return path.extension() == ".spvasm"; }
};

/// Empty when the test passed; otherwise what is wrong.
using Verdict = std::string;

/// `// ALWAYS: form, form`: the file found a fault in that form.
bool is_always(const Test& test, const std::string& form);

/// The processor time of this process so far.
long long milliseconds();

Verdict load(const fs::path& path, const fs::path& root, Test& test);

}  // namespace caldera::runner
