// SPDX-License-Identifier: Apache-2.0
// One thread reads messages and one answers them, so that a cancellation overtakes the requests that wait,
// and diagnostics are published when no edit waits.
#include "tools/language_server/serve.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <thread>

#include "tools/language_server/framing.h"
#include "tools/language_server/server.h"

namespace caldera::language_server {
namespace {

/// Messages between the two threads.
class Queue {
 public:
    void push(Json message) {
        const std::lock_guard lock(mutex_);
        if (text_of(member(message, "method")) == "$/cancelRequest")
            cancelled_.insert(member(message, "params", "id").dump());
        else
            messages_.push_back(std::move(message));
        changed_.notify_one();
    }
    void close() {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        changed_.notify_one();
    }
    bool is_empty() {
        const std::lock_guard lock(mutex_);
        return messages_.empty();
    }
    /// Waits. Nothing once the queue is closed and empty. `cancelled`: a cancellation named this request.
    std::optional<Json> pop(bool& cancelled) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return closed_ || !messages_.empty(); });
        if (messages_.empty()) return std::nullopt;
        Json message = std::move(messages_.front());
        messages_.pop_front();
        const auto found = message.is_object() && message.contains("id")
                               ? cancelled_.find(message["id"].dump())
                               : cancelled_.end();
        cancelled = found != cancelled_.end();
        if (cancelled) cancelled_.erase(found);
        if (messages_.empty()) cancelled_.clear();  // of requests that are answered
        return message;
    }

 private:
    std::mutex mutex_ = {};
    std::condition_variable changed_ = {};
    std::deque<Json> messages_ = {};
    std::set<std::string> cancelled_ = {};
    bool closed_ = false;
};

void answer(Queue& queue, Server& server) {
    for (;;) {
        bool cancelled = false;
        std::optional<Json> message = queue.pop(cancelled);
        if (!message) return;
        server.handle(*message, cancelled);
        if (server.has_exited()) return;
        if (queue.is_empty()) server.publish();
    }
}

/// A message as JSON. What is none becomes a discarded value, which the server answers.
Json parse(const std::string& text) {
    try {
        return Json::parse(text, nullptr, false);
    } catch (const std::bad_alloc&) { return Json(Json::value_t::discarded); }
}

}  // namespace

int serve(std::istream& in, std::ostream& out, ReadOptions read_options) {
    Server server(std::move(read_options), [&out](const Json& message) {
        write_message(out, message.dump(-1, ' ', false, Json::error_handler_t::replace));
    });
    Queue queue;
    std::thread worker(answer, std::ref(queue), std::ref(server));
    while (std::optional<std::string> text = read_message(in)) {
        Json message = parse(*text);
        const bool last = text_of(member(message, "method")) == "exit" && !message.contains("id");
        queue.push(std::move(message));
        if (last) break;
    }
    queue.close();
    worker.join();
    return server.exit_code();
}

}  // namespace caldera::language_server
