// SPDX-License-Identifier: Apache-2.0
// All requests about kernels that end anywhere: each is answered once. tests/language_server has the replies.
#include "tools/language_server/server.h"

#include <doctest/doctest.h>

#include "tools/language_server/features.h"

using namespace caldera;
using namespace caldera::language_server;

namespace {

constexpr std::string_view kKernel = R"(#include "none.h"
#define TWICE(x) ((x) * 2)
typedef struct { float4 place; union { int kind[3]; float other; }; } particle;
enum colour { RED, GREEN = 4 };
float helper(const global float *in, int i) { return in[i] * TWICE(i); }
kernel void move(global particle *p, global float *out, read_only image2d_t image) {
    local float tile[64];
    const size_t i = get_global_id(0);
    float4 v = (float4)(1, 2, 3, 4).wzyx;
    switch (p[i].kind[0]) { case RED: out[i] = fmax(v.x, v.s1); break; default: goto done; }
    for (int j = 0; j < 4; ++j) tile[j] = helper(out, j) + p->place.x;
    do { struct { int a; } s = {.a = sizeof(particle)}; s.a += __builtin_offsetof(particle, place.x); } while (0);
    int (^block)(int) = ^(int n) { return n + (int)i; };
done:
    p[i] = (particle){.place = v, .kind = {1, 2, [2] = GREEN}};
    if (i > 1) out[0] = ({ int t = block(1); t; }); else if (i) out[1] = i ? v.lo.x : _Generic(i, default: 2);
}
)";

struct Client {
    int replies = 0, errors = 0, diagnostics = 0;
    Server server{[](auto, auto) {
                      frontend::CompileOptions options;
                      options.standard = frontend::Standard::CL20;
                      return Result<frontend::CompileOptions>(options);
                  },
                  [this](const Json& message) {
                      replies += message.contains("result");
                      errors += message.contains("error");
                      diagnostics += text_of(member(message, "method")) == "textDocument/publishDiagnostics";
                  }};

    Client() { server.handle({{"id", 0}, {"method", "initialize"}, {"params", Json::object()}}); }
    void open(std::string_view text) {
        server.handle(
            {{"method", "textDocument/didOpen"},
             {"params", {{"textDocument", {{"uri", "file:///a.cl"}, {"version", 1}, {"text", text}}}}}});
    }
    /// All requests at the position but formatting, which starts a program.
    int ask(const Position& position) {
        int asked = 0;
        const Json at = to_json(position);
        const Json params = {{"textDocument", {{"uri", "file:///a.cl"}}},
                             {"position", at},
                             {"newName", "other"},
                             {"range", {{"start", to_json(Position{})}, {"end", at}}}};
        for (const FeatureRow& row : features()) {
            if (row.method == "textDocument/formatting") continue;
            server.handle({{"id", ++asked}, {"method", row.method}, {"params", params}});
        }
        return asked;
    }
};

}  // namespace

TEST_CASE("a kernel that ends anywhere") {
    Client client;
    int asked = 1;
    for (size_t end = 0; end <= kKernel.size(); end += 5) {
        const std::string_view text = kKernel.substr(0, end);
        client.open(text);
        client.server.publish();
        asked += client.ask(LineTable(text).position(end));
        REQUIRE(client.replies + client.errors == asked);
    }
    CHECK(client.diagnostics > 150);
}

TEST_CASE("all positions of a kernel, and those beyond it") {
    Client client;
    client.open(kKernel);
    int asked = 1;
    for (uint32_t line = 0; line < 20; ++line)
        for (uint32_t character = 0; character < 120; character += 3) asked += client.ask({line, character});
    CHECK(client.replies + client.errors == asked);
    CHECK(client.replies > asked / 2);
}

TEST_CASE("a cancelled request is answered with an error") {
    Client client;
    client.server.handle({{"id", 7}, {"method", "shutdown"}}, true);
    CHECK(client.errors == 1);
    CHECK(client.replies == 1);
    CHECK(client.server.exit_code() == 1);
}
