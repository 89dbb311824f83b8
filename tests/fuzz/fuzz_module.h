// SPDX-License-Identifier: Apache-2.0
// What the translator's fuzz target and its mutator share.
#pragma once

#include <cstdint>
#include <vector>

namespace caldera::fuzz {

/// The module that an input stands for. An input that begins with SPIR-V's magic number is itself the module.
/// Anything else is OpenCL C, so that every test file is a seed, and our front end compiles it. The result is
/// empty when that fails.
std::vector<uint32_t> module_of(const uint8_t* data, size_t size);

}  // namespace caldera::fuzz
