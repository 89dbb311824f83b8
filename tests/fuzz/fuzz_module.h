// SPDX-License-Identifier: Apache-2.0
// What the translator's fuzz target and its mutator share.
#pragma once

#include <cstdint>
#include <vector>

namespace caldera::fuzz {

/// An input that begins as a SPIR-V module does is one; anything else is OpenCL C (so that every test file is a seed), and
/// the module is the one that our front end makes of it. Empty when it makes none.
std::vector<uint32_t> module_of(const uint8_t* data, size_t size);

}  // namespace caldera::fuzz
