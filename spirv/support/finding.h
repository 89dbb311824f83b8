// SPDX-License-Identifier: Apache-2.0
// A finding: what a compiler or a checker says about a place, as data that other programs read.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace caldera {

/// A position in a text, as each kind of reader counts. All count from 1; 0 is "not known".
struct TextPosition {
    uint32_t line = 0;
    uint32_t byte = 0;       ///< in the line's UTF-8
    uint32_t character = 0;  ///< code points; bytes that are no UTF-8 count one each
    uint32_t cell = 0;       ///< where a terminal shows it, with a tab stop at every eighth
    bool operator==(const TextPosition&) const = default;
};

/// A stretch of a file. `end` is the first position behind it; an empty stretch is a place between two bytes.
/// Without lines, it is the bytes [offset, offset + length) of a file that is no text, or the whole file.
struct TextRange {
    std::string file = {};  ///< empty: nowhere
    TextPosition begin = {}, end = {};
    uint64_t offset = 0, length = 0;
    bool operator==(const TextRange&) const = default;
};

struct Finding {
    enum class Level : uint8_t { Note, Warning, Error, FatalError };
    struct Note {
        TextRange place = {};
        std::string text = {};
        bool operator==(const Note&) const = default;
    };
    struct Edit {
        TextRange replace = {};
        std::string text = {};
        bool operator==(const Edit&) const = default;
    };

    Level level = Level::Error;
    std::string text = {};  ///< one sentence in lower case without a full stop
    std::string rule =
        {};  ///< "-Wunused-variable", or the id of a rule of Vulkan's; empty where it has no name
    bool is_promoted = false;  ///< a warning that -Werror made an error
    std::string hint = {};     ///< a sentence that says what to do, or empty
    TextRange place = {};
    std::vector<TextRange> highlights = {};     ///< further stretches that matter
    std::vector<Note> notes = {};               ///< other places, in the order in which they are read
    std::vector<Edit> edits = {};               ///< all of them together mend the text
    std::vector<TextRange> included_from = {};  ///< the #include that brought the file first, then its own
    /// More that is known, such as {"instruction", "%5 = OpIAdd %uint %3 %4"}.
    std::vector<std::pair<std::string, std::string>> properties = {};
    bool operator==(const Finding&) const = default;
};

}  // namespace caldera
