// SPDX-License-Identifier: Apache-2.0
// Source text: files, macro expansions, and the map from a byte to file, line and column.
//
// One 32-bit offset space covers everything that was read: every file and every macro expansion owns a
// stretch of it, so a location is four bytes and knows whether it came out of a macro.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace caldera::frontend {

/// A byte in the offset space. 0 is "nowhere".
struct SourceLoc {
    uint32_t offset = 0;
    explicit operator bool() const { return offset != 0; }
    bool operator==(const SourceLoc&) const = default;
};

/// From the first byte of the first token up to the end of the last one (exclusive).
struct SourceRange {
    SourceLoc begin = {};
    SourceLoc end = {};
    explicit operator bool() const { return static_cast<bool>(begin); }
    bool operator==(const SourceRange&) const = default;
};

/// What a person calls a place. Lines and columns count from 1; columns count bytes, as clang's do.
struct PresumedLoc {
    std::string_view file = {};  ///< after #line
    uint32_t line = 0;           ///< after #line
    uint32_t column = 0;
    std::string_view line_text = {};  ///< the physical line, without its newline
    SourceLoc included_from = {};     ///< the #include that brought this file, or nowhere
};

/// The text of a regular file; nullopt when there is none that can be read.
std::optional<std::string> read_text_file(const std::string& path);

/// Owns the text of every file and the record of every macro expansion.
class SourceManager {
 public:
    SourceManager();
    ~SourceManager();
    SourceManager(const SourceManager&) = delete;
    SourceManager& operator=(const SourceManager&) = delete;

    /// Adds a file; the text stays put until the manager dies. Returns the location of its first byte, or
    /// nowhere when the offset space (4 GiB) is full.
    SourceLoc add_file(std::string name, std::string text, SourceLoc included_from = {});
    std::string_view file_text(SourceLoc in_file) const;  ///< the whole text of the file that holds it
    std::string_view file_name(SourceLoc in_file) const;

    /// Records that `spelled` (length bytes) was put in by the expansion of macro `name`, whose use stands from
    /// `expanded_at` to `expanded_end` (nowhere: the end of the name); returns the location that its first byte has
    /// from now on. Arguments of a macro keep the location that they have where they are written.
    SourceLoc add_expansion(SourceLoc spelled, uint32_t length, SourceLoc expanded_at,
                            std::string_view macro_name, SourceLoc expanded_end = {});
    bool is_macro(SourceLoc loc) const;
    SourceLoc spelling(SourceLoc loc) const;                 ///< where the characters stand, out of any macro
    SourceLoc expansion(SourceLoc loc) const;                ///< where the outermost macro was named
    SourceLoc immediate_expansion(SourceLoc loc) const;      ///< one macro outwards
    SourceLoc immediate_expansion_end(SourceLoc loc) const;  ///< where that use ends: past `)` or the name
    SourceLoc immediate_spelling(SourceLoc loc) const;       ///< in the definition of that macro
    std::string_view macro_name(SourceLoc loc) const;

    /// Records `#line number "file"` in force after `loc`; an empty file keeps the name.
    void add_line_directive(SourceLoc loc, uint32_t line, std::string file);
    PresumedLoc presumed(SourceLoc loc) const;  ///< of the expansion point when in a macro

 private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace caldera::frontend
