// SPDX-License-Identifier: Apache-2.0
// Mutations of C text for libFuzzer: token by token, bracket by bracket, line by line. Changed bytes alone
// seldom get beyond the parser. One mutation in four is still libFuzzer's own.
#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/options.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace caldera::fuzz {
namespace {

// ---- Words ----

constexpr std::string_view kWords[] = {
#define PUNCT(id, spelling) spelling,
#define KEYWORD(id, spelling, since) spelling,
#define ALIAS(id, spelling, since) spelling,
#include "frontend/lex/tokens.def"
#undef PUNCT
#undef KEYWORD
#undef ALIAS
};

constexpr std::string_view kPhrases[] = {
#define PHRASE(text) text,
#include "tests/fuzz/phrases.def"
#undef PHRASE
};

/// Names with '#' stand for their versions of 2, 3, 4, 8 and 16.
constexpr std::string_view kBuiltins[] = {
#define BUILTIN(name, ...) name,
#include "frontend/builtin/builtins.def"
#undef BUILTIN
};

constexpr std::string_view kTypes[] = {
    "char#",      "uchar#",  "short#",       "ushort#",   "int#",        "uint#",     "long#",
    "ulong#",     "half#",   "float#",       "double#",   "int",         "uint",      "char",
    "float",      "double",  "half",         "long",      "bool",        "size_t",    "void",
    "atomic_int", "event_t", "queue_t",      "sampler_t", "void *",      "struct S",  "int *",
    "float4 *",   "uchar",   "atomic_float", "intptr_t",  "clk_event_t", "ndrange_t", "reserve_id_t",
#define IMAGE(kind, spelling, ...) spelling,
#include "frontend/types/images.def"
#undef IMAGE
};

constexpr std::string_view kNumbers[] = {"0",
                                         "1",
                                         "-1",
                                         "2",
                                         "3",
                                         "4",
                                         "7",
                                         "8",
                                         "16",
                                         "31",
                                         "32",
                                         "63",
                                         "64",
                                         "255",
                                         "256",
                                         "65536",
                                         "0x7fffffff",
                                         "2147483648",
                                         "0xffffffffu",
                                         "0x7fffffffffffffff",
                                         "0xffffffffffffffffUL",
                                         "1.0f",
                                         "0.0f",
                                         "-0.0f",
                                         "1e38f",
                                         "1e39f",
                                         "0x1p-149f",
                                         "1.0",
                                         "1e308",
                                         "0.5h",
                                         "3.5",
                                         "1000000",
                                         "4294967296",
                                         "(-2147483647 - 1)",
                                         "'a'",
                                         "'\\0'"};

/// Text that can be put around any part of the source.
constexpr std::array<std::string_view, 2> kWraps[] = {{"(", ")"},
                                                      {"{", "}"},
                                                      {"({", ";})"},
                                                      {"^{", "}()"},
                                                      {"sizeof(", ")"},
                                                      {"(int)(", ")"},
                                                      {"(float4)(", ")"},
                                                      {"if (1) {", "} else {}"},
                                                      {"while (x) {", "}"},
                                                      {"do {", "} while (0);"},
                                                      {"for (;;) {", "}"},
                                                      {"switch (x) {", "}"},
                                                      {"case 1: ", ";"},
                                                      {"*(", ")"},
                                                      {"&(", ")"},
                                                      {"-(", ")"},
                                                      {"!(", ")"},
                                                      {"~(", ")"},
                                                      {"(", ") ? a : b"},
                                                      {"x ? (", ") : y"},
                                                      {"(", ", 1)"},
                                                      {"x = ", ""},
                                                      {"__typeof__(", ") v;"},
                                                      {"(", ")[0]"},
                                                      {"(", ").x"},
                                                      {"#if 1\n", "\n#endif\n"},
                                                      {"#define M(x) ", "\n"},
                                                      {"\n#if ", "\n#endif\n"},
                                                      {"struct {", "} s;"},
                                                      {"union {", "} u;"},
                                                      {"typedef ", ";"},
                                                      {"__attribute__((", "))"},
                                                      {"return ", ";"},
                                                      {"l: ", ""},
                                                      {"_Generic((", "), int: 1, default: 2)"},
                                                      {"(global int *)(", ")"}};

constexpr std::string_view kOptions[] = {
    "--target=opencl1.2",
    "--target=opencl2.0",
    "--target=opencl2.1",
    "--target=opencl2.2",
    "-cl-std=CL1.0",
    "-cl-std=CL1.1",
    "-cl-std=CL1.2",
    "-cl-std=CL2.0",
    "-cl-std=CL2.0",
    "-cl-std=CL3.0",
    "-cl-std=CL3.1",
    "-c",
    "--create-library",
    "--allow-partial-linkage",
    "--emit=ast",
    "-fcolor-diagnostics",
    "-Weverything",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-Wconversion",
    "-ferror-limit=1",
    "-D N=4",
    "-D F(x)=x",
    "-D int=long",
    "-U __OPENCL_VERSION__",
    "-include macros.h",
    "-include self.h",
    "-cl-ext=-all",
    "-cl-ext=+all",
    "-cl-ext=-all,+cl_khr_fp64",
#define EXTENSION(name, macro, ...) "-cl-ext=-" #macro, "-cl-ext=+" #macro,
#include "frontend/extensions.def"
};

// ---- Text ----

struct Stretch {
    size_t begin = 0, end = 0;
    size_t size() const { return end - begin; }
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Words, numbers, literals and punctuators (of one character, mostly); blanks are left out.
std::vector<Stretch> tokens_of(std::string_view text) {
    std::vector<Stretch> tokens;
    for (size_t at = 0; at < text.size();) {
        const size_t begin = at;
        const char c = text[at++];
        if (std::isspace(static_cast<unsigned char>(c))) continue;
        if (is_word(c)) {
            const bool number = std::isdigit(static_cast<unsigned char>(c));
            while (at < text.size() && (is_word(text[at]) || (number && text[at] == '.'))) ++at;
        } else if (c == '"' || c == '\'') {
            while (at < text.size() && text[at] != c && text[at] != '\n') at += text[at] == '\\' ? 2 : 1;
            at = std::min(at + 1, text.size());
        } else {
            while (at < text.size() && at < begin + 3 && text[at] == c && std::strchr("+-<>&|=#.", c)) ++at;
        }
        tokens.push_back({begin, at});
    }
    return tokens;
}

class Mutator {
 public:
    Mutator(std::string text, unsigned seed) : text_(std::move(text)), random_(seed) {}

