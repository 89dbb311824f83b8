// SPDX-License-Identifier: Apache-2.0
// The open documents and their translation units.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/support/files.h"
#include "tools/language_server/json.h"
#include "tools/language_server/project.h"
#include "tools/language_server/unit.h"

namespace caldera::language_server {

/// A document that the client has open.
struct Document {
    std::string uri = {};   ///< as the client writes it
    std::string path = {};  ///< normal_path() of it
    int64_t version = 0;
    std::string text = {};
    std::unique_ptr<Unit> unit = nullptr;  ///< of this text; null until it is needed
    bool is_new = true;                    ///< its diagnostics were not published
};

class Workspace {
 public:
    explicit Workspace(ReadOptions read) : project_(std::move(read)) {}

    Document* find(std::string_view uri);
    void open(Document document);
    void close(std::string_view uri);
    /// Applies changes as the protocol has them: each to the result of those before it. False if the text is
    /// as it was, because no change was well-formed.
    bool change(Document& document, const Json& changes);
    /// Other documents may have read this file: their units are dropped.
    void file_changed(const std::string& path);
    /// Every file may have changed: options and headers.
    void forget_files();

    const Unit& unit(Document& document);
    /// The unit of a text that is not the document's, with the document's options.
    std::unique_ptr<Unit> unit_of(const std::string& path, std::string_view text) {
        return unit_of(path, text, [this](const std::string& name) { return read(name); });
    }
    /// The same where included files have other texts.
    std::unique_ptr<Unit> unit_of(const std::string& path, std::string_view text, const ReadFile& read);
    /// The text of a file as the editor has it, or as the disk has it.
    std::optional<std::string> read(const std::string& path) const;
    /// The URI of a file as the client writes it, if it has the file open.
    std::string uri(const std::string& path) const;

    std::map<std::string, Document>& documents() { return documents_; }
    Project& project() { return project_; }

    std::vector<std::string> folders = {};  ///< of the client, as paths

 private:
    std::map<std::string, Document> documents_ = {};  // by path
    Project project_;
};

Json to_json(const Position& position);
Json to_json(const Range& range);
Position position_from(const Json& value);
Range range_from(const Json& value);
/// { uri, range }
Json location(const Workspace& workspace, const Unit& unit, const Place& place);

}  // namespace caldera::language_server
