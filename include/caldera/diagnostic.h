// SPDX-License-Identifier: Apache-2.0
/// @file
/// Diagnostic: what the compiler says about a place in the source, as data.
#pragma once

#include <cstdint>
#include <string>

namespace caldera {

/// How grave a diagnostic is.
enum class Severity : uint8_t {
    Note,     ///< belongs to the warning or error before it
    Warning,  ///< the source compiles all the same
    Error,    ///< the source does not compile
};

/// One message of the compiler. `CompileResult::log` shows the same with the source line and a caret.
struct Diagnostic {
    Severity severity = Severity::Error;  ///< how grave it is
    std::string file = {};                ///< the name after `#line`, empty where the message has no place
    uint32_t line = 0;                    ///< from 1, after `#line`; 0 where the message has no place
    uint32_t column = 0;                  ///< in bytes from 1
    std::string text = {};                ///< one sentence in lower case without a full stop
    std::string flag = {};  ///< the option that controls a warning ("-Wunused-variable"), else empty
    /// Whether two diagnostics say the same of the same place.
    bool operator==(const Diagnostic&) const = default;
};

}  // namespace caldera
