// SPDX-License-Identifier: Apache-2.0
// Expresses OpenCL.std in GLSL.std.450 and core instructions, by the chapters of the specification.
#pragma once

#include <spirv/unified1/OpenCL.std.h>

#include "vulkan/translate/support/code.h"

namespace caldera::vulkan {

using OpenclStd = OpenCLLIB::Entrypoints;

/// One OpenCL.std instruction: result type and arguments, whose types are already Vulkan's.
struct OpenclCall {
    OpenclStd instruction = {};
    spirv::Id type = {};
    std::vector<spirv::Id> args = {};
};

// Each returns the value, or none if the instruction is not in its chapter or only the library has it.
std::optional<spirv::Id> lower_math(Code& code, const OpenclCall& call);       // OpenCL C 3.0 6.15.2
std::optional<spirv::Id> lower_integer(Code& code, const OpenclCall& call);    // 6.15.3
std::optional<spirv::Id> lower_common(Code& code, const OpenclCall& call);     // 6.15.4
std::optional<spirv::Id> lower_geometric(Code& code, const OpenclCall& call);  // 6.15.5
std::optional<spirv::Id> lower_vector(Code& code,
                                      const OpenclCall& call);  // 6.15.6 bitselect, select; 6.15.14 shuffle

/// The high half of the product of two integers of the same type.
spirv::Id multiply_high(Code& code, spirv::Id a, spirv::Id b, bool is_signed);
spirv::Id add_saturated(Code& code, spirv::Id a, spirv::Id b, bool is_signed);
spirv::Id count_bits(Code& code, spirv::Id a);
spirv::Id reverse_bits(Code& code, spirv::Id a);
/// OpBitFieldInsert, OpBitFieldSExtract and OpBitFieldUExtract, which Vulkan has only for 32 bits.
spirv::Id insert_bits(Code& code, spirv::Id base, spirv::Id insert, spirv::Id offset, spirv::Id count);
spirv::Id extract_bits(Code& code, spirv::Id base, spirv::Id offset, spirv::Id count, bool is_signed);

}  // namespace caldera::vulkan
