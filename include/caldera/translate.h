// SPDX-License-Identifier: Apache-2.0
/// @file
/// translate(): OpenCL SPIR-V of any compiler to Vulkan SPIR-V and its reflection. It needs no device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "caldera/api.h"
#include "caldera/profile.h"
#include "caldera/reflection.h"
#include "caldera/result.h"

namespace caldera {

/// Values of a module's own specialisation constants: the bytes of a scalar by SpecId, in the host's byte
/// order. Constants that are not here keep their defaults.
using SpecValues = std::map<uint32_t, std::vector<std::byte>>;

/// How a module is translated.
struct TranslateOptions {
    /// The Vulkan version of the module. The profile should take it: see DeviceProfile::newest_target().
    Target target = Target::Vulkan12;
    /// The device that the module is for; without one what the target promises.
    std::optional<DeviceProfile> profile = {};
    Abi abi = Abi::Addresses;  ///< how kernels reach global and constant memory
    /// Abi::Descriptors: the place of argument blocks. PushConstants: a UniformBuffer where they do not fit.
    /// Buffer is an error.
    ArgumentBlock value_arguments = ArgumentBlock::PushConstants;
    /// Abi::Descriptors: constants of program scope are part of the module where they can be, which needs no
    /// buffer of the host: constants without pointers, at most 16 KiB together, to which no pointer is
    /// stored, converted to an integer, or mixed with pointers into arguments. All others are in the data
    /// segment. With addresses, the segment has all.
    bool constants_in_module = false;
    /// What images and samplers are. None: Hardware with Abi::Descriptors, which has no other, else Memory.
    std::optional<Images> images = {};
    /// Images::Hardware: the formats of storage images, as GLSL names them (rgba8, r32ui and so on), at most
    /// one each for floats, signed and unsigned integers. Without one, the host chooses, which needs features
    /// of the device. Names that are unknown do nothing.
    std::vector<std::string> storage_formats = {};
    /// The options that the source was compiled with, in the same form as CompileOptions::options. Those that
    /// concern the translation count (-cl-fast-relaxed-math, -cl-denorms-are-zero, -ffp-contract=, -O2 and so
    /// on), all others do nothing here.
    std::string options = {};
    /// Each dispatch is a whole NDRange without an offset: work-item functions then need no hidden arguments,
    /// and get_work_dim() is a specialisation constant. Programs that dispatch clspv's modules expect that.
    /// Queue::dispatch() declines other ranges: with an offset, with smaller work-groups at the edge, or of
    /// more than one vkCmdDispatch.
    bool simple_ndrange = false;
    /// The module says how it is called in instructions of NonSemantic.ClspvReflection. A device older than
    /// Vulkan 1.3 takes such a module only with VK_KHR_shader_non_semantic_info.
    bool clspv_reflection = false;
    SpecValues spec_constants = {};  ///< values of the module's own specialisation constants
};

/// A translated module.
struct Translation {
    std::vector<uint32_t> words = {};  ///< Vulkan SPIR-V, an entry point for each kernel
    ProgramInterface interface = {};   ///< how they are called
};

/// Translates a whole module. Thread-safe. Nothing is thrown: a fault of Caldera itself becomes an error that
/// says so. A module that is not valid, or that needs what Vulkan or the device does not have, is declined
/// with a sentence that names the kernel and the feature. Words that are no SPIR-V do no harm.
CALDERA_API Result<Translation> translate(std::span<const uint32_t> opencl_words,
                                          const TranslateOptions& options = {});

/// Whether a module is valid for Vulkan, as spirv-val judges. The error is its message and the instruction.
/// Thread-safe.
CALDERA_API Result<Done> validate(std::span<const uint32_t> vulkan_words, Target target);

/// A module as assembly text, as spirv-dis prints it. Thread-safe.
CALDERA_API Result<std::string> disassemble(std::span<const uint32_t> words);

/// How many storage buffers a pipeline of the kernel has with Abi::Descriptors: one for each argument that is
/// a pointer, a pipe or an image in memory, printf's where it prints, the device queue's where it enqueues,
/// that for private memory where it needs one, the data segment's where there is one, and that of an argument
/// block. Thread-safe.
CALDERA_API uint32_t storage_buffers(const ProgramInterface& interface, const KernelInterface& kernel);

/// JSON with the fields of reflection.h under their own names, in its order. Enumerators and bits are words,
/// the data segment is hexadecimal digits, and fields that say nothing are left out. It also has what
/// reflection.h says by constants, and storage_buffers(): docs/embedding.md lists these. Thread-safe.
CALDERA_API std::string to_json(const ProgramInterface& interface);

/// A C11 and C++11 header: `NAME_words` (the module), for each kernel a packed struct `NAME_KERNEL_arguments`
/// that is its argument block, and macros for what a dispatch must set. `name` is made a C identifier.
/// Thread-safe.
CALDERA_API std::string to_c_header(const ProgramInterface& interface, std::span<const uint32_t> words,
                                    std::string_view name);

/// The same header for C++17, and in namespace NAME_kernels for each kernel a struct KERNEL_kernel: its entry
/// point's name, required size, bindings, a struct `launch` with a typed field per argument, and functions
/// that make of it what Vulkan wants, the argument block and the values of the specialisation constants.
/// Thread-safe.
CALDERA_API std::string to_cpp_header(const ProgramInterface& interface, std::span<const uint32_t> words,
                                      std::string_view name);

/// The text that a dispatch has printed.
struct PrintedText {
    std::string text = {};  ///< what fits into the buffer
    /// The buffer was too small: what calls printed after the text is lost, and they returned -1.
    bool is_cut = false;
};

/// The text of the records that a dispatch left in printf's buffer, by C's rules in the C locale (OpenCL
/// C 6.13.13). For hosts with their own Vulkan code. `buffer` is the whole buffer. `data_segment_address` is
/// where the data segment lies on the device, 0 with Abi::Descriptors. Records that make no sense end the
/// text. Thread-safe.
CALDERA_API PrintedText printed_text(const ProgramInterface& interface, std::span<const uint32_t> buffer,
                                     uint64_t data_segment_address);

}  // namespace caldera
