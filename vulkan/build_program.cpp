// SPDX-License-Identifier: Apache-2.0
#include "vulkan/build_program.h"

#include <algorithm>
#include <cerrno>

#include "spirv/raw_words.h"
#include "spirv/support/files.h"
#include "spirv/support/float_environment.h"
#include "vulkan/build_cache.h"
#include "vulkan/device_extensions.h"
#include "vulkan/lacking_features.h"
#include "vulkan/promised_profile.h"
#include "vulkan/runtime/buffer_parts.h"
#include "vulkan/translate/known_formats.h"
#include "vulkan/translate_options.h"

namespace caldera {
namespace {

BuildResult failed(const Error& error) {
    BuildResult result{.log = "error: " + error.message + "\n"};
    if (error.code != 0) result.failure = error;
    return result;
}

/// Adds the kernels that are better by descriptors, if there are some.
void add_descriptor_form(BuildResult& result, runtime::Device& device, std::span<const uint32_t> opencl_words,
                         vulkan::TranslateOptions translate) {
    translate = descriptor_form_options(std::move(translate));
    translate.after_pass = {};
    Result<vulkan::Translation> translation = translate_or_load(device.disk_cache(), opencl_words, translate);
    if (!translation) return;
    Result<std::unique_ptr<runtime::Program>> program =
        runtime::Program::create(device, translation->words, std::move(translation->interface));
    if (!program) return;
    result.program->add_descriptor_form(program.take());
    result.descriptor_words = std::move(translation->words);
}

Result<runtime::Program::Code> translated_code(const runtime::Device& device, std::span<const uint32_t> words,
                                               const vulkan::TranslateOptions& options) {
    Result<vulkan::Translation> translation = translate_or_load(device.disk_cache(), words, options);
    if (!translation) return translation.error();
    return runtime::Program::Code{std::move(translation->words), std::move(translation->interface)};
}

/// A launch may need the program for buffers that are larger than a descriptor may say, where the device has
/// such buffers.
void split_on_demand(runtime::Program& program, std::span<const uint32_t> opencl_words,
                     vulkan::TranslateOptions options) {
    const runtime::Device& on = program.device();
    if (!runtime::has_split_buffers(on.limits(), on.max_buffer_bytes())) return;
    options.after_pass = {};  // whoever observes may be gone
    program.split_with([&device = program.device(),
                        words = std::vector(opencl_words.begin(), opencl_words.end()),
                        options = std::move(options)](
                           const vulkan::SplitBuffers& split) mutable -> Result<runtime::Program::Code> {
        options.split_buffers = split;
        return translated_code(device, words, options);
    });
}

bool has_images(const vulkan::ProgramInterface& program, vulkan::ArgumentAccess access) {
    return std::ranges::any_of(program.kernels, [&](const vulkan::Kernel& kernel) {
        return std::ranges::any_of(kernel.arguments, [&](const vulkan::KernelArgument& argument) {
            return argument.kind == vulkan::ArgumentKind::Image && argument.access == access;
        });
    });
}

/// Launches may want the program with textures as its images, or with its arguments in buffers.
void make_forms_on_demand(runtime::Program& program, std::span<const uint32_t> opencl_words,
                          vulkan::TranslateOptions options) {
    if (options.images != vulkan::Images::Memory || options.abi != vulkan::Abi::Addresses) return;
    options.after_pass = {};  // whoever observes may be gone
    const auto words =
        std::make_shared<const std::vector<uint32_t>>(opencl_words.begin(), opencl_words.end());
    const auto translated = [&device = program.device(), words](const vulkan::TranslateOptions& wanted) {
        const DefaultFloatEnvironment floats;
        return translated_code(device, *words, wanted);
    };
    const bool reads_images = has_images(program.interface(), vulkan::ArgumentAccess::ReadOnly),
               writes_images = has_images(program.interface(), vulkan::ArgumentAccess::WriteOnly);
    if (reads_images || writes_images)
        program.make_image_forms_with([=](const runtime::ImageForm& form) -> Result<runtime::Program::Code> {
            if (!(form.is_written ? writes_images : reads_images))
                return Error{.message = "no kernel has such images"};
            return translated(image_form_options(options, form));
        });
    program.make_block_form_with([=] { return translated(block_form_options(options)); });
}

BuildResult translate_and_load(runtime::Device& device, std::span<const uint32_t> opencl_words,
                               const BuildOptions& options) {
    // A program may make pipelines when it is created, so this comes first.
    device.specialize_kernels_with(vulkan::with_known_formats);
    vulkan::TranslateOptions translate = program_options(options.profile.value_or(device.profile()), options);
    translate.checks = device.checks();
    if (options.compile.debug_info && device.has_renderdoc()) make_steppable(translate.profile);
    if (device.loop_turns()) translate.loop_turns = device.loop_turns();
    Result<vulkan::Translation> translation = translate_or_load(device.disk_cache(), opencl_words, translate);
    if (!translation) return failed(translation.error());
    Result<std::unique_ptr<runtime::Program>> program =
        runtime::Program::create(device, translation->words, std::move(translation->interface));
    if (!program) return failed(program.error());
    BuildResult result{.program = program.take(), .words = std::move(translation->words)};
    if (!options.abi && translate.abi == vulkan::Abi::Addresses && device.prefers_descriptors() &&
        translate.checks == vulkan::MemoryChecks::None)
        add_descriptor_form(result, device, opencl_words, translate);
    if (translate.abi == vulkan::Abi::Descriptors) split_on_demand(*result.program, opencl_words, translate);
    make_forms_on_demand(*result.program, opencl_words, translate);
    return result;
}

}  // namespace

frontend::CompileOptions compile_options(const vulkan::DeviceProfile& profile, const BuildOptions& options) {
    frontend::CompileOptions compile = options.compile;
    compile.extensions = compile.extensions & device_extensions(profile, options.images);
    compile.image_signs = options.images == vulkan::Images::Hardware;
    return compile;
}

vulkan::TranslateOptions program_options(const vulkan::DeviceProfile& profile, const BuildOptions& options) {
    vulkan::TranslateOptions translate = translate_options(options.compile);
    translate.target = newest_target(profile);
    translate.profile = profile;
    translate.abi = options.abi.value_or(profile.buffer_device_address ? vulkan::Abi::Addresses
                                                                       : vulkan::Abi::Descriptors);
    translate.partial_groups = translate.null_arguments = true;
    translate.images = options.images;
    // Older devices need an extension for it.
    translate.debug_info = translate.debug_info && std::pair(profile.api_version_major,
                                                             profile.api_version_minor) >= std::pair(1u, 3u);
    translate.constants_in_module = options.constants_in_module;
    translate.initialize_local = options.initialize_local;
    translate.initialize_private = options.initialize_private;
    translate.argument_table =
        translate.abi == vulkan::Abi::Descriptors && translate.images == vulkan::Images::Memory;
    translate.optimization_level = options.compile.opt_disable ? 0 : options.optimization_level;
    translate.verify_between_passes = options.verify_between_passes;
    translate.disabled_passes = options.disabled_passes;
    translate.after_pass = options.after_pass;
    translate.trusted_input = options.trusted_input;
    translate.spec_constants = options.spec_constants;
    return translate;
}

vulkan::TranslateOptions descriptor_form_options(vulkan::TranslateOptions options) {
    options.abi = vulkan::Abi::Descriptors;
    options.contained_kernels = true;
    options.argument_table = false;  // no such kernel needs it
    return options;
}

vulkan::TranslateOptions image_form_options(vulkan::TranslateOptions options,
                                            const runtime::ImageForm& form) {
    options.images = vulkan::Images::Hardware;
    options.exact_nearest = true;
    options.written_images_in_memory = !form.is_written;
    options.rounds_written_texels = form.rounds;
    options.volumes_as_slices = form.has_slices;
    return options;
}

vulkan::TranslateOptions block_form_options(vulkan::TranslateOptions options) {
    options.value_arguments = vulkan::ArgumentBlock::Buffer;
    return options;
}

BuildResult build_program(runtime::Device& device, std::span<const uint32_t> opencl_words,
                          const BuildOptions& options) {
    const DefaultFloatEnvironment floats;
    BuildResult result = translate_and_load(device, opencl_words, options);
    if (!result) result.log += lacking_features(device, opencl_words, options);
    return result;
}

BuildResult build_program(runtime::Device& device, std::string_view source, const std::string& file_name,
                          const BuildOptions& options) {
    const DefaultFloatEnvironment floats;
    const vulkan::DeviceProfile profile = options.profile.value_or(device.profile());
    frontend::CompileOptions compile = compile_options(profile, options);
    compile.debug_info |= reports(device.checks());  // reports name lines
    frontend::CompileResult compiled = compile_or_load(device.disk_cache(), source, file_name, compile);
    if (compiled.out_of_memory) return failed({.message = compiled.log, .code = vulkan::kOutOfHostMemory});
    BuildResult result;
    if (compiled) {
        BuildOptions trusting = options;
        trusting.trusted_input = true;
        result = translate_and_load(device, compiled.words, trusting);
    }
    result.log.insert(0, compiled.log);
    result.diagnostics = std::move(compiled.diagnostics);
    if (result) return result;
    const std::string lacking = lacking_features(device, source, file_name, options);
    result.log += lacking.empty() ? explain_extensions(profile, result.diagnostics) : lacking;
    return result;
}

BuildResult build_program_from_file(runtime::Device& device, const std::string& path,
                                    const BuildOptions& options) {
    const std::optional<std::string> text = read_file(path);
    if (!text) return {.log = "error: " + why_unread(path, errno) + "\n"};
    if (!spirv::is_module(*text)) return build_program(device, *text, path, options);
    return build_program(device, spirv::words_of_module(*text), options);
}

}  // namespace caldera
