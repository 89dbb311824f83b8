// SPDX-License-Identifier: Apache-2.0
// HostArray: elements of one type in host memory, from literals, ranges, random numbers, raw and .npy files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/support/result.h"

namespace caldera::tools {

enum class Element : uint8_t { I8, U8, I16, U16, I32, U32, I64, U64, F16, F32, F64 };

uint32_t size_bytes(Element element);
std::string_view name(Element element);  ///< "f32"
/// "f32", or OpenCL C's "float", "atomic_float" or "size_t".
bool parse_element(std::string_view text, Element& element);

/// Whether a kernel whose elements are `wanted` gets other numbers of an array of `given`. Bytes are for any.
bool reads_as_other(Element given, Element wanted);

/// The parts between separators: one more than there are separators.
std::vector<std::string_view> split(std::string_view text, char separator);
/// Parses a number of the given type into bytes; the error quotes the text.
Result<std::vector<std::byte>> parse_number(Element element, std::string_view text);

struct HostArray {
    Element element = Element::F32;
    std::vector<uint64_t> shape = {};
    std::vector<std::byte> bytes = {};

    uint64_t count() const { return bytes.size() / size_bytes(element); }
    std::string text(
        uint64_t index) const;  ///< one element as a person writes it; floats shortest round-trip
};

/// The buffer syntax of clrun's --arg, without an element type of its own: `element` is the kernel's.
///   [TYPE]:1,2,3        literals                  [TYPE][N]             N zeros
///   [TYPE][N]:=VALUE    N times VALUE             [TYPE][N]:range       0, 1, 2, … or :range(START,STEP)
///   [TYPE][N]:random    in [0,1) or the type's full range; :random(SEED)
///   @FILE.npy, @FILE    a NumPy array, or raw bytes of TYPE
Result<HostArray> parse_array(Element element, std::string_view text);

Result<HostArray> load_npy(const std::string& path);
/// Writes NumPy's format 1.0 if the name ends in .npy, otherwise raw bytes.
Result<Done> save(const HostArray& array, const std::string& path);

}  // namespace caldera::tools
