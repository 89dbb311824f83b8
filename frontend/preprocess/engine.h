// SPDX-License-Identifier: Apache-2.0
// The preprocessor's state, shared by the files of this folder:
//   engine.cpp     the stream of tokens: files, expansions, keywords
//   expand.cpp     macro expansion (6.10.3.1 to 6.10.3.5)      define.cpp   #define and #undef
//   directive.cpp  directives and conditional groups           condition.cpp   #if's expressions
//   include.cpp    finding and entering files                  pragma.cpp   #pragma and _Pragma
//
// Expansion keeps a stack of contexts, one for each macro that is being rescanned. A macro is disabled while
// its context is on the stack, and its name, met then, is painted (Tok::no_expand) for ever: C99 6.10.3.4p2.
// This is the algorithm of gcc and clang; it needs no sets of names.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "frontend/arena.h"
#include "frontend/compile_options.h"
#include "frontend/diag.h"
#include "frontend/lex/lexer.h"
#include "frontend/preprocess/macro.h"
#include "frontend/preprocess/preprocessor.h"
#include "frontend/source.h"

namespace caldera::frontend::pp {

/// clang's limit, which turns a cycle of #include into an error.
constexpr size_t kMaxIncludeDepth = 200;
/// Limits for malicious sources: files entered, tokens and bytes that expansion produces, nested arguments.
constexpr uint64_t kMaxIncludes = 1 << 16;
constexpr uint64_t kMaxIncludedBytes = 1 << 29;
constexpr uint64_t kMaxExpansion = 1 << 22, kMaxExpansionPerByte = 256;  // of each file, counted once
constexpr size_t kMaxArgumentDepth = 256;
constexpr size_t kMaxConditionDepth = 1000;

struct Conditional {
    SourceRange directive = {};
    bool taken = false;  // one of its groups was entered
    bool seen_else = false;
};

/// A file that is being read.
struct OpenFile {
    Lexer lexer;
    std::string directory = {};  // where its #include "..." look first; empty: the working directory
    std::string path = {};
    std::string_view text = {};
    bool shows_dot = false;  // clang shows what is found from the working directory as "./x.h"
    size_t search_from = 0;  // of #include_next: the first include directory not yet tried
    std::vector<Conditional> conditionals = {};
    NameId guard = 0;          // of `#ifndef guard`, before which nothing stands
    bool unguarded = false;    // there is more than that group, or it has an #else
    bool macros_only = false;  // -imacros: its text goes
};

/// Tokens to read before those of the file: the expansion of `macro`, or an argument.
struct Context {
    std::vector<Tok> tokens = {};
    size_t at = 0;
    Macro* macro = nullptr;
    bool barrier =
        false;  // reading ends here: an argument is expanded as if it were the whole file (6.10.3.1p1)
    bool space_after = false;  // before the next token, whoever gives it
};

/// An argument of a macro invocation.
struct Argument {
    std::vector<Tok> raw = {};
    std::vector<Tok> expanded = {};
    bool is_expanded = false;
};

struct ArgumentList {
    std::vector<Argument> args = {};
    SourceLoc end = {};              // past the ')'
    bool variadic_left_out = false;  // not even a comma stands for the variadic one
};

class Engine {
 public:
    Engine(SourceManager& sources, const CompileOptions& options, Arena& arena, Diagnostics& diags);

    void enter_main(std::string_view source, const std::string& name);
    void next(Tok& tok);  // with keywords; End for ever after the last
    const std::vector<std::string>& dependencies() const { return dependencies_; }
    std::string definitions();
    void keep_all_pragmas() { keep_all_pragmas_ = true; }
    void keep_definitions() { keep_definitions_ = true; }
    const std::vector<std::string>& included() const { return included_; }
    void know(KnownNames names) { known_names_ = std::move(names); }
    void note_macros(std::vector<MacroMention>& mentions) { mentions_ = &mentions; }
    void for_each_macro(const std::function<void(SourceRange, std::string_view)>& visit) const;
    const std::vector<SourceLoc>& entered() const { return entered_; }
    NameTable& names() { return names_; }
    /// -C: the comments before the last token that next() returned, each only once.
    std::vector<Comment> take_comments() { return std::exchange(comments_, {}); }

 private:
    // engine.cpp
    void lex(Tok& tok);           // the next token, not expanded
    void lex_expanded(Tok& tok);  // the next token after expansion
    Tok lex() {
        Tok tok;
        lex(tok);
        return tok;
    }
    Tok lex_expanded() {
        Tok tok;
        lex_expanded(tok);
        return tok;
    }
    void from_file(Tok& tok);
    void take_carried(Tok& tok);
    bool leave_file();
    void open(OpenFile&& file);
    OpenFile& file() { return files_.back(); }
    Lexer& lexer() { return files_.back().lexer; }
    void push_context(std::vector<Tok>&& tokens, Macro* macro, bool barrier = false);
    void pop_context();
    void halt(SourceRange range, std::string_view message);
    bool spend(uint64_t tokens, SourceRange range);
    Macro* find_macro(NameId name) { return facts(name).macro; }
    /// What a name means to the preprocessor. At the first request, predefined macros are looked up.
    struct NameFacts {
        Macro* macro = nullptr;
        Token keyword = Token::Identifier;
        bool is_known = false;
        bool is_poisoned = false;  // by #pragma GCC poison
    };
    const NameFacts& facts(NameId name) {
        const NameFacts& known = name_facts_[name];
        return known.is_known ? known : find_facts(name);
    }
    const NameFacts& find_facts(NameId name);
    std::vector<Tok> lex_text(std::string_view text, const char* file_name, SourceLoc from);

