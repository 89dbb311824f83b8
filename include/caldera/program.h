// SPDX-License-Identifier: Apache-2.0
/// @file
/// Program: a module on a device, built from OpenCL C or SPIR-V.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "caldera/api.h"
#include "caldera/compile.h"
#include "caldera/device.h"
#include "caldera/reflection.h"
#include "caldera/result.h"
#include "caldera/translate.h"

namespace caldera {

/// How a program is built.
struct ProgramOptions {
    /// Options, macros and includes of the source; the options count for SPIR-V too (-cl-fast-relaxed-math,
    /// -O2). `profile` narrows what the program may use of the device.
    CompileOptions compile = {};
    /// How kernels reach global and constant memory: by default by addresses, and by descriptors on a device
    /// without bufferDeviceAddress.
    std::optional<Abi> abi = {};
    /// What images and samplers are. Images::Hardware: kernels take Image::adopt() and no other images.
    Images images = Images::Memory;
    SpecValues spec_constants = {};  ///< for SPIR-V
};

struct ProgramResult;

/// A translated module on a device. A handle: copies are the same program. Thread-safe. A default-constructed
/// one is no program and good for assignment only.
class CALDERA_API Program {
 public:
    /// No program.
    Program() = default;
    /// Compiles OpenCL C for the device, translates and loads it. `file_name` is for messages and relative
    /// includes.
    static ProgramResult build(const Device& device, std::string_view source, const std::string& file_name,
                               const ProgramOptions& options = {});
    /// The same from OpenCL SPIR-V, of compile() or of any other compiler.
    static ProgramResult build(const Device& device, std::span<const uint32_t> opencl_words,
                               const ProgramOptions& options = {});
    /// Reads a file: SPIR-V when it begins with the magic number, else OpenCL C.
    static ProgramResult build_file(const Device& device, const std::string& path,
                                    const ProgramOptions& options = {});
    /// Loads what translate() made for this device's profile. Fails where Vulkan does.
    static Result<Program> load(const Device& device, const Translation& translation);

    /// Whether this is a program.
    explicit operator bool() const { return impl_ != nullptr; }
    /// The program's kernels and their arguments. The reference is valid as long as this object.
    const ProgramInterface& interface() const;
    /// The Vulkan SPIR-V. It lives as long as this object.
    std::span<const uint32_t> words() const;

 private:
    friend struct detail::Access;
    struct Impl;
    std::shared_ptr<Impl> impl_;
};

/// A program, or why there is none.
struct ProgramResult {
    Program program = {};                      ///< none where the build failed
    std::string log = {};                      ///< the diagnostics in clang's form, also of what succeeded
    std::vector<Diagnostic> diagnostics = {};  ///< the compiler's diagnostics as data
    /// Set where the source is not to blame: memory was short, or Vulkan failed.
    std::optional<Error> failure = {};
    /// Whether there is a program.
    explicit operator bool() const { return static_cast<bool>(program); }
};

}  // namespace caldera
