// SPDX-License-Identifier: Apache-2.0
// Reads mangled names of built-in functions, a line each, with the values of constant arguments, '-' for
// others. Prints those that BuiltinLibrary::define does not define. All that is defined has to be valid
// SPIR-V.
#include <iostream>
#include <sstream>

#include "builtins/builtin_library.h"
#include "spirv/spirv.h"

int main() {
    using namespace caldera;
    std::vector<vulkan::BuiltinRequest> requests;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        vulkan::BuiltinRequest& request = requests.emplace_back();
        words >> request.name;
        for (std::string value; words >> value;)
            request.constants.push_back(value == "-" ? std::nullopt : std::optional(std::stoull(value)));
    }
    const vulkan::BuiltinDefinitions made = builtin_library().define(requests);
    size_t missing = 0;
    for (size_t i = 0; i < requests.size(); ++i) {
        if (!made.names[i].empty()) continue;
        std::cout << requests[i].name << "\n";
        ++missing;
    }
    if (missing < requests.size())
        if (const auto sound = spirv::validate(made.words, spirv::Target::OpenCL22); !sound) {
            std::cerr << sound.error().message << "\n";
            return 2;
        }
    return missing == 0 ? 0 : 1;
}
