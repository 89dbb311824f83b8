// SPDX-License-Identifier: Apache-2.0
#include "tools/language_server/framing.h"

#include <doctest/doctest.h>

#include <sstream>
#include <vector>

using namespace caldera::language_server;

namespace {

std::vector<std::string> messages(const std::string& bytes) {
    std::istringstream in(bytes);
    std::vector<std::string> out;
    while (std::optional<std::string> message = read_message(in)) out.push_back(*message);
    return out;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("messages have a header and a length in bytes") {
    CHECK(messages("Content-Length: 2\r\n\r\n{}Content-Length: 4\r\n\r\nnull") == Texts{"{}", "null"});
    CHECK(messages("content-length:3\r\nContent-Type: x\r\n\r\n\"\xc3\xa9") == Texts{"\"\xc3\xa9"});
    CHECK(messages("Content-Length: 2\n\n{}") == Texts{"{}"});
    CHECK(messages("Content-Length: 0\r\n\r\nContent-Length: 2\r\n\r\n{}") == Texts{"", "{}"});
}

TEST_CASE("a faulty header costs one message") {
    CHECK(messages("").empty());
    CHECK(messages("Content-Length: 10\r\n\r\n{}").empty());
    CHECK(messages("Content-Length: -1\r\n\r\nContent-Length: 2\r\n\r\n{}") == Texts{"{}"});
    CHECK(messages("Content-Length: 99999999999999999999\r\n\r\n\r\nContent-Length: 2\r\n\r\n{}") ==
          Texts{"{}"});
    CHECK(messages("Content-Length: many\r\n\r\nnoise\r\n\r\nContent-Length: 2\r\n\r\n{}") == Texts{"{}"});
    CHECK(messages("Content-Length: 99999999999\r\n\r\n{}").empty());
    CHECK(messages(std::string(100'000, 'x') + "\r\n\r\nContent-Length: 2\r\n\r\n{}") == Texts{"{}"});
}

TEST_CASE("what is written is read again") {
    std::ostringstream out;
    write_message(out, "{\"a\":\"\xc3\xa9\"}");
    CHECK(out.str().starts_with("Content-Length: 10\r\n\r\n"));
    CHECK(messages(out.str()) == Texts{"{\"a\":\"\xc3\xa9\"}"});
}
