// SPDX-License-Identifier: Apache-2.0
// What kernels print: text made of the records in printf's buffer (vulkan/interface.h, PrintfFormat).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "vulkan/interface.h"

namespace caldera::runtime {

/// A piece of what one dispatch printed.
struct Printed {
    std::string_view text = {};
    bool is_cut =
        false;  ///< the buffer was too small: what calls printed after this is lost, they returned -1
};
using PrintSink = std::function<void(const Printed&)>;
/// Writes to stdout, and to stderr that text is lost.
void print_to_stdout(const Printed& printed);

/// What tells the meaning of a program's records.
struct PrintfTable {
    std::vector<vulkan::PrintfFormat> formats = {};
    std::vector<uint8_t> data_segment = {};
    uint64_t data_address =
        0;  ///< of the segment; 0 with descriptors, where offsets take the place of addresses
};

/// Gives the sink the text of each record in turn; some at once, in pieces that are not huge.
void print_records(std::span<const uint32_t> buffer, const PrintfTable& table, const PrintSink& sink);

}  // namespace caldera::runtime
