// SPDX-License-Identifier: Apache-2.0
// The interface of a program as text: for tools of other languages, and for C and C++ programs that embed the module.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "vulkan/interface.h"

namespace caldera::vulkan {

/// Abi::Descriptors: how many storage buffers a pipeline of the kernel has, one for each argument that is a pointer or a pipe, printf's
/// where it prints, and the program's data segment where there is one.
uint32_t storage_buffers(const ProgramInterface& interface, const Kernel& kernel);

/// JSON with every field of interface.h under its own name, in its order; the data segment as hexadecimal digits.
std::string to_json(const ProgramInterface& interface);

/// A C11 and C++11 header: `NAME_words` (the module), for each kernel a packed struct `NAME_KERNEL_arguments` that is its
/// argument block, and macros for what a dispatch must set. `name` is made a C identifier.
std::string to_c_header(const ProgramInterface& interface, std::span<const uint32_t> words,
                        std::string_view name);

/// The same header for C++17, and in namespace NAME_kernels for each kernel a struct KERNEL_kernel: its entry point's name, required
/// size, bindings, a struct `launch` with a typed field per argument, and functions that make of it what Vulkan wants, the
/// argument block and the values of the specialisation constants.
std::string to_cpp_header(const ProgramInterface& interface, std::span<const uint32_t> words,
                          std::string_view name);

}  // namespace caldera::vulkan
