// SPDX-License-Identifier: Apache-2.0
// Source text: files, macro expansions, and the map from a byte to file, line and column.
//
// One 32-bit offset space covers everything that was read: every file and every macro expansion has a range
// in it. So a location has four bytes, and identifies the macro that it comes from.
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

/// From the first byte of the first token to the end of the last one (exclusive).
struct SourceRange {
    SourceLoc begin = {};
    SourceLoc end = {};
    explicit operator bool() const { return static_cast<bool>(begin); }
    bool operator==(const SourceRange&) const = default;
};

/// A place as a user sees it. Lines and columns count from 1; columns count bytes, as in clang.
struct PresumedLoc {
    std::string_view file = {};  ///< after #line
    uint32_t line = 0;           ///< after #line
    uint32_t column = 0;
    std::string_view line_text = {};  ///< the physical line, without its newline
    SourceLoc included_from = {};     ///< the #include that brought this file, or nowhere
};

/// The text of a regular file; nullopt if it cannot be read.
std::optional<std::string> read_text_file(const std::string& path);

/// Owns the text of every file and records every macro expansion.
class SourceManager {
 public:
    SourceManager();
    ~SourceManager();
    SourceManager(const SourceManager&) = delete;
    SourceManager& operator=(const SourceManager&) = delete;

    /// Adds a file. The text does not move while the manager exists. Returns the location of the file's first
    /// byte, or nowhere if the offset space (4 GiB) is full.
    SourceLoc add_file(std::string name, std::string text, SourceLoc included_from = {});
    std::string_view file_text(SourceLoc in_file) const;  ///< the whole text of the file that holds it
    std::string_view file_name(SourceLoc in_file) const;

    /// Records that the expansion of macro `name` produced `spelled` (length bytes). The macro's use is from
    /// `expanded_at` to `expanded_end` (nowhere: the end of the name). Returns the new location of the first
    /// byte. Macro arguments keep the locations where they are written.
    SourceLoc add_expansion(SourceLoc spelled, uint32_t length, SourceLoc expanded_at,
                            std::string_view macro_name, SourceLoc expanded_end = {});
    bool is_macro(SourceLoc loc) const;
    SourceLoc spelling(SourceLoc loc) const;   ///< where the characters are written, outside any macro
    SourceLoc expansion(SourceLoc loc) const;  ///< where the outermost macro was named
    SourceLoc immediate_expansion(SourceLoc loc) const;      ///< one level of macro expansion outwards
    SourceLoc immediate_expansion_end(SourceLoc loc) const;  ///< the end of that use: after `)` or the name
    SourceLoc expansion_end(SourceLoc loc) const;            ///< where the use of the outermost macro ends
    SourceLoc immediate_spelling(SourceLoc loc) const;       ///< in the definition of that macro
    std::string_view macro_name(SourceLoc loc) const;

    /// Records that `#line number "file"` applies after `loc`. An empty file name keeps the name.
    void add_line_directive(SourceLoc loc, uint32_t line, std::string file);
    PresumedLoc presumed(SourceLoc loc) const;  ///< of the expansion point when in a macro

 private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace caldera::frontend
