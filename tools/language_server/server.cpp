// SPDX-License-Identifier: Apache-2.0
#include "tools/language_server/server.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "caldera/version.h"
#include "tools/language_server/features.h"
#include "tools/language_server/uri.h"

namespace caldera::language_server {
namespace {

// JSON-RPC 2.0 and LSP 3.17
constexpr int kParseError = -32700, kInvalidRequest = -32600, kMethodNotFound = -32601,
              kInvalidParams = -32602, kInternalError = -32603, kNotInitialized = -32002,
              kRequestFailed = -32803, kRequestCancelled = -32800;

constexpr int kIncrementalSync = 2;

std::vector<std::string> texts_of(const Json& array) {
    std::vector<std::string> texts;
    if (array.is_array())
        for (const Json& text : array) texts.push_back(text_of(text));
    return texts;
}

bool is_id(const Json& id) { return id.is_string() || id.is_number_integer(); }

}  // namespace

Server::Server(ReadOptions read_options, std::function<void(const Json&)> send)
    : workspace_(std::move(read_options)), send_(std::move(send)) {}

void Server::reply(const Json& id, Json result) {
    send_({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}
void Server::fail(const Json& id, int code, const std::string& message) {
    send_({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}});
}
void Server::notify(const std::string& method, Json params) {
    send_({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

void Server::handle(const Json& message, bool cancelled) {
    if (message.is_discarded()) return fail(nullptr, kParseError, "the message is no JSON");
    const Json& method = member(message, "method");
    const bool has_id = message.is_object() && message.contains("id");
    if (!method.is_string()) {
        const bool is_reply = has_id && (message.contains("result") || message.contains("error"));
        if (!is_reply) fail(nullptr, kInvalidRequest, "the message is no request");
        return;
    }
    const Json& id = member(message, "id");
    if (has_id && !is_id(id))
        return fail(nullptr, kInvalidRequest, "the id is neither a number nor a string");
    try {
        if (!has_id)
            notification(method.get<std::string>(), member(message, "params"));
        else if (cancelled)
            fail(id, kRequestCancelled, "cancelled");
        else
            request(method.get<std::string>(), id, member(message, "params"));
    } catch (const std::exception& fault) {  // a bug of ours, or no memory
        if (has_id) fail(id, kInternalError, fault.what());
    }
}

void Server::request(const std::string& method, const Json& id, const Json& params) {
    if (method == "initialize") {
        if (initialized_) return fail(id, kInvalidRequest, "the server is initialized already");
        return reply(id, initialize(params));
    }
    if (!initialized_) return fail(id, kNotInitialized, "the first request is 'initialize'");
    if (shut_down_) return fail(id, kInvalidRequest, "the server was shut down");
    if (method == "shutdown") {
        shut_down_ = true;
        return reply(id, nullptr);
    }
    const auto row = std::ranges::find(features(), method, &FeatureRow::method);
    if (row == features().end()) return fail(id, kMethodNotFound, "no method '" + method + "'");
    Document* document = workspace_.find(text_of(member(params, "textDocument", "uri")));
    if (!document) return fail(id, kInvalidParams, "the document is not open");
    Result<Json> result = row->feature({workspace_, *document, params});
    if (result)
        reply(id, result.take());
    else
        fail(id, kRequestFailed, result.error().message);
}

void Server::notification(const std::string& method, const Json& params) {
    if (method == "exit") {
        exited_ = true;
        return;
    }
    if (!initialized_ || shut_down_) return;
    if (method == "textDocument/didOpen") return open(params);
    if (method == "textDocument/didChange") return change(params);
    if (method == "textDocument/didClose") return close(params);
    if (method == "initialized") return watch_files();
    if (method == "workspace/didChangeWorkspaceFolders") return change_folders(member(params, "event"));
    if (method == "textDocument/didSave" || method == "workspace/didChangeWatchedFiles")
        return workspace_.forget_files();
    // All others say nothing that we need: the protocol lets a server ignore them.
}

Json Server::initialize(const Json& params) {
    initialized_ = true;
    const Json& folders = member(params, "workspaceFolders");
    if (folders.is_array())
        for (const Json& folder : folders)
            workspace_.folders.push_back(normal_path(path_of(text_of(member(folder, "uri")))));
    if (workspace_.folders.empty())
        if (const std::string root = text_of(member(params, "rootUri")); !root.empty())
            workspace_.folders.push_back(normal_path(path_of(root)));
    std::string root = workspace_.folders.empty() ? "" : workspace_.folders[0];
    if (!root.empty() && !root.ends_with('/')) root += '/';
    workspace_.project().set_default_options(texts_of(member(params, "initializationOptions", "options")),
                                             root);

    may_watch_ =
        is_true(member(params, "capabilities", "workspace", "didChangeWatchedFiles", "dynamicRegistration"));
    Json capabilities = {
        {"positionEncoding", "utf-16"},
        {"workspace", {{"workspaceFolders", {{"supported", true}, {"changeNotifications", true}}}}},
        {"textDocumentSync",
         {{"openClose", true}, {"change", kIncrementalSync}, {"save", {{"includeText", false}}}}}};
    for (const FeatureRow& row : features()) capabilities[std::string(row.capability)] = row.options();
    return {{"capabilities", std::move(capabilities)},
            {"serverInfo", {{"name", "clc2spv"}, {"version", CALDERA_VERSION}}}};
}

/// Clients tell of files that other programs change if they are asked to.
void Server::watch_files() {
    if (!std::exchange(may_watch_, false)) return;
    Json watchers = Json::array();
    for (const std::string& files :
         {std::string("**/*.{cl,clh,h,hh,hpp,hxx,inc,inl,def}"), "**/" + std::string(kOptionsFile),
          std::string("**/compile_commands.json")})
        watchers.push_back({{"globPattern", files}});
    const Json registration = {{"id", "files"},
                               {"method", "workspace/didChangeWatchedFiles"},
                               {"registerOptions", {{"watchers", std::move(watchers)}}}};
    send_({{"jsonrpc", "2.0"},
           {"id", "register-files"},
           {"method", "client/registerCapability"},
           {"params", {{"registrations", Json::array({registration})}}}});
}

void Server::change_folders(const Json& event) {
    const auto each = [&](const char* what, auto change) {
        if (const Json& folders = member(event, what); folders.is_array())
            for (const Json& folder : folders) change(normal_path(path_of(text_of(member(folder, "uri")))));
    };
    each("removed", [&](const std::string& path) { std::erase(workspace_.folders, path); });
    each("added", [&](const std::string& path) {
        if (std::ranges::find(workspace_.folders, path) == workspace_.folders.end())
            workspace_.folders.push_back(path);
    });
}

void Server::open(const Json& params) {
    const Json& given = member(params, "textDocument");
    const Json& version = member(given, "version");
    Document document = {.uri = text_of(member(given, "uri")),
                         .version = version.is_number_integer() ? version.get<int64_t>() : 0,
                         .text = text_of(member(given, "text"))};
    if (!document.uri.empty()) workspace_.open(std::move(document));
}

void Server::change(const Json& params) {
    Document* document = workspace_.find(text_of(member(params, "textDocument", "uri")));
    if (!document) return;
    const Json& version = member(params, "textDocument", "version");
    if (version.is_number_integer()) document->version = version.get<int64_t>();
    workspace_.change(*document, member(params, "contentChanges"));
}

void Server::close(const Json& params) {
    const std::string uri = text_of(member(params, "textDocument", "uri"));
    if (!workspace_.find(uri)) return;
    workspace_.close(uri);
    notify("textDocument/publishDiagnostics", {{"uri", uri}, {"diagnostics", Json::array()}});
}

void Server::publish() {
    try {
        for (auto& [path, document] : workspace_.documents()) {
            if (!document.is_new) continue;
            document.is_new = false;
            notify("textDocument/publishDiagnostics",
                   {{"uri", document.uri},
                    {"version", document.version},
                    {"diagnostics", diagnostics(workspace_, workspace_.unit(document))}});
        }
        report_faults();
    } catch (const std::exception& fault) {
        notify("window/logMessage", {{"type", 1}, {"message", fault.what()}});
    }
}

/// Faults of options, which belong to no document.
void Server::report_faults() {
    constexpr int kWarning = 2;
    for (const std::string& fault : workspace_.project().take_faults())
        notify("window/showMessage", {{"type", kWarning}, {"message", fault}});
}

}  // namespace caldera::language_server
