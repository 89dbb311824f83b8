// SPDX-License-Identifier: Apache-2.0
#include "tools/clc2spv/translation.h"

#include <charconv>

#include "vulkan/translate/reflect/reflect.h"
#include "vulkan/translate_options.h"

namespace caldera::tools {
namespace {

/// Takes ":NUMBER" off the end.
std::optional<uint32_t> take_number(std::string_view& text) {
    const size_t colon = text.rfind(':');
    if (colon == std::string_view::npos) return std::nullopt;
    uint32_t number = 0;
    const auto [end, fault] = std::from_chars(text.data() + colon + 1, text.data() + text.size(), number);
    if (fault != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    text = text.substr(0, colon);
    return number;
}

}  // namespace

vulkan::TranslateOptions translate_options(const Command& command, bool trusted_input) {
    const bool by_descriptors = command.abi == vulkan::Abi::Descriptors;
    vulkan::TranslateOptions translate = caldera::translate_options(command.compile);
    translate.target = command.target;
    translate.abi = command.abi;
    translate.value_arguments = command.value_arguments;
    translate.constants_in_module = by_descriptors && !command.constants_in_buffer;
    translate.images = command.image_form();
    translate.storage_formats = command.storage_formats;
    translate.simple_ndrange = by_descriptors;
    translate.initialize_local = command.initialize_local;
    translate.initialize_private = command.initialize_private;
    if (command.robust) translate.checks = vulkan::MemoryChecks::Guard;
    if (command.max_loop_turns) {
        translate.checks = translate.checks | vulkan::MemoryChecks::EndLoops;
        translate.loop_turns = *command.max_loop_turns;
    }
    translate.clspv_reflection = command.clspv_reflection;
    translate.trusted_input = trusted_input;
    translate.profile = device_profile(command);
    if (command.constants_in_module) translate.profile.quirks.copies_constant_arrays = false;
    translate.stop_after = command.stop_after;
    translate.disabled_passes = command.disabled_passes;
    return translate;
}

Result<spirv::SpecValues> spec_values(const Command& command, std::span<const uint32_t> words) {
    if (command.spec_constants.empty()) return spirv::SpecValues{};
    const Result<spirv::Module> module = spirv::read(words);
    if (!module) return module.error();
    spirv::SpecValues values;
    for (const auto& [id, text] : command.spec_constants) {
        Result<std::vector<std::byte>> value = spirv::parse_spec_value(*module, id, text);
        if (!value) return value.error();
        values[id] = value.take();
    }
    return values;
}

std::string too_many_buffers(const Command& command, const vulkan::ProgramInterface& interface) {
    if (command.abi != vulkan::Abi::Descriptors) return {};
    const uint32_t most = device_profile(command).max_storage_buffers;
    for (const vulkan::Kernel& kernel : interface.kernels) {
        const uint32_t buffers = vulkan::storage_buffers(interface, kernel);
        if (buffers <= most) continue;
        return "kernel '" + kernel.name + "': it needs " + std::to_string(buffers) +
               " storage buffers with --abi=descriptors, one for each pointer argument and for each of the "
               "program's own buffers, and " +
               (command.profile ? command.profile->name : "the device") + " has " + std::to_string(most) +
               " (maxPerStageDescriptorStorageBuffers)";
    }
    return {};
}

std::optional<TextRange> place_of(std::string_view text) {
    const std::optional<uint32_t> column = take_number(text);
    const std::optional<uint32_t> line = take_number(text);
    if (!line || !column || text.empty()) return std::nullopt;
    const TextPosition at{.line = *line, .byte = *column, .character = *column, .cell = *column};
    return TextRange{.file = std::string(text), .begin = at, .end = at};
}

TextRange place_in(const std::string& file, const std::string& message) {
    for (size_t open = message.find('('); open != std::string::npos; open = message.find('(', open + 1)) {
        const size_t close = message.find(')', open);
        if (close == std::string::npos) break;
        if (auto place = place_of(std::string_view(message).substr(open + 1, close - open - 1)))
            return *place;
    }
    return {.file = file};
}

}  // namespace caldera::tools
