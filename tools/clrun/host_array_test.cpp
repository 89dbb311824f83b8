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

TEST_CASE("elements of another type read as other numbers, but bytes may be anything") {
    CHECK(reads_as_other(Element::F64, Element::F32));
    CHECK(reads_as_other(Element::F32, Element::I32));
    CHECK(reads_as_other(Element::U8, Element::U32));
    CHECK(!reads_as_other(Element::I32, Element::U32));
    CHECK(!reads_as_other(Element::F64, Element::U8));
}

TEST_CASE("[N] counts elements") {
    const Result<HostArray> array = parse_array(Element::U8, "size_t[3]:range(5)");
    REQUIRE(static_cast<bool>(array));
    CHECK(array->bytes.size() == 24);
    CHECK(array->text(2) == "7");
    CHECK(parse_array(Element::U64, "[4]")->bytes.size() == 32);
    CHECK(fault(Element::U8, "my_float[4]") == "unknown element type 'my_float'");
}

TEST_CASE("literals are the nearest numbers of their type, and what has none is an error") {
    const auto text = [](Element element, const std::string& number) {
        const Result<HostArray> array = parse_array(element, ":" + number);
        return array ? array->text(0) : array.error().message;
    };
    // between two floats, and too near to the middle for a double
    CHECK(text(Element::F32, "1.00000005960464477539062500001") == "1.0000001");
    CHECK(text(Element::F32, "1.0000000596046447753906250") == "1");
    CHECK(text(Element::F32, "0x1p-3") == "0.125");
    CHECK(text(Element::F32, "-0x1.8P1f") == "-3");
    CHECK(text(Element::F64, "2.5f") == "2.5");
    CHECK(text(Element::F16, "65519") == "65504");
    CHECK(text(Element::F32, "1e-50") == "0");
    CHECK(text(Element::F64, "-1e-500") == "-0");
    CHECK(text(Element::F16, "-inf") == "-inf");
    CHECK(text(Element::F32, "1e39") == "out of range for f32: '1e39'");
    CHECK(text(Element::F64, "-1e400f") == "out of range for f64: '-1e400f'");
    CHECK(text(Element::F16, "65520") == "out of range for f16: '65520'");
    // the nearest double of each is halfway between two halves
    CHECK(text(Element::F16, "65519.99999999999999999999") == "65504");
    CHECK(text(Element::F16, "-2049.00000000000000000001") == "-2050");
    CHECK(text(Element::F16, "0x1.00200000000000000001") == "1.0009766");
    for (const std::string none : {"", "-", "--1", "+1", "0x", "1 ", "1e", "1ff", "f"})
        CHECK(text(Element::F32, none) == "not a number: '" + none + "'");
}

TEST_CASE("ranges and random numbers take what they name, and nothing else") {
    const auto last = [](Element element, const std::string& contents) {
        const Result<HostArray> array = parse_array(element, "[4]:" + contents);
        return array ? array->text(3) : array.error().message;
    };
    CHECK(last(Element::F32, "range(1,0.5)") == "2.5");
    CHECK(last(Element::I32, "range(0.5,0.5)") == "2");
    CHECK(last(Element::I32, "range(-1)") == "2");
    CHECK(last(Element::U8, "range(254)") == "1");
    CHECK(last(Element::U64, "range(9007199254740993,2)") == "9007199254740999");
    CHECK(last(Element::U64, "range(18446744073709551615,-1)") == "18446744073709551612");
    CHECK(last(Element::U64, "range(1e19)") == "10000000000000000000");
    CHECK(last(Element::I32, "range(1e300)") == "the range leaves all integers: '1e300'");
    CHECK(last(Element::I32, "range(nan)") == "the range leaves all integers: 'nan'");
    CHECK(last(Element::I32, "range(1,x)") == "not a number: 'x'");
    CHECK(last(Element::I32, "range(1,2") == "missing ')' in 'range(1,2'");
    CHECK(last(Element::I32, "random(7)") == last(Element::I32, "random(7)"));
    CHECK(last(Element::I32, "random") == last(Element::I32, "random(1)"));
    for (const std::string seed : {"-1", "1.5", ""})
        CHECK(last(Element::I32, "random(" + seed + ")") ==
              "a seed is an integer from 0 on, not '" + seed + "'");
    for (const std::string rule : {"rangefinder", "random_walk", "range(1,2,3)", "random(1,2)", "Range"})
        CHECK(last(Element::F32, rule) ==
              "unknown contents (=VALUE, range, range(START,STEP), random or random(SEED)): '" + rule + "'");
}

TEST_CASE("headers of .npy files are read as Python writes them, and otherwise refused") {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() /
        ("caldera_host_array_test." + std::to_string(std::random_device()()));
    std::filesystem::create_directories(folder);
    const std::string path = utf8_text(folder) + "/array.npy";
    const auto load = [&](const std::string& header, char version = 1) {
        std::string file("\x93NUMPY", 6);
        file += {version, '\0', static_cast<char>(header.size()), '\0'};
        if (version > 1) file += std::string(2, '\0');
        CHECK(write_file(path, file + header + std::string("\1\0\2\0\3\0\4\0", 8)));
        const Result<HostArray> array = parse_array(Element::F32, "@" + path);
        if (!array) return array.error().message.substr(0, array.error().message.find('\''));
        std::string text(name(array->element));
        for (const uint64_t extent : array->shape) text += " " + std::to_string(extent);
        return text + ":" + array->text(array->count() - 1);
    };
    const std::string little = "{'descr': '<u2', 'fortran_order': False, ";
    CHECK(load(little + "'shape': (2, 2), }") == "u16 2 2:4");
    CHECK(load(little + "'shape': (2L, 1L), }", 2) == "u16 2 1:2");
    CHECK(load(little + "'shape': (), }", 3) == "u16:1");
    CHECK(load("{'descr':'<u2','fortran_order':False,'shape':(3,)}") == "u16 3:3");
    CHECK(load("{\"shape\": [2], \"descr\": \"<u2\", \"shape\": (2)}") == "bad shape in ");
    CHECK(load("{\"descr\" : \"<u2\", \"fortran_order\" : False, \"shape\" : (3)}") == "u16 3:3");
    CHECK(load("{'descr': '|b1', 'fortran_order': False, 'shape': (3,)}") == "u8 3:2");
    CHECK(load("{'descr': '>u1', 'fortran_order': False, 'shape': (3,)}") == "u8 3:2");
    CHECK(load("{'descr': '<u2', 'fortran_order': True, 'shape': (1, 4)}") == "u16 1 4:4");
    for (const std::string fortran : {"'fortran_order': True, ", "'fortran_order':True, ", ""})
        CHECK(load("{'descr': '<u2', " + fortran + "'shape': (2, 2)}") == "Fortran order is not supported: ");
    for (const std::string type : {"'>u2'", "'<u16'", "'u2'", "''", "'<u2", "[('a', '<u2')]"})
        CHECK(load("{'descr': " + type + ", 'fortran_order': False, 'shape': (2, 2)}") ==
              "unsupported .npy element type ");
    for (const std::string shape : {"(2, 2", "(2x,)", "(-1,)", "2", "(36893488147419103232,)"})
        CHECK(load(little + "'shape': " + shape + "}") == "bad shape in ");
    CHECK(load(little + "}") == "no shape in ");
    CHECK(load(little + "'shape': (5,)}") == "truncated .npy data: ");
    CHECK(load(little + "'shape': (4,)}", 4) == "unknown version of the .npy format: ");
    std::filesystem::remove_all(folder);
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
