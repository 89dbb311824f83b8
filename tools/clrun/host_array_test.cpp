// SPDX-License-Identifier: Apache-2.0
#include "tools/clrun/host_array.h"

#include <doctest/doctest.h>

#include <random>

#include "spirv/support/files.h"

using namespace caldera;
using namespace caldera::tools;

namespace {

std::string fault(Element element, const std::string& text) {
    const Result<HostArray> array = parse_array(element, text);
    return array ? std::string() : array.error().message;
}

}  // namespace

TEST_CASE("element types have OpenCL C's names, those of pointers' sizes and of atomics too") {
    const auto is = [](std::string_view text, Element wanted) {
        Element element = wanted == Element::U8 ? Element::I8 : Element::U8;
        return parse_element(text, element) && element == wanted;
    };
    CHECK(is("f32", Element::F32));
    CHECK(is("float", Element::F32));
    CHECK(is("bool", Element::U8));
    CHECK(is("size_t", Element::U64));
    CHECK(is("ptrdiff_t", Element::I64));
    CHECK(is("intptr_t", Element::I64));
    CHECK(is("uintptr_t", Element::U64));
    CHECK(is("atomic_int", Element::I32));
    CHECK(is("atomic_uint", Element::U32));
    CHECK(is("atomic_ulong", Element::U64));
    CHECK(is("atomic_half", Element::F16));
    CHECK(is("atomic_double", Element::F64));
    CHECK(is("atomic_size_t", Element::U64));
    CHECK(is("atomic_ptrdiff_t", Element::I64));
    CHECK(is("atomic_flag", Element::I32));
    Element element = Element::U8;
    for (const char* text : {"", "atomic_", "atomic_atomic_int", "atomic_struct", "my_float", "flag"})
        CHECK(!parse_element(text, element));
}

TEST_CASE("[N] counts elements") {
    const Result<HostArray> array = parse_array(Element::U8, "size_t[3]:range(5)");
    REQUIRE(static_cast<bool>(array));
    CHECK(array->bytes.size() == 24);
    CHECK(array->text(2) == "7");
    CHECK(parse_array(Element::U64, "[4]")->bytes.size() == 32);
    CHECK(fault(Element::U8, "my_float[4]") == "unknown element type 'my_float'");
}

TEST_CASE("files become arrays, and what is no file an error") {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() /
        ("caldera_host_array_test." + std::to_string(std::random_device()()));
    std::filesystem::create_directories(folder);
    const std::string place = utf8_text(folder);
    const HostArray array = parse_array(Element::I16, ":-1,2,300").take();
    for (const std::string name : {"/raw", "/array.npy"}) {
        CHECK(save(array, place + name));
        const Result<HostArray> again = parse_array(Element::I16, "@" + place + name);
        REQUIRE(static_cast<bool>(again));
        CHECK(again->element == Element::I16);
        CHECK(again->shape == std::vector<uint64_t>{3});
        CHECK(again->bytes == array.bytes);
    }
    CHECK(fault(Element::I32, "@" + place + "/raw") ==
          "the size of '" + place + "/raw', 6 bytes, is not a multiple of the 4 of i32");
    CHECK(fault(Element::U8, "@" + place) == "'" + place + "' is a folder");
    for (const std::string none : {"/none", "/none.npy"})
        CHECK(fault(Element::U8, "@" + place + none) == "no such file or directory: '" + place + none + "'");
    CHECK(!save(array, place));
    std::filesystem::remove_all(folder);
}
