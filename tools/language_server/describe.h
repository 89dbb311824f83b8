// SPDX-License-Identifier: Apache-2.0
// Declarations and types as a kernel's author writes them, and sentences about built-in functions.
#pragma once

#include <string>
#include <string_view>

#include "frontend/ast/ast.h"
#include "frontend/builtin/builtin.h"

namespace caldera::language_server {

/// "global const float *", without the underscores that diagnostics have.
std::string type_text(const frontend::QualType& type);
/// "local float tile[64]"; an empty name leaves the type.
std::string declared(const frontend::QualType& type, std::string_view name);
/// A variable or a parameter with this type: "size_t i".
std::string parameter_text(const frontend::VarDecl& variable, const frontend::QualType& type);
/// "kernel void scale(global float *out, float factor)", "struct s", "typedef float4 colour", ...
std::string declaration_text(const frontend::Decl& decl);
/// "8 bytes, aligned to 8"; empty for types without a size.
std::string size_text(const frontend::QualType& type);
/// "parameter", "variable in local memory", ...
std::string kind_text(const frontend::Decl& decl);

/// "gentype fmax(gentype, sgentype)".
std::string prototype_text(std::string_view name, const frontend::builtin::Prototype& prototype);
/// "float4 fmax(float4, float4)": what a call chose.
std::string resolution_text(const frontend::builtin::Resolution& resolution);
/// What a built-in function does, a sentence; empty for a name that is none.
std::string_view sentence(std::string_view name);

}  // namespace caldera::language_server