    /// Changes the text once; false when it has nothing to change.
    bool mutate(size_t max_size);
    /// Puts a stretch of `other` into the text.
    void splice(const std::string& other);
    const std::string& text() const { return text_; }

 private:
    size_t below(size_t n) { return n == 0 ? 0 : random_() % n; }
    template <size_t N>
    std::string_view one_of(const std::string_view (&words)[N]) {
        return words[below(N)];
    }

    std::string word();
    std::string related(std::string_view token);
    Stretch stretch(std::string_view text, const std::vector<Stretch>& tokens);
    Stretch group(std::string_view text, const std::vector<Stretch>& tokens, size_t first);
    void replace(Stretch at, std::string_view by) { text_.replace(at.begin, at.size(), by); }
    void change_options();
    void own_bytes(Stretch at, size_t max_size);

    std::string text_;
    std::minstd_rand random_;
};

std::string with_digits(std::string_view name, size_t choice) {
    static constexpr std::string_view kLanes[] = {"2", "3", "4", "8", "16"};
    std::string out;
    for (const char c : name) {
        if (c == '#')
            out += kLanes[choice % 5];
        else
            out += c;
    }
    return out;
}

std::string Mutator::word() {
    switch (below(5)) {
        case 0: return std::string(one_of(kWords));
        case 1: return with_digits(one_of(kBuiltins), random_()) + (below(2) != 0 ? "(" : "");
        case 2: return with_digits(one_of(kTypes), random_());
        case 3: return std::string(one_of(kNumbers));
        default: return std::string(one_of(kPhrases));
    }
}

/// Another token of the same kind, so that the grammar mostly stands.
std::string Mutator::related(std::string_view token) {
    const char c = token.empty() ? ' ' : token.front();
    if (std::isdigit(static_cast<unsigned char>(c))) return std::string(one_of(kNumbers));
    if (is_word(c)) {
        if (below(2) != 0) {  // a word that the text has
            const std::vector<Stretch> tokens = tokens_of(text_);
            for (int tries = 0; tries < 8; ++tries) {
                const Stretch t = tokens[below(tokens.size())];
                if (is_word(text_[t.begin])) return text_.substr(t.begin, t.size());
            }
        }
        return with_digits(below(2) != 0 ? one_of(kTypes) : one_of(kBuiltins), random_());
    }
    for (int tries = 0; tries < 8; ++tries)
        if (const std::string_view word = one_of(kWords); !is_word(word.front())) return std::string(word);
    return ";";
}

/// From an opening bracket to its partner.
Stretch Mutator::group(std::string_view text, const std::vector<Stretch>& tokens, size_t first) {
    size_t depth = 0;
    for (size_t i = first; i < tokens.size(); ++i) {
        const char c = text[tokens[i].begin];
        if (c == '(' || c == '[' || c == '{') ++depth;
        if ((c == ')' || c == ']' || c == '}') && --depth == 0) return {tokens[first].begin, tokens[i].end};
    }
    return tokens[first];
}

/// A token, some tokens, a bracketed group (with or without its brackets), a statement or a line. `tokens`
/// has some.
Stretch Mutator::stretch(std::string_view text, const std::vector<Stretch>& tokens) {
    const size_t first = below(tokens.size());
    switch (below(6)) {
        case 0: return tokens[first];
        case 1: return {tokens[first].begin, tokens[std::min(first + below(8), tokens.size() - 1)].end};
        case 2:
        case 3: {
            for (size_t i = first; i < tokens.size(); ++i) {
                if (!std::strchr("([{", text[tokens[i].begin])) continue;
                const Stretch found = group(text, tokens, i);
                if (found.size() > 2 && below(3) == 0) return {found.begin + 1, found.end - 1};
                return found;
            }
            return tokens[first];
        }
        case 4: {
            size_t end = first;
            while (end + 1 < tokens.size() && !std::strchr(";}", text[tokens[end].begin])) ++end;
            size_t begin = first;
            while (begin > 0 && !std::strchr(";{}", text[tokens[begin - 1].begin])) --begin;
            return {tokens[begin].begin, tokens[end].end};
        }
        default: {
            const size_t before = text.rfind('\n', tokens[first].begin);
            const size_t after = text.find('\n', tokens[first].begin);
            return {before == text.npos ? 0 : before + 1, after == text.npos ? text.size() : after + 1};
        }
    }
}

/// Adds an option to the first line, or takes the line away.
void Mutator::change_options() {
    constexpr std::string_view kMarker = "// OPTIONS:";
    if (!text_.starts_with(kMarker)) text_.insert(0, std::string(kMarker) + "\n");
    const size_t end = std::min(text_.find('\n'), text_.size());
    if (below(4) == 0) {
        text_.erase(0, end + 1);
    } else if (const size_t space = text_.rfind(' ', end);
               below(3) == 0 && space < end && space > kMarker.size()) {
        text_.erase(space, end - space);
    } else {
        text_.insert(end, " " + std::string(one_of(kOptions)));
    }
}

/// libFuzzer's own mutations, on a part.
void Mutator::own_bytes(Stretch at, size_t max_size) {
    std::string part = text_.substr(at.begin, at.size());
    const size_t room = std::max(part.size(), std::min(part.size() + 64, max_size));
    std::vector<uint8_t> bytes(room);
    std::memcpy(bytes.data(), part.data(), part.size());
    const size_t size = LLVMFuzzerMutate(bytes.data(), part.size(), room);
    replace(at, {reinterpret_cast<const char*>(bytes.data()), size});
}

bool Mutator::mutate(size_t max_size) {
    const std::vector<Stretch> tokens = tokens_of(text_);
    if (tokens.empty()) return false;
    const Stretch token = tokens[below(tokens.size())];
    const Stretch at = stretch(text_, tokens);
    const std::string copy = text_.substr(at.begin, at.size());
    switch (below(16)) {
        case 0:
        case 1: replace(at, ""); break;
        case 2: replace({at.end, at.end}, copy); break;
        case 3: replace({token.begin, token.begin}, copy + " "); break;
        case 4: replace(stretch(text_, tokens), copy); break;
        case 5: {  // swap with another stretch
            const Stretch other = stretch(text_, tokens);
            if (other.begin < at.end && at.begin < other.end) return false;
            const Stretch low = std::min(at, other, [](Stretch a, Stretch b) { return a.begin < b.begin; });
            const Stretch high = low.begin == at.begin ? other : at;
            const std::string lower = text_.substr(low.begin, low.size()),
                              upper = text_.substr(high.begin, high.size());
            replace(high, lower);
            replace(low, upper);
            break;
        }
        case 6:
        case 7:
        case 8:
        case 9: replace(token, related({text_.data() + token.begin, token.size()})); break;
        case 10: replace({token.begin, token.begin}, " " + word() + " "); break;
        case 11: replace(at, word()); break;
        case 12: {
            const auto& [before, after] = kWraps[below(std::size(kWraps))];
            replace(at, std::string(before) + copy + std::string(after));
            break;
        }
        case 13: change_options(); break;
        case 14: own_bytes(token, max_size); break;
        default: {  // many times: what nests or repeats must stay bounded
            std::string many = copy;
            for (size_t n = below(6); n > 0 && many.size() * 2 < max_size; --n) many += many;
            replace(at, many);
            break;
        }
    }
    return true;
}

void Mutator::splice(const std::string& other) {
    const std::vector<Stretch> theirs = tokens_of(other), mine = tokens_of(text_);
    if (theirs.empty() || mine.empty()) return;
    const Stretch from = stretch(other, theirs);
    Stretch to = stretch(text_, mine);
    if (below(2) != 0) to.end = to.begin;
    replace(to, other.substr(from.begin, from.size()));
}

size_t give(const std::string& text, uint8_t* data, size_t max_size) {
    const size_t size = std::min(text.size(), max_size);
    std::memcpy(data, text.data(), size);
    return size;
}

std::string text_of(const uint8_t* data, size_t size) { return {reinterpret_cast<const char*>(data), size}; }

}  // namespace
}  // namespace caldera::fuzz

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
    using namespace caldera::fuzz;
    if (seed % 4 == 0) return LLVMFuzzerMutate(data, size, max_size);
    Mutator mutator(text_of(data, size), seed);
    for (unsigned n = 1 + seed / 4 % 4; n > 0; --n)
        if (!mutator.mutate(max_size)) return LLVMFuzzerMutate(data, size, max_size);
    return give(mutator.text(), data, max_size);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* a, size_t a_size, const uint8_t* b, size_t b_size,
                                            uint8_t* out, size_t max_out_size, unsigned seed) {
    using namespace caldera::fuzz;
    Mutator mutator(text_of(a, a_size), seed);
    for (unsigned n = 1 + seed % 3; n > 0; --n) mutator.splice(text_of(b, b_size));
    return give(mutator.text(), out, max_out_size);
}
