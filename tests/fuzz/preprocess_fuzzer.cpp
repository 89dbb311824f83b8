// SPDX-License-Identifier: Apache-2.0
// -E on any bytes: lexer, directives, conditions, macros, pragmas and the rendering of what they report.
#include "tests/fuzz/fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace caldera;
    fuzz::Input input = fuzz::read_input(data, size);
    std::string text;
    fuzz::check_log(input, frontend::preprocess(input.source, "fuzz.cl", input.options, text));
    return 0;
}
