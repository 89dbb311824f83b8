// SPDX-License-Identifier: Apache-2.0
// Calls of printf in OpenCL modules: OpExtInst of OpenCL.std with the format and the promoted arguments.
#pragma once

#include <string>

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "vulkan/translate/import/literal_strings.h"

namespace caldera::vulkan {

/// The index of the call's first argument. The set, the instruction number and the format precede it.
constexpr size_t kPrintfFormat = 2, kPrintfArguments = 3;

/// The id of OpenCL.std in the module; none if it is not imported.
spirv::Id opencl_std_of(const spirv::Module& module);
/// Whether an instruction is OpExtInst printf with a format. `opencl_std` may be none.
bool is_printf(const spirv::Instruction& inst, spirv::Id opencl_std);

/// Whether the function contains such a call.
bool prints(const spirv::Function& function, spirv::Id opencl_std);

/// Why the call cannot be translated; empty if it can. `strings` must have entered the call's function.
std::string printf_fault(const spirv::Builder& builder, const LiteralStrings& strings,
                         const spirv::Instruction& call);

/// Calls of a function that the module imports as "printf" become such instructions: llvm-spirv leaves calls
/// that are not variadic, as Julia makes them of a format alone.
void take_printf_imports(spirv::Module& module);

/// Removes those of `pointers` that nothing uses, and what only they are computed from: uses of formats and
/// literals would put these into the data segment. `pointers` grows by the latter.
void drop_unused_pointers(spirv::Function& function, spirv::IdSet& pointers);

/// Formats are the pointers themselves that take_relaxed_strings() has cast to pointers to constant memory.
/// The module is whole now, so their strings are found in any memory.
void drop_format_casts(spirv::Module& module);

/// printf promotes a float or half to double (OpenCL C 6.13.13), which the host can do as well. Passes the
/// original instead, so that printing a float does not require a device with doubles.
void take_printed_floats(spirv::Module& module);

}  // namespace caldera::vulkan
