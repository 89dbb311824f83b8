// SPDX-License-Identifier: Apache-2.0
// clc2spv's command line as data.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frontend/compile.h"
#include "spirv/spirv.h"
#include "spirv/support/files.h"
#include "spirv/support/result.h"
#include "tools/clc2spv/drivers.h"
#include "tools/report/report.h"
#include "vulkan/device_profile.h"
#include "vulkan/interface.h"

namespace caldera::tools {

enum class Action : uint8_t { Compile, Help, Version, ListPasses, ListDrivers, LanguageServer };
enum class Emit : uint8_t { Spirv, Assembly, Annotated, CHeader, CppHeader, ReflectionJson, Ast };
enum class Language : uint8_t { ByName, OpenCLC, Spirv, SpirvAssembly };  ///< -x
enum class Colour : uint8_t { Auto, Always, Never };

struct Command {
    Action action = Action::Compile;
    std::vector<std::string> inputs = {};  ///< "-" is standard input
    std::string output = {};               ///< -o; empty: a name made from the input's; "-": standard output
    spirv::Target target = spirv::Target::Vulkan12;
    std::optional<vulkan::DeviceProfile> profile = {};  ///< --device-profile's; else what the target promises
    std::vector<std::string> option_files = {};         ///< what was read for the options: profile, @FILE
    std::optional<DriverChoice> driver = {};            ///< --driver; else the profile's
    std::optional<uint32_t> max_local_bytes = {};       ///< --max-local-memory
    std::optional<uint32_t> max_group_size = {};        ///< --max-work-group-size
    std::optional<uint32_t> max_private_bytes = {};     ///< --max-private-bytes
    std::optional<uint32_t> max_storage_buffers = {};   ///< --max-storage-buffers
    vulkan::Abi abi = vulkan::Abi::Addresses;
    vulkan::ArgumentBlock value_arguments = vulkan::ArgumentBlock::PushConstants;  ///< --value-arguments
    bool constants_in_buffer = false;               ///< --module-constants-in-storage-buffer
    bool constants_in_module = false;               ///< --no-module-constants-in-storage-buffer
    std::vector<std::string> storage_formats = {};  ///< --storage-formats: names, one for a kind of texel
    std::optional<vulkan::Images> images = {};      ///< --images; else hardware with descriptors, else memory
    bool clspv_reflection = false;                  ///< --clspv-reflection: the default with descriptors
    bool initialize_local = false;                  ///< --initialize-memory=local
    bool initialize_private = false;                ///< --initialize-memory=private
    bool no_fused_fma = false;                      ///< --no-fused-fma
    bool emulate_doubles = false;                   ///< --emulate-doubles
    bool robust = false;                            ///< --robust
    std::optional<uint32_t> max_loop_turns = {};    ///< --max-loop-turns
    int optimization = 1;
    Emit emit = Emit::Spirv;
    Language language = Language::ByName;
    Colour colour = Colour::Auto;
    Format format = Format::Text;  ///< -fdiagnostics-format
    bool preprocess_only = false;  ///< -E
    frontend::Printed printed = {};
    bool compile_only = false;                  ///< -c: OpenCL SPIR-V with linkage
    bool create_library = false;                ///< --create-library
    bool allow_partial_linkage = false;         ///< --allow-partial-linkage
    bool syntax_only = false;                   ///< -fsyntax-only
    bool validate = false;                      ///< --validate
    bool time_report = false;                   ///< -ftime-report
    bool verbose = false;                       ///< -v
    std::vector<std::string> print_after = {};  ///< --print-after: names of passes, "read" or "all"
    std::string print_to = {};                  ///< --print-to; "-": standard output; empty: standard error
    std::string stop_after = {};                ///< --stop-after: the name of a pass
    std::vector<std::string> disabled_passes = {};     ///< --disable-pass
    bool dependencies_only = false;                    ///< -M, -MM
    bool write_dependencies = false;                   ///< -MD, -MMD
    bool phony_targets = false;                        ///< -MP: a rule without a recipe for each header
    std::string dependency_file = {};                  ///< -MF
    std::vector<std::string> dependency_targets = {};  ///< -MT and -MQ, the latter quoted for make
    std::vector<std::pair<uint32_t, std::string>> spec_constants = {};  ///< --spec-constant=ID:VALUE
    frontend::CompileOptions compile = {};

    /// What an input is, by -x or its name.
    Language language_of(const std::string& input) const;
    /// Whether the inputs become one module: several of them with one file for the output, or a library.
    bool links() const;
    vulkan::Images image_form() const {
        return images.value_or(abi == vulkan::Abi::Descriptors ? vulkan::Images::Hardware
                                                               : vulkan::Images::Memory);
    }
    /// Whether the output is OpenCL SPIR-V for a later command that links.
    bool makes_part() const { return compile_only || create_library || allow_partial_linkage; }
};

/// The device that the Vulkan module is for: the profile's, or what the target promises, changed by the
/// options.
vulkan::DeviceProfile device_profile(const Command& command);

/// Parses the arguments after the program's name. The error is the sentence after "clc2spv: error: ". `read`
/// gives the device's profile.
Result<Command> parse_command_line(std::vector<std::string> args, const ReadFile& read = read_file);
/// The options for a file that an editor has open: those of a command line, of which inputs, outputs and what
/// is done with them do not matter. Relative paths are relative to `folder`, which ends with '/'.
Result<frontend::CompileOptions> compile_options(std::vector<std::string> args, const std::string& folder);
std::string help_text();
std::string version_text();

/// A file's name as make reads it in a rule.
std::string quote_for_make(const std::string& name);

}  // namespace caldera::tools
