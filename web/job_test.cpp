// SPDX-License-Identifier: Apache-2.0
#include "web/job.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using caldera::web::Answer;
using caldera::web::run;
using Json = nlohmann::json;

namespace {

const char* const kSource = "kernel void f(global int *p) { p[get_global_id(0)] = 1; }\n";

Json answer_of(const Answer& answer) { return Json::parse(answer.json); }
Json ask(const Json& request) { return answer_of(run(request.dump())); }

}  // namespace

TEST_CASE("a source becomes two modules and its interface") {
    const Answer answer = run(Json{{"source", kSource}, {"passes", true}}.dump());
    const Json json = answer_of(answer);
    CHECK(json["ok"] == true);
    CHECK(json["failed"] == "");
    CHECK(json["log"] == "");
    CHECK(json["target"] == "vulkan1.2");
    CHECK(json["reflection"]["kernels"][0]["name"] == "f");
    const auto words = [&](const char* stage) { return answer.modules.at(json[stage].get<size_t>()); };
    CHECK(caldera::web::disassemble(words("opencl"), false).find("OpEntryPoint Kernel") != std::string::npos);
    CHECK(caldera::web::disassemble(words("vulkan"), false).find("OpEntryPoint GLCompute") !=
          std::string::npos);
    REQUIRE(json["passes"].size() > 10);
    CHECK(json["passes"][0]["name"] == "read");
    CHECK(json["passes"].back()["module"].get<size_t>() < answer.modules.size());
}

TEST_CASE("errors have stages and places") {
    Json json = ask({{"source", "kernel void f() {\n  x = 1;\n}\n"}});
    CHECK(json["failed"] == "front end");
    CHECK(json["opencl"].is_null());
    CHECK(json["diagnostics"][0]["locations"][0]["caret"]["line"] == 2);
    CHECK(json["log"].get<std::string>().starts_with("kernel.cl:2:3: error: "));

    json = ask({{"source", "kernel void f(global double *p) {\n  p[0] = p[1] * p[2];\n}\n"},
                {"arguments", {"--device-profile=gpu.json"}},
                {"files", {{"gpu.json", "{}"}}}});
    CHECK(json["ok"] == false);
    json = ask({{"source", "OpNonsense\n"}, {"name", "k.spvasm"}});
    CHECK(json["diagnostics"][0]["locations"][0]["caret"]["line"] == 1);
}

TEST_CASE("files are those of the request") {
    const Json request = {{"source", "#include \"a.h\"\nkernel void f(global int *p) { *p = N; }\n"},
                          {"files", {{"a.h", "#define N 4\n"}}}};
    CHECK(ask(request)["ok"] == true);
    CHECK(ask({{"source", "#include \"/etc/passwd\"\n"}})["failed"] == "front end");
    CHECK(ask({{"source", ""}, {"arguments", {"--device-profile=/etc/passwd"}}})["failed"] == "options");
}

TEST_CASE("options that are no compilation of one source are declined") {
    for (const char* argument :
         {"--help", "--lsp", "--list-passes", "other.cl", "-", "-M", "--no-such-option"}) {
        CAPTURE(argument);
        CHECK(ask({{"source", kSource}, {"arguments", {argument}}})["failed"] == "options");
    }
    CHECK(ask({{"source", kSource}, {"name", "k.spv"}})["failed"] == "options");
    CHECK(ask({{"source", kSource}, {"arguments", {"--create-library"}}})["failed"] == "options");
}

TEST_CASE("texts that the options ask for") {
    const auto text = [](const char* argument) {
        return ask({{"source", kSource}, {"arguments", {argument}}})["text"].get<std::string>();
    };
    CHECK(text("--emit=c-header").find("kernel_words") != std::string::npos);
    CHECK(text("--emit=cpp-header").find("namespace kernel_kernels") != std::string::npos);
    CHECK(text("-E").find("kernel void f") != std::string::npos);
    CHECK(text("--emit=ast").find("get_global_id") != std::string::npos);
}

TEST_CASE("requests that make no sense have answers") {
    for (const char* request :
         {"", "{", "[]", "null", "{\"source\": 1}", "{\"name\": 1}", "{\"name\": \"\"}", "{\"name\": \"-o\"}",
          "{\"arguments\": {}}", "{\"arguments\": [1]}", "{\"arguments\": [\"\"]}", "{\"files\": []}",
          "{\"files\": {\"a\": 1}}", "{\"passes\": 1}", "{\"source\": \"\xff\"}"}) {
        CAPTURE(request);
        CHECK(answer_of(run(request))["failed"] == "request");
    }
    CHECK(ask({{"source", kSource}, {"other", 1}})["ok"] == true);
}

TEST_CASE("about() has the options and the passes") {
    const Json about = Json::parse(caldera::web::about());
    CHECK(about["help"].get<std::string>().find("--target=ENV") != std::string::npos);
    CHECK(about["passes"][0]["number"] == 1);
}
