// SPDX-License-Identifier: Apache-2.0
// What a command-line program gets from its system.
#pragma once

#include <string>
#include <vector>

namespace caldera {

/// The arguments after the program's name, in UTF-8.
std::vector<std::string> arguments(int argc, char** argv);

/// Standard input, output and errors carry the same bytes on every system: a module is no text.
void use_binary_streams();

}  // namespace caldera
