// SPDX-License-Identifier: Apache-2.0
// What the server answers about documents: a function for each request, and the row that announces it.
#pragma once

#include <span>
#include <string_view>

#include "spirv/support/result.h"
#include "tools/language_server/workspace.h"

namespace caldera::language_server {

/// What a request is about.
struct Query {
    Workspace& workspace;
    Document& document;
    const Json& params;  ///< of the request

    const Unit& unit() const { return workspace.unit(document); }
    /// The byte of the text that params.position names.
    size_t offset() const {
        return LineTable(document.text).offset(position_from(member(params, "position")));
    }
};

using Feature = Result<Json> (*)(const Query& query);

/// Diagnostics in the main file, as the protocol has them. Those of headers stand at their #include.
Json diagnostics(const Workspace& workspace, const Unit& unit);

// A function for each request, by file. The results are as the protocol has them; null or an empty array
// where there is nothing to answer.
// ---- hover.cpp ----
Result<Json> hover(const Query& query);
// ---- completion.cpp ----
Result<Json> completion(const Query& query);
Result<Json> signature_help(const Query& query);
// ---- navigation.cpp ----
Result<Json> definition(const Query& query);
Result<Json> declaration(const Query& query);
Result<Json> references(const Query& query);
Result<Json> document_highlight(const Query& query);
Result<Json> prepare_rename(const Query& query);
Result<Json> rename(const Query& query);
Result<Json> document_symbol(const Query& query);
// ---- presentation.cpp ----
Json semantic_tokens_options();
Result<Json> semantic_tokens(const Query& query);
Result<Json> inlay_hints(const Query& query);
Result<Json> folding_ranges(const Query& query);
// ---- edits.cpp ----
Result<Json> code_actions(const Query& query);
Result<Json> formatting(const Query& query);  ///< fails where there is no clang-format

/// A request about a document, and the member of the capabilities that announces it.
struct FeatureRow {
    std::string_view method;
    Feature feature;
    std::string_view capability;
    Json (*options)();  ///< the value of the capability
};
std::span<const FeatureRow> features();

}  // namespace caldera::language_server
