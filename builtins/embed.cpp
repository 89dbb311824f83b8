// SPDX-License-Identifier: Apache-2.0
// embed_builtins: a build tool. It compiles the library's OpenCL C sources with Caldera's front end and
// writes them as C++: the words of each module, and one sorted table of exported functions.
//
// usage: embed_builtins OUT.cpp OUT.d ROOT FILE...     FILEs relative to ROOT, whose parent and
// the folder include beside it are searched for headers; OUT.d names everything that was read
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "frontend/compile.h"
#include "spirv/spirv.h"

namespace {

using namespace caldera;

struct Symbol {
    std::string name;
    size_t module;
};

struct Library {
    std::vector<std::string> names = {};
    std::vector<std::vector<uint32_t>> modules = {};
    std::vector<Symbol> symbols = {};
    std::set<std::string> dependencies = {};
};

std::string read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return std::string((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
}

// Does not touch a file whose contents are unchanged, so that it is not compiled again.
bool write_if_changed(const std::string& path, const std::string& text) {
    if (read_file(path) == text) return true;
    std::ofstream out(path, std::ios::binary);
    out << text;
    out.flush();
    return static_cast<bool>(out);
}

void add_exports(const spirv::Module& module, size_t index, std::vector<Symbol>& symbols) {
    for (const spirv::Instruction& inst : module.annotations) {
        bool is_linkage = inst.op == spv::Op::OpDecorate &&
                          inst.word(1) == static_cast<uint32_t>(spv::Decoration::LinkageAttributes);
        if (!is_linkage) continue;
        size_t next = 0;
        std::string name = spirv::string_at(inst, 2, &next);
        if (inst.word(next) == static_cast<uint32_t>(spv::LinkageType::Export))
            symbols.push_back({name, index});
    }
}

// The options in a line `// OPTIONS: …` of the file, as in tests.
std::string options_of(const std::string& source) {
    const std::string word = "// OPTIONS: ";
    const size_t at = source.find(word);
    if (at == std::string::npos) return {};
    return source.substr(at + word.size(), source.find('\n', at) - at - word.size());
}

// Returns false after an error, which has been printed.
bool add_file(const std::string& root, const std::string& file, Library& library) {
    std::string path = root + "/" + file;
    std::string source = read_file(path);
    frontend::CompileOptions options;
    options.target = spirv::Target::OpenCL20;
    options.export_functions = true;
    const std::filesystem::path sources = std::filesystem::path(root).parent_path();
    options.include_dirs.push_back(sources.string());
    options.include_dirs.push_back((sources / "include").string());
    options.fp_contract = frontend::FpContract::Off;  // the functions say mad() and fma() where they want one
    if (Result<Done> read = frontend::parse_build_options(options_of(source), options); !read) {
        std::cerr << path << ": " << read.error().message << "\n";
        return false;
    }
    frontend::CompileResult compiled = frontend::compile(source, path, options);
    std::cerr << compiled.log;
    if (!compiled) return false;
    library.dependencies.insert(compiled.dependencies.begin(), compiled.dependencies.end());
    Result<spirv::Module> module = spirv::read(compiled.words);
    if (!module) {
        std::cerr << path << ": " << module.error().message << "\n";
        return false;
    }
    add_exports(*module, library.modules.size(), library.symbols);
    library.names.push_back(file);
    library.modules.push_back(std::move(compiled.words));
    return true;
}

bool sort_symbols(std::vector<Symbol>& symbols) {
    std::ranges::sort(symbols, {}, &Symbol::name);
    auto twice = std::ranges::adjacent_find(symbols, {}, &Symbol::name);
    if (twice == symbols.end()) return true;
    std::cerr << "library function defined twice: " << twice->name << "\n";
    return false;
}

void write_words(std::ostream& out, size_t index, const std::vector<uint32_t>& words) {
    out << "const uint32_t kModule" << index << "[] = {";
    for (size_t i = 0; i < words.size(); ++i) out << (i % 16 == 0 ? "\n" : "") << words[i] << "u,";
    out << "\n};\n";
}

void write_library(std::ostream& out, const Library& library) {
    out << "// Written by embed_builtins.\n#include \"builtins/builtin_library.h\"\n"
        << "#include \"builtins/define_builtins.h\"\n\n"
        << "namespace caldera {\nnamespace {\n\n";
    for (size_t i = 0; i < library.modules.size(); ++i) write_words(out, i, library.modules[i]);
    out << "\nconst vulkan::BuiltinModule kModules[] = {\n";
    for (size_t i = 0; i < library.names.size(); ++i)
        out << "    {\"" << library.names[i] << "\", kModule" << i << "},\n";
    out << "};\nconst vulkan::BuiltinSymbol kSymbols[] = {\n";
    for (const Symbol& symbol : library.symbols)
        out << "    {\"" << symbol.name << "\", " << symbol.module << "},\n";
    out << "};\nconst vulkan::BuiltinLibrary kLibrary = {kModules, kSymbols, define_builtins};\n\n}  // "
           "namespace\n\n"
        << "const vulkan::BuiltinLibrary& builtin_library() { return kLibrary; }\n\n}  // namespace "
           "caldera\n";
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 5) {
        std::cerr << "usage: embed_builtins OUT.cpp OUT.d ROOT FILE...\n";
        return 1;
    }
    Library library;
    bool good = true;
    for (int i = 4; i < argc; ++i) good &= add_file(argv[3], argv[i], library);
    if (!good || !sort_symbols(library.symbols)) return 1;
    std::ostringstream text, dependencies;
    write_library(text, library);
    dependencies << argv[1] << ":";
    for (const std::string& dependency : library.dependencies) dependencies << " \\\n  " << dependency;
    dependencies << "\n";
    return write_if_changed(argv[1], text.str()) && write_if_changed(argv[2], dependencies.str()) ? 0 : 1;
}
