// SPDX-License-Identifier: Apache-2.0
#include "tools/language_server/features.h"

namespace caldera::language_server {
namespace {

Json yes() { return true; }
Json completion_options() { return {{"triggerCharacters", {".", ">", "#"}}}; }
Json signature_options() { return {{"triggerCharacters", {"(", ","}}}; }
Json rename_options() { return {{"prepareProvider", true}}; }
Json action_options() { return {{"codeActionKinds", {"quickfix"}}}; }

constexpr FeatureRow kFeatures[] = {
    {"textDocument/hover", hover, "hoverProvider", yes},
    {"textDocument/completion", completion, "completionProvider", completion_options},
    {"textDocument/signatureHelp", signature_help, "signatureHelpProvider", signature_options},
    {"textDocument/definition", definition, "definitionProvider", yes},
    {"textDocument/declaration", declaration, "declarationProvider", yes},
    {"textDocument/references", references, "referencesProvider", yes},
    {"textDocument/documentHighlight", document_highlight, "documentHighlightProvider", yes},
    {"textDocument/prepareRename", prepare_rename, "renameProvider", rename_options},
    {"textDocument/rename", rename, "renameProvider", rename_options},
    {"textDocument/documentSymbol", document_symbol, "documentSymbolProvider", yes},
    {"textDocument/semanticTokens/full", semantic_tokens, "semanticTokensProvider", semantic_tokens_options},
    {"textDocument/inlayHint", inlay_hints, "inlayHintProvider", yes},
    {"textDocument/foldingRange", folding_ranges, "foldingRangeProvider", yes},
    {"textDocument/codeAction", code_actions, "codeActionProvider", action_options},
    {"textDocument/formatting", formatting, "documentFormattingProvider", yes},
};

}  // namespace

std::span<const FeatureRow> features() { return kFeatures; }

}  // namespace caldera::language_server
