// SPDX-License-Identifier: Apache-2.0
#include "tools/clc2spv/output_files.h"

#include <algorithm>
#include <map>
#include <vector>

#include "spirv/support/files.h"
#include "spirv/support/files_read.h"
#include "spirv/support/paths.h"
#include "spirv/support/try.h"

namespace caldera::tools {
namespace {

struct Output {
    std::string name = {};
    std::string input = {};  // what it is made from; empty: the whole command
    bool is_shared = false;  // several inputs add to it
};

/// The files made from one input, or from all where they are linked.
std::vector<Output> outputs_of(const Command& command, const std::string& input) {
    std::vector<Output> outputs;
    if (command.links())
        outputs.push_back({.name = command.output});
    else if (!command.syntax_only && !command.dependencies_only)
        outputs.push_back({.name = output_name(command, input), .input = input});
    if (command.dependencies_only || command.write_dependencies)
        outputs.push_back({.name = rule_name(command, input), .input = input, .is_shared = true});
    return outputs;
}

std::vector<Output> outputs_of(const Command& command) {
    std::vector<Output> outputs;
    if (!command.print_to.empty()) outputs.push_back({.name = command.print_to});
    const size_t count = command.links() ? 1 : command.inputs.size();
    for (size_t i = 0; i < count; ++i)
        for (Output& output : outputs_of(command, command.inputs[i])) outputs.push_back(std::move(output));
    return outputs;
}

/// Refuses outputs to the places of `read`.
Result<Done> check_against(std::span<const Output> outputs, std::span<const std::string> read) {
    const FilesRead files(read);
    for (const Output& output : outputs) TRY(files.may_write(output.name));
    return Done{};
}

/// Empty for devices and pipes, which take what several outputs write.
std::string place_of(const std::string& file) { return file == "-" ? file : whole_path(file); }

/// Several inputs may add to a rule for make, and their texts may follow each other on standard output.
bool may_share(const Output& one, const Output& other) {
    const bool has_inputs = !one.input.empty() && !other.input.empty() && one.input != other.input;
    if (one.is_shared || other.is_shared) return one.is_shared && other.is_shared;
    return has_inputs && one.name == "-" && other.name == "-";
}

}  // namespace

std::string stem(const std::string& path) {
    if (path == "-") return "a";
    std::string name(file_name_of(path));
    size_t dot = name.find_last_of('.');
    return dot == std::string::npos || dot == 0 ? name : name.substr(0, dot);
}

std::string_view extension(Emit emit) {
    switch (emit) {
        case Emit::Spirv: return ".spv";
        case Emit::Assembly: return ".spvasm";
        case Emit::Annotated: return ".txt";
        case Emit::CHeader: return ".h";
        case Emit::CppHeader: return ".hpp";
        case Emit::ReflectionJson: return ".json";
        case Emit::Ast: return ".ast";
    }
    return "";
}

namespace {

/// Clang's ".cli" is a preprocessed file of OpenCL C.
std::string output_extension(const Command& command) {
    return command.dependencies_only ? ".d"
           : command.preprocess_only ? ".cli"
                                     : std::string(extension(command.emit));
}

}  // namespace

std::string output_name(const Command& command, const std::string& input) {
    if (!command.output.empty() && !ends_as_folder(command.output)) return command.output;
    const bool is_text = command.preprocess_only || command.dependencies_only || command.emit == Emit::Ast ||
                         command.emit == Emit::Annotated;
    if (command.output.empty() && (is_text || input == "-")) return "-";
    const std::string ending = output_extension(command);
    std::string name = command.output + stem(input) + ending;
    return name == input ? command.output + stem(input) + ".vulkan" + ending : name;
}

std::string rule_name(const Command& command, const std::string& input) {
    if (!command.dependency_file.empty()) return command.dependency_file;
    const std::string output = output_name(command, input);
    if (command.dependencies_only) return output;
    if (output == "-") return stem(command.links() ? command.inputs.front() : input) + ".d";
    // As clang: the dot of a folder's name begins no extension, that of ".spv" does.
    const size_t name_at = output.size() - file_name_of(output).size();
    const size_t dot = output.rfind('.');
    return (dot == std::string::npos || dot < name_at ? output : output.substr(0, dot)) + ".d";
}

Result<Done> check_outputs(const Command& command) {
    const std::vector<Output> outputs = outputs_of(command);
    std::vector<std::string> read = command.inputs;
    read.insert(read.end(), command.option_files.begin(), command.option_files.end());
    if (Result<Done> good = check_against(outputs, read); !good) return good;
    std::map<std::string, const Output*> places;
    for (const Output& output : outputs) {
        const std::string place = place_of(output.name);
        if (place.empty()) continue;
        const auto [found, is_new] = places.emplace(place, &output);
        const Output& other = *found->second;
        if (is_new || may_share(output, other)) continue;
        const bool has_inputs = !output.input.empty() && !other.input.empty() && output.input != other.input;
        return Error{.message = "output '" + output.name + "' would be written twice" +
                                (has_inputs ? ", for '" + other.input + "' and for '" + output.input + "'"
                                            : std::string())};
    }
    return Done{};
}

Result<Done> check_outputs_beside(const Command& command, std::span<const std::string> read) {
    return check_against(outputs_of(command), read);
}

}  // namespace caldera::tools
