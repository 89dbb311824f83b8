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

/// A request about a document, and the member of the capabilities that announces it.
struct FeatureRow {
    std::string_view method;
    Feature feature;
    std::string_view capability;
    Json (*options)();  ///< the value of the capability
};
std::span<const FeatureRow> features();

}  // namespace caldera::language_server
