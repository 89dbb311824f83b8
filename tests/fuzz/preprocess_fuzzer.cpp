// SPDX-License-Identifier: Apache-2.0
// -E on any bytes: lexer, directives, conditions, macros, pragmas and the rendering of what they report.
#include "tests/fuzz/fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace caldera;
    const fuzz::Input input = fuzz::read_input(data, size);
    for (const std::string& source : input.sources) {
        std::string text;
        fuzz::check_result(source,
                           frontend::preprocess(source, "fuzz.cl", input.options, text, input.colour));
    }
    return 0;
}
