// SPDX-License-Identifier: Apache-2.0
// The interface of a program as text: JSON for tools in any language, and headers for C and C++ programs that
// embed the module.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "vulkan/interface.h"

namespace caldera::vulkan {

/// Abi::Descriptors: the number of storage buffers in a pipeline of the kernel. There is one for each
/// argument that is a pointer, a pipe or an image in memory, one each for printf, the device queue, private
/// memory and the data segment where the kernel has them, and one for an argument block that is one.
uint32_t storage_buffers(const ProgramInterface& interface, const Kernel& kernel);

/// JSON with the fields of reflection.h under the same names and in the same order. Fields that say nothing
/// are left out, and sets and bindings are added (docs/embedding.md). The data segment is in hexadecimal
/// digits.
std::string to_json(const ProgramInterface& interface);

/// A C11 and C++11 header with `NAME_words` (the module), a packed struct `NAME_KERNEL_arguments` for each
/// kernel's argument block, and macros for everything that a dispatch must set. `name` is turned into a C
/// identifier.
std::string to_c_header(const ProgramInterface& interface, std::span<const uint32_t> words,
                        std::string_view name);

/// The same header for C++17. In namespace NAME_kernels it has a struct KERNEL_kernel for each kernel: its
/// entry point's name, required size, bindings, and a struct `launch` with a typed field per argument.
/// Functions turn a `launch` into the argument block and the values of the specialisation constants for
/// Vulkan.
std::string to_cpp_header(const ProgramInterface& interface, std::span<const uint32_t> words,
                          std::string_view name);

}  // namespace caldera::vulkan