    // expand.cpp
    bool expand(const Tok& name, Macro& macro);
    bool left_paren_follows();
    std::optional<ArgumentList> collect_arguments(const Tok& name, const Macro& macro);
    bool check_arguments(const Macro& macro, ArgumentList& list);
    const std::vector<Tok>& expanded(Argument& argument);
    std::vector<Tok> substitute(const Tok& name, const Macro& macro, ArgumentList* list, bool& space_after);
    Tok dynamic_token(const Tok& name, Dynamic kind);
    Tok stringify(const std::vector<Tok>& tokens, const Tok& place);
    std::optional<Tok> paste(const Tok& left, const Tok& right, SourceRange place);

    // define.cpp
    void define();
    void undefine();
    void hand_over_directive(std::string_view text, SourceRange range);
    bool define_params(Macro& macro);
    bool define_body(Macro& macro, Tok tok);
    bool define_pieces(Macro& macro, Tok tok);
    bool open_optional(Macro& macro, const Tok& name, size_t& optional, SourceRange& open);
    void add_definition(Macro& macro);
    bool is_defined(const Tok& name);
    void note(const Macro& macro, SourceRange range);
    void unused_macros();
    std::optional<Tok> macro_name(bool defining);
    Macro* make_predefined(const Predefined& row);

    // directive.cpp
    void directive(const Tok& hash);
    void conditional(const Tok& name, SourceRange place);
    void begin_group(SourceRange place, bool taken);
    void warn_elifdef(const Tok& name);
    void else_group(const Tok& name, SourceRange place);
    void end_group(SourceRange place);
    void skip_groups();
    bool is_defined_directive(bool wanted, std::string_view name);
    void line(const Tok* digits);
    void ident(const Tok& name);
    void message(const Tok& name, bool is_error);
    void finish_directive();
    void expect_end(std::string_view directive);

    // condition.cpp
    bool condition();
    std::optional<Tok> defined_operator(const Tok& name);
    std::optional<Tok> has_include_operator(const Tok& name, bool next);
    bool has_name(Dynamic kind, std::string_view name) const;
    bool has_name_operator(const Tok& name, Dynamic kind);

    // include.cpp
    void include(const Tok& name, bool next, bool macros_only = false);
    struct Header {
        std::string name = {};
        bool angled = false;
        SourceRange range = {};
    };
    std::optional<Header> header_operand();
    struct Found {
        std::string path = {};
        std::string directory = {};
        bool shows_dot = false;
        size_t search_from = 0;
        std::string text = {};
        bool is_empty = false;  // by its guard; it was not even read
    };
    std::optional<Found> find_header(const Header& header, bool next);
    bool is_read_once(const Found& found) const;
    std::optional<std::string> read(const std::string& path, SourceRange header);
    void enter(Found&& found, SourceRange header);
    void note_guard(const Tok& guard);

    // pragma.cpp
    void pragma();
    void pragma_operator(const Tok& name);
    void handle_pragma(std::vector<Tok> tokens, SourceRange place);
    void pragma_diagnostic(const std::vector<Tok>& tokens);
    std::vector<Tok> expanded_pragma(std::vector<Tok> tokens);
    void pragma_message(const std::vector<Tok>& tokens, size_t word);
    void pragma_macro(const std::vector<Tok>& tokens, SourceRange place);
    void pragma_poison(const std::vector<Tok>& tokens);
    void refuse_poison(const Tok& name);

    SourceManager& sources_;
    const CompileOptions& options_;
    Arena& arena_;
    Diagnostics& diags_;
    NameTable names_ = {};

    std::deque<OpenFile> files_ = {};  // the last one is being read
    std::vector<Context> contexts_ = {};
    std::deque<Macro> macros_ = {};
    ByName<NameFacts> name_facts_ = {};
    ByName<uint32_t> param_numbers_ = {};  // of the macro that is being defined, counted from 1
    // the texts of files with #pragma once, by paths without "." and ".."
    std::unordered_map<std::string, std::string_view> once_ = {};
    std::unordered_map<std::string, std::vector<Macro*>> pushed_macros_ = {};  // by #pragma push_macro
    bool has_poison_ = false;
    std::unordered_map<std::string, NameId> guards_ = {};  // of files that are empty where it is defined
    std::vector<std::string> directories_ = {};            // of #include, those of -iquote first
    std::vector<std::string> dependencies_ = {};
    std::unordered_set<std::string> seen_paths_ = {};
    std::vector<SourceLoc> entered_ = {};  // the first byte of every file, in order
    std::string main_name_ = {};
    std::optional<Tok> pragma_token_ = {};  // to be handed out next
    Tok end_ = {};
    bool ended_ = false;
    bool keep_all_pragmas_ = false, keep_definitions_ = false;
    std::vector<std::string> included_ = {};  // for -H
    KnownNames known_names_ = {};
    std::vector<MacroMention>* mentions_ = nullptr;
    bool carry_space_ = false, carry_line_start_ = false;  // of a macro that expanded to nothing
    uint64_t counter_ = 0, includes_ = 0, included_bytes_ = 0;
    uint64_t spent_ = 0, expansion_limit_ = kMaxExpansion;
    size_t argument_depth_ = 0;  // arguments being expanded within each other
    std::vector<Comment> comments_ = {};
    size_t collecting_ = 0;  // arguments being collected: directives are noted
};

}  // namespace caldera::frontend::pp
