// SPDX-License-Identifier: Apache-2.0
// Output of kernels: text from the records in printf's buffer (vulkan/interface.h, PrintfFormat).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "vulkan/interface.h"

namespace caldera::runtime {

/// A piece of the output of one dispatch.
struct Printed {
    std::string_view text = {};
    bool is_last = false;  ///< no other piece of this dispatch follows
    /// the buffer was too small: the output of all later calls is lost, and they returned -1
    bool is_cut = false;
};
using PrintSink = std::function<void(const Printed&)>;
/// Writes to stdout. If text was lost, says so on stderr.
void print_to_stdout(const Printed& printed);

/// Holds the formats and strings by which print_records() reads a program's records.
struct PrintfTable {
    std::vector<vulkan::PrintfFormat> formats = {};
    std::vector<uint8_t> data_segment = {};
    /// address of the segment; 0 with descriptors, where offsets replace addresses
    uint64_t data_address = 0;
};

/// Passes the text of the records to the sink in order. A piece may hold several records, but is of limited
/// size. Only a piece that tells that text is lost may be empty.
void print_records(std::span<const uint32_t> buffer, const PrintfTable& table, const PrintSink& sink);

}  // namespace caldera::runtime
