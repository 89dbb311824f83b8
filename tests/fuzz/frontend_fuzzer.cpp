// SPDX-License-Identifier: Apache-2.0
// The whole front end on any bytes: what it accepts must be valid SPIR-V for its environment, what it refuses must
// have an error.
#include "tests/fuzz/fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace caldera;
    fuzz::Input input = fuzz::read_input(data, size);
    frontend::CompileResult result = frontend::compile(input.source, "fuzz.cl", input.options);
    fuzz::check_log(input, result);
    if (result.words.empty() == (result.errors == 0))
        fuzz::finding("words and errors disagree:\n" + result.log);
    if (result.words.empty()) return 0;
    if (Result<Done> valid = spirv::validate(result.words, input.options.target); !valid)
        fuzz::finding("invalid module: " + valid.error().message);
    return 0;
}
