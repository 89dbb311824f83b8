// SPDX-License-Identifier: Apache-2.0
/// @file
/// CheckOptions: which faults of kernels a device looks for, and FaultReport: one that it found.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace caldera {

/// A fault of a kernel at a place of its source. The first one at a place is reported, and when the program
/// is released, how many there were in all if there were more.
struct FaultReport {
    std::string kind = {};                   ///< a word of CheckOptions::kinds
    std::string file = {};                   ///< as compile() was given its name; empty if not known
    uint32_t line = 0;                       ///< from 1 on; 0 if not known
    uint32_t column = 0;                     ///< from 1 on, in bytes
    std::string kernel = {};                 ///< the kernel that was launched
    std::string function = {};               ///< the function that the place is in, perhaps the kernel
    std::array<uint64_t, 3> global_id = {};  ///< of the first work-item at fault
    std::string where = {};                  ///< what is wrong, for people: where an address lies, or why
    uint64_t count = 0;                      ///< how many faults the place has had so far
    uint64_t reported_before = 0;            ///< how many of them the first report counted; 0: this is it
    std::string text = {};                   ///< all of it, as stderr would have it, with the last newline
    std::string json = {};                   ///< one object in a line, as of CALDERA_CHECK_FORMAT=json
};

/// What the kernels of a device are checked for, by addresses only: other programs are declined when they are
/// built. What is set here is stronger than the environment. What is not is as the environment says. A
/// mistake in the environment's variables is an error all the same.
struct CheckOptions {
    /// The kinds of faults that are reported, as CALDERA_CHECK has them: "bounds,races". Empty: none. One
    /// that is not known is an error.
    std::optional<std::string> kinds = {};
    /// Kernels reach nothing but what they were given, as with CALDERA_ROBUST=1.
    std::optional<bool> robust = {};
    /// How often a loop may turn, at most 4,294,967,294. 0: as CALDERA_CHECK_LOOPS says. One that turns more
    /// often ends. With the kind "loops" it is reported too; without that, `robust` is needed.
    uint32_t loop_turns = 0;
    /// Receives each report. It is called in the thread and by the call that finds a command complete or
    /// releases a program, before that call returns. So several threads may be in it at once. Caldera holds
    /// no lock then, and the function may call it, also with the same queue; what such calls find follows
    /// when the function has returned. What it throws is dropped. With a function, nothing goes to stderr. A
    /// file of CALDERA_CHECK_FILE gets the reports too. The function lives as long as the device.
    std::function<void(const FaultReport&)> on_fault = {};
};

}  // namespace caldera
