// SPDX-License-Identifier: Apache-2.0
#include "tools/clc2spv/response_files.h"

#include <doctest/doctest.h>

#include <map>
#include <random>

#include "tools/clc2spv/command_line.h"

using namespace caldera;
using namespace caldera::tools;

namespace {

using Words = std::vector<std::string>;

/// Files by name, and what expand_response_files() makes of arguments with them.
struct Files {
    std::map<std::string, std::string> texts = {};
    Words files = {};

    ReadFile reader() const {
        return [this](const std::string& name) -> std::optional<std::string> {
            const auto found = texts.find(name);
            return found == texts.end() ? std::nullopt : std::optional(found->second);
        };
    }
    Words expand(const Words& args, const std::string& folder = {}) {
        files.clear();
        Result<Words> words = expand_response_files(args, reader(), files, folder);
        return words ? words.take() : Words{"error: " + words.error().message};
    }
};

}  // namespace

TEST_CASE("the words of a response file are quoted as clang's") {
    CHECK(split_response_file("") == Words{});
    CHECK(split_response_file(" \t\r\n") == Words{});
    CHECK(split_response_file("-O2\n\n -DN=1\r\nk.cl") == Words{"-O2", "-DN=1", "k.cl"});
    CHECK(split_response_file("-D'A=x y'z \"b c\"") == Words{"-DA=x yz", "b c"});
    CHECK(split_response_file(R"(-DM=\"x\" a\ b 'q\'r' "s\"t\\")") ==
          Words{"-DM=\"x\"", "a b", "q'r", "s\"t\\"});
    CHECK(split_response_file("'\"' \"'\" '' -I\"\"") == Words{"\"", "'", "", "-I"});
    CHECK(split_response_file("\"no end k.cl") == Words{"no end k.cl"});
    CHECK(split_response_file("end\\") == Words{"end\\"});
    CHECK(split_response_file("\xef\xbb\xbf-g") == Words{"-g"});
}

TEST_CASE("response files may be UTF-16, which Windows' tools write") {
    // "-Dé 😀"
    constexpr std::string_view kLittle("\xff\xfe-\0D\0\xe9\0 \0\x3d\xd8\0\xde", 14);
    constexpr std::string_view kBig("\xfe\xff\0-\0D\0\xe9\0 \xd8\x3d\xde\0", 14);
    CHECK(split_response_file(kLittle) == Words{"-D\u00e9", "\U0001f600"});
    CHECK(split_response_file(kBig) == Words{"-D\u00e9", "\U0001f600"});
    CHECK(split_response_file(kLittle.substr(0, 2)) == Words{});
    CHECK_FALSE(split_response_file(kLittle.substr(0, 13)));
    CHECK_FALSE(split_response_file(kLittle.substr(0, 12)));  // half a pair
    CHECK_FALSE(split_response_file(std::string_view("\xff\xfe\0\xde-\0", 6)));
    Files files{{{"args", std::string(kBig)}, {"bad", std::string(kBig.substr(0, 13))}}};
    CHECK(files.expand({"@args", "-g"}) == Words{"-D\u00e9", "\U0001f600", "-g"});
    CHECK(files.expand({"@bad"}) ==
          Words{"error: 'bad' begins with UTF-16's byte order mark, but is not UTF-16"});
}

TEST_CASE("@FILE stands for the file's words, also in a file") {
    Files files{{{"args", "-DN='a b' @more k.cl"}, {"more", "-g\n-O2"}, {"empty", "\n"}}};
    CHECK(files.expand({"-P", "@args", "-S"}) == Words{"-P", "-DN=a b", "-g", "-O2", "k.cl", "-S"});
    CHECK(files.files == Words{"args", "more"});
    CHECK(files.expand({"--", "@empty", "@more", "@more"}) == Words{"--", "-g", "-O2", "-g", "-O2"});
    CHECK(files.expand({"@none", "@", "a@args"}) == Words{"@none", "@", "a@args"});
    CHECK(files.files.empty());
    Files elsewhere{{{"/w/args", "@more @/x/last"}, {"/w/more", "-g"}, {"/x/last", "k.cl"}}};
    CHECK(elsewhere.expand({"@args"}, "/w/") == Words{"-g", "k.cl"});
}

TEST_CASE("response files that contain themselves are errors, and end") {
    Files files{{{"a", "-g @b"}, {"b", "@a"}}};
    CHECK(files.expand({"@a"}) == Words{"error: '@a' contains itself"});
    std::map<std::string, std::string> doubling;
    for (int i = 0; i < 40; ++i) {
        const std::string next = "@" + std::to_string(i + 1) + " ";
        doubling[std::to_string(i)] = next + next;
    }
    doubling["40"] = "-g";
    CHECK(Files{doubling}.expand({"@0"}) == Words{"error: more than 1000000 arguments"});
}

TEST_CASE("commands and editors take response files") {
    Files files{{{"args", "-DN=3 -Wall k.cl -o 'my k.spv'"}}};
    const Result<Command> command = parse_command_line({"@args", "-g"}, files.reader());
    REQUIRE(static_cast<bool>(command));
    CHECK(command->inputs == Words{"k.cl"});
    CHECK(command->output == "my k.spv");
    CHECK(command->compile.debug_info);
    CHECK(command->option_files == Words{"args"});
    const Result<Command> missing = parse_command_line({"@none"}, files.reader());
    REQUIRE(static_cast<bool>(missing));
    CHECK(missing->inputs == Words{"@none"});

    const std::string folder =
        utf8_text(std::filesystem::temp_directory_path() /
                  ("caldera_response_files_test." + std::to_string(std::random_device()()))) +
        "/";
    std::filesystem::create_directories(utf8_path(folder));
    REQUIRE(write_file(folder + "args", "-Iinclude -cl-std=CL2.0 k.cl"));
    const Result<frontend::CompileOptions> options = compile_options({"@args"}, folder);
    std::filesystem::remove_all(utf8_path(folder));
    REQUIRE(static_cast<bool>(options));
    CHECK(options->standard == frontend::Standard::CL20);
    CHECK(options->include_dirs == Words{folder + "include"});
}
