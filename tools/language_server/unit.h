// SPDX-License-Identifier: Apache-2.0
// A translation unit as an editor sees it: its files, and the names in them by their places.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/analyze.h"
#include "tools/language_server/text.h"

namespace caldera::language_server {

/// Bytes of a file of the unit; file 0 is the main one.
struct Place {
    size_t file = 0;
    size_t begin = 0, end = 0;
    bool operator==(const Place&) const = default;
};

/// What a name means: the same entity has the same value throughout a unit.
struct Entity {
    enum class Kind : uint8_t { None, Decl, Label, Builtin, Macro } kind = Kind::None;
    const void* id = nullptr;    ///< of a declaration or label: the one that counts of several
    std::string_view name = {};  ///< of a built-in
    uint32_t definition = 0;     ///< of a macro: where it is defined
    explicit operator bool() const { return kind != Kind::None; }
    bool operator==(const Entity&) const = default;
};

/// A name at its place.
struct Name {
    Place place = {};
    Entity entity = {};
    const frontend::Mention* mention = nullptr;     ///< of all but macros
    const frontend::MacroMention* macro = nullptr;  ///< of a macro
    bool declares = false;                          ///< here it is declared or defined
};

class Unit {
 public:
    Unit(const std::string& path, std::string_view text, const frontend::CompileOptions& options);

    struct File {
        std::string path = {};
        std::string_view text = {};
        LineTable lines;
    };
    const frontend::Analysis& analysis() const { return analysis_; }
    const std::vector<File>& files() const { return files_; }
    const File& main() const { return files_[0]; }

    /// Where the range is written: that of a name in a macro's replacement list is there, that of an argument
    /// where it stands. Nothing where a macro put the range together.
    std::optional<Place> spelled(frontend::SourceRange range) const;
    /// Where the range is as the compiler shows it: macros count where they are used.
    std::optional<Place> expanded(frontend::SourceRange range) const;
    /// Where the main file includes the file of this place, directly or not; else the place itself.
    Place in_main(Place place, frontend::SourceLoc loc) const;
    Range range(const Place& place) const { return files_[place.file].lines.range(place.begin, place.end); }
    std::string_view text(const Place& place) const {
        return files_[place.file].text.substr(place.begin, place.end - place.begin);
    }

    /// By place; each place occurs once.
    const std::vector<Name>& names() const { return names_; }
    /// The name that the offset is in or at the end of; null if there is none.
    const Name* name_at(size_t file, size_t offset) const;
    /// The declaration of the unit whose range has the offset in the main file, or the last one before it.
    const frontend::Decl* decl_at(size_t offset) const;

    /// The place of the name in the declaration, the definition rather than others.
    std::optional<Place> definition(const Name& name) const;
    std::optional<Place> declaration(const Name& name) const;
    /// The #include at the offset of the main file, as the index of the file that it brings in.
    std::optional<size_t> included_at(size_t file, size_t offset) const;

 private:
    std::optional<Place> place(frontend::SourceLoc begin, frontend::SourceLoc end) const;
    void find_files();
    void find_names();

    frontend::Analysis analysis_;
    std::vector<File> files_ = {};
    struct Entered {  // each time that a file was read
        uint32_t start = 0, size = 0;
        size_t file = 0;
        frontend::SourceLoc included_from = {};
    };
    std::vector<Entered> entered_ = {};
    std::vector<Name> names_ = {};
};

/// The declaration that counts: the first of a function, the object of several declarations, the type of all
/// mentions of a tag.
const void* identity(const frontend::Decl& decl);

}  // namespace caldera::language_server
