// SPDX-License-Identifier: Apache-2.0
// Calls of printf, as OpenCL modules write them: OpExtInst of OpenCL.std with the format and the promoted arguments.
#pragma once

#include <string>

#include "spirv/builder.h"
#include "vulkan/translate/import/literal_strings.h"

namespace caldera::vulkan {

/// Operands of the call that are its arguments begin here; before them the set, the number and the format.
constexpr size_t kPrintfFormat = 2, kPrintfArguments = 3;

/// The id of OpenCL.std in the module; none when it is not imported.
spirv::Id opencl_std_of(const spirv::Module& module);
/// True for OpExtInst printf with a format; `opencl_std` may be none.
bool is_printf(const spirv::Instruction& inst, spirv::Id opencl_std);

/// True when such a call stands in the function.
bool prints(const spirv::Function& function, spirv::Id opencl_std);

/// Why the call cannot be translated; empty when it can. `strings` has entered the call's function.
std::string printf_fault(const spirv::Builder& builder, const LiteralStrings& strings,
                         const spirv::Instruction& call);

/// A float or half is promoted to double for printf (OpenCL C 6.13.13), which the host can do as well: takes it as it was, so that
/// printing a float does not need a device with doubles.
void take_printed_floats(spirv::Module& module);

}  // namespace caldera::vulkan
