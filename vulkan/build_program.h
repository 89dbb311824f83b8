// SPDX-License-Identifier: Apache-2.0
// The door of the library: from source text or SPIR-V to a program on a device, in one call.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "frontend/compile.h"
#include "vulkan/runtime/queue.h"
#include "vulkan/translate/translate.h"

namespace caldera {

struct BuildOptions {
    frontend::CompileOptions compile = {};
    int optimization_level = 1;  ///< 0 to 2; see TranslateOptions
    /// By default addresses, and descriptors on a device without addresses.
    std::optional<vulkan::Abi> abi = {};
    /// Hardware: images and samplers are Vulkan's (runtime::VulkanImage).
    vulkan::Images images = vulkan::Images::Memory;
    bool constants_in_module = false;                           ///< see TranslateOptions
    bool initialize_local = false, initialize_private = false;  ///< see TranslateOptions
    /// What the program may use of the device. By default this is all of it: Device::profile().
    std::optional<vulkan::DeviceProfile> profile = {};
    spirv::SpecValues spec_constants = {};  ///< for SPIR-V input: values that replace defaults
    bool verify_between_passes = false;
    std::vector<std::string> disabled_passes = {};  ///< see TranslateOptions
    std::function<void(const vulkan::AfterPass&)> after_pass = {};
    /// The input is SPIR-V that frontend::compile made, so it is not validated first.
    bool trusted_input = false;
};

/// A program, or the reason why there is none. `log` holds the compiler's diagnostics in either case.
struct BuildResult {
    std::unique_ptr<runtime::Program> program = {};
    std::string log = {};
    std::vector<Diagnostic> diagnostics = {};     ///< the compiler's, as data
    std::vector<uint32_t> words = {};             ///< the Vulkan SPIR-V
    std::vector<uint32_t> descriptor_words = {};  ///< of Program::descriptor_form(), if there is one
    /// Set if the program is not to blame: the host was out of memory, or Vulkan failed (Error::code).
    std::optional<Error> failure = {};
    explicit operator bool() const { return program != nullptr; }
};

/// How build_program() compiles for a device with this profile.
frontend::CompileOptions compile_options(const vulkan::DeviceProfile& profile, const BuildOptions& options);
/// How build_program() translates for a device with this profile.
vulkan::TranslateOptions program_options(const vulkan::DeviceProfile& profile, const BuildOptions& options);
/// The same for the kernels that a device gets by descriptors too (Device::prefers_descriptors).
vulkan::TranslateOptions descriptor_form_options(vulkan::TranslateOptions options);

/// The same for launches with textures (runtime::Program::image_form).
vulkan::TranslateOptions image_form_options(vulkan::TranslateOptions options, const runtime::ImageForm& form);

/// The same for launches whose arguments change after they were recorded (runtime::Program::block_form).
vulkan::TranslateOptions block_form_options(vulkan::TranslateOptions options);

/// Compiles OpenCL C for the device and loads it. `file_name` is used for messages and relative includes.
BuildResult build_program(runtime::Device& device, std::string_view source, const std::string& file_name,
                          const BuildOptions& options = {});

/// The same for OpenCL SPIR-V from Caldera's front end or any other compiler.
BuildResult build_program(runtime::Device& device, std::span<const uint32_t> opencl_words,
                          const BuildOptions& options = {});

/// Reads the file: as SPIR-V if it begins with the magic number, else as OpenCL C.
BuildResult build_program_from_file(runtime::Device& device, const std::string& path,
                                    const BuildOptions& options = {});

}  // namespace caldera
