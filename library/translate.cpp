// SPDX-License-Identifier: Apache-2.0
#include "caldera/translate.h"

#include "builtins/builtin_library.h"
#include "frontend/options.h"
#include "library/objects.h"
#include "library/options.h"
#include "spirv/support/float_environment.h"
#include "vulkan/promised_profile.h"
#include "vulkan/runtime/printf.h"
#include "vulkan/translate/reflect/reflect.h"
#include "vulkan/translate_options.h"

namespace caldera {

Result<Translation> translate(std::span<const uint32_t> opencl_words, const TranslateOptions& options) {
    frontend::CompileOptions compile;
    if (Result<Done> parsed = frontend::parse_build_options(options.options, compile); !parsed)
        return parsed.error();
    const spirv::Target target = detail::spirv_target(options.target);
    vulkan::TranslateOptions translate = translate_options(compile);
    translate.target = target;
    translate.profile = options.profile ? detail::plain(*options.profile) : vulkan::promised_profile(target);
    translate.abi = options.abi;
    if (options.value_arguments == ArgumentBlock::Buffer)
        return Error{.message = "with descriptors, arguments are not in a buffer that has an address"};
    translate.value_arguments = options.value_arguments;
    translate.constants_in_module = options.constants_in_module && options.abi == Abi::Descriptors;
    translate.images =
        options.images.value_or(options.abi == Abi::Descriptors ? Images::Hardware : Images::Memory);
    translate.storage_formats = options.storage_formats;
    translate.simple_ndrange = options.simple_ndrange;
    translate.clspv_reflection = options.clspv_reflection;
    translate.spec_constants = options.spec_constants;
    Result<vulkan::Translation> translation = vulkan::translate(opencl_words, translate, builtin_library());
    if (!translation) return translation.error();
    return Translation{.words = std::move(translation->words),
                       .interface = std::move(translation->interface)};
}

Result<Done> validate(std::span<const uint32_t> vulkan_words, Target target) {
    return spirv::validate(vulkan_words, detail::spirv_target(target));
}

Result<std::string> disassemble(std::span<const uint32_t> words) {
    const DefaultFloatEnvironment floats;
    return spirv::disassemble(words);
}

uint32_t storage_buffers(const ProgramInterface& interface, const KernelInterface& kernel) {
    return vulkan::storage_buffers(interface, kernel);
}

std::string to_json(const ProgramInterface& interface) { return vulkan::to_json(interface); }

std::string to_c_header(const ProgramInterface& interface, std::span<const uint32_t> words,
                        std::string_view name) {
    return vulkan::to_c_header(interface, words, name);
}

std::string to_cpp_header(const ProgramInterface& interface, std::span<const uint32_t> words,
                          std::string_view name) {
    return vulkan::to_cpp_header(interface, words, name);
}

PrintedText printed_text(const ProgramInterface& interface, std::span<const uint32_t> buffer,
                         uint64_t data_segment_address) {
    const DefaultFloatEnvironment floats;
    PrintedText out;
    runtime::print_records(buffer,
                           {.formats = interface.printf_formats,
                            .data_segment = interface.data_segment,
                            .data_address = data_segment_address},
                           [&](const runtime::Printed& printed) {
                               out.text += printed.text;
                               out.is_cut |= printed.is_cut;
                           });
    return out;
}

}  // namespace caldera
