// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <spirv/unified1/OpenCL.std.h>

#include <algorithm>
#include <array>

#include "builtins/builtin_library.h"
#include "spirv/spirv.h"
#include "tests/support/why.h"

using namespace caldera;

TEST_CASE("every module of the library is valid OpenCL SPIR-V") {
    for (const vulkan::BuiltinModule& module : builtin_library().modules) {
        CAPTURE(std::string(module.name));
        auto valid = spirv::validate(module.words, spirv::Target::OpenCL20);
        // Half arithmetic is an extension that spirv-val's OpenCL environments do not know.
        bool is_half = !valid && valid.error().message.starts_with("Capability Float16 is not allowed");
        CHECK_MESSAGE((valid || is_half), why(valid));
        auto read = spirv::read(module.words);
        REQUIRE(read);
        CHECK(spirv::verify(*read));
    }
}

TEST_CASE("the table of symbols is sorted and has what the translator looks for") {
    const vulkan::BuiltinLibrary& library = builtin_library();
    CHECK(std::ranges::is_sorted(library.symbols, {}, &vulkan::BuiltinSymbol::name));
    for (const vulkan::BuiltinSymbol& symbol : library.symbols) CHECK(symbol.module < library.modules.size());
    for (std::string_view name : {
#define MATH(instruction, name, args, policy) #name "\t" args "\t" #policy,
#include "vulkan/translate/link/numerics.def"
         }) {
        const size_t tab = name.find('\t'), last_tab = name.rfind('\t');
        std::string function(name.substr(0, tab));
        for (std::string real : {"f", "d"}) {
            if (real == "f" && name.substr(last_tab + 1) == "Double") continue;
            std::string mangled = "_Z" + std::to_string(function.size()) + function;
            for (char arg : name.substr(tab + 1, last_tab - tab - 1))
                mangled += arg == 'f' ? real : arg == 'p' ? "P" + real : arg == 'q' ? "Pi" : "i";
            CHECK_MESSAGE(std::ranges::binary_search(library.symbols, std::string_view(mangled), {},
                                                     &vulkan::BuiltinSymbol::name),
                          mangled);
        }
    }
}

TEST_CASE("the library has the functions that compute with doubles as integers") {
    for (const std::string_view name : {
#define DOUBLE_FUNCTION(name, mangled) std::string_view(mangled),
#include "vulkan/translate/support/double_functions.def"
         })
        CHECK_MESSAGE(
            std::ranges::binary_search(builtin_library().symbols, name, {}, &vulkan::BuiltinSymbol::name),
            name);
}

// Vulkan does not say that the work-items of a sub-group come together again behind a call.
TEST_CASE("functions that check what a kernel does return at their end alone") {
    const vulkan::BuiltinLibrary& library = builtin_library();
    size_t found = 0;
    for (const vulkan::BuiltinSymbol& symbol : library.symbols) {
        const std::string_view name = symbol.name;
        const bool checks = std::ranges::any_of(
            std::array{"check_", "guard_", "begin_store", "begin_local", "begin_any", "begin_generic",
                       "end_store"},
            [&](std::string_view part) { return name.find(part) != std::string_view::npos; });
        if (!checks) continue;
        ++found;
        CAPTURE(std::string(name));
        auto read = spirv::read(library.modules[symbol.module].words);
        REQUIRE(read);
        for (const spirv::Instruction& decoration : read->annotations) {
            const auto linkage = spirv::linkage_of(decoration);
            if (!linkage || linkage->name != name) continue;
            const auto function =
                std::ranges::find(read->functions, linkage->target, [](const auto& f) { return f.id(); });
            REQUIRE(function != read->functions.end());
            CHECK(std::ranges::count_if(function->blocks, [](const spirv::Block& block) {
                      return block.terminator.op == spv::Op::OpReturn ||
                             block.terminator.op == spv::Op::OpReturnValue;
                  }) == 1);
        }
    }
    CHECK(found >= 30);
}

// NVIDIA's compiler (580.159) gets min(exponent - other, 63) wrong in loops that it unrolls.
TEST_CASE("functions that compute with doubles as integers take no signed minimum of an int") {
    const vulkan::BuiltinLibrary& library = builtin_library();
    for (const std::string_view name : {
#define DOUBLE_FUNCTION(name, mangled) std::string_view(mangled),
#include "vulkan/translate/support/double_functions.def"
         }) {
        CAPTURE(std::string(name));
        const auto symbol = std::ranges::lower_bound(library.symbols, name, {}, &vulkan::BuiltinSymbol::name);
        auto read = spirv::read(library.modules[symbol->module].words);
        REQUIRE(read);
        for (const spirv::Function& function : read->functions)
            for (const spirv::Block& block : function.blocks)
                for (const spirv::Instruction& inst : block.body)
                    CHECK_FALSE((inst.op == spv::Op::OpExtInst && inst.word(1) == OpenCLLIB::SMin));
    }
}
