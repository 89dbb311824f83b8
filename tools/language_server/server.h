// SPDX-License-Identifier: Apache-2.0
// The protocol's messages, one after another, and what they change.
#pragma once

#include <functional>
#include <string>

#include "tools/language_server/workspace.h"

namespace caldera::language_server {

class Server {
 public:
    /// `send` gets each message for the client.
    Server(ReadOptions read_options, std::function<void(const Json&)> send);

    /// Handles one message; a discarded value means that it was no JSON. A request is answered exactly once:
    /// with an error if it is `cancelled`.
    void handle(const Json& message, bool cancelled = false);
    /// Publishes the diagnostics of the documents that changed since the last call.
    void publish();

    bool has_exited() const { return exited_; }
    int exit_code() const { return exited_ && shut_down_ ? 0 : 1; }

 private:
    void request(const std::string& method, const Json& id, const Json& params);
    void notification(const std::string& method, const Json& params);
    Json initialize(const Json& params);
    void watch_files();
    void change_folders(const Json& event);
    void open(const Json& params);
    void change(const Json& params);
    void close(const Json& params);
    void report_faults();
    void reply(const Json& id, Json result);
    void fail(const Json& id, int code, const std::string& message);
    void notify(const std::string& method, Json params);

    Workspace workspace_;
    std::function<void(const Json&)> send_;
    bool may_watch_ = false;  ///< the client takes a registration for files
    bool initialized_ = false, shut_down_ = false, exited_ = false;
};

}  // namespace caldera::language_server
