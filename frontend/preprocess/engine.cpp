// SPDX-License-Identifier: Apache-2.0
// The stream of tokens.
#include "frontend/preprocess/engine.h"

#include "frontend/preprocess/preprocessor.h"
#include "spirv/support/paths.h"

namespace caldera::frontend {

struct Preprocessor::Impl {
    pp::Engine engine;
};

Preprocessor::Preprocessor(SourceManager& sources, const CompileOptions& options, Arena& arena,
                           Diagnostics& diags)
    : sources_(sources), impl_(new Impl{pp::Engine(sources, options, arena, diags)}) {}
Preprocessor::~Preprocessor() = default;
void Preprocessor::enter_main_file(std::string_view source, const std::string& file_name) {
    impl_->engine.enter_main(source, file_name);
}
void Preprocessor::know(KnownNames names) { impl_->engine.know(std::move(names)); }
void Preprocessor::note_macros(std::vector<MacroMention>& mentions) { impl_->engine.note_macros(mentions); }
void Preprocessor::for_each_macro(const std::function<void(SourceRange, std::string_view)>& visit) const {
    impl_->engine.for_each_macro(visit);
}
void Preprocessor::next(Tok& tok) { impl_->engine.next(tok); }
const std::vector<std::string>& Preprocessor::dependencies() const { return impl_->engine.dependencies(); }
void Preprocessor::keep_definitions() { impl_->engine.keep_definitions(); }
const std::vector<std::string>& Preprocessor::included() const { return impl_->engine.included(); }
void Preprocessor::keep_all_pragmas() { impl_->engine.keep_all_pragmas(); }
std::vector<Comment> Preprocessor::take_comments() { return impl_->engine.take_comments(); }
std::string Preprocessor::definitions() { return impl_->engine.definitions(); }
NameTable& Preprocessor::names() { return impl_->engine.names(); }
const std::vector<SourceLoc>& Preprocessor::entered_files() const { return impl_->engine.entered(); }

namespace pp {

Engine::Engine(SourceManager& sources, const CompileOptions& options, Arena& arena, Diagnostics& diags)
    : sources_(sources), options_(options), arena_(arena), diags_(diags) {
    for (const auto* list :
         {&options.quote_dirs, &options.include_dirs, &options.system_dirs, &options.last_dirs})
        directories_.insert(directories_.end(), list->begin(), list->end());
}

/// -D, -U and -include, written as the equivalent source lines.
static std::string command_line(const CompileOptions& options, Diagnostics& diags) {
    std::string text;
    for (const MacroOption& m : options.macros) {
        if (m.undefine) {
            text += "#undef " + m.name + "\n";
            continue;
        }
        const std::string line = m.text.substr(0, m.text.find_first_of("\n\r"));
        if (line.size() != m.text.size())
            diags.warning(Warning::MacroNewline, {}, "macro '", m.name,
                          "' contains embedded newline; text after the newline is ignored");
        text += "#define " + m.name + " " + line;
        const size_t last = line.find_last_not_of(" \t\v\f");
        if (last != std::string::npos && line[last] == '\\') text += "\\\n";  // else it would join the next
        text += "\n";
    }
    for (const std::string& name : options.macro_files) text += "#__include_macros \"" + name + "\"\n";
    for (const std::string& name : options.includes) text += "#include \"" + name + "\"\n";
    return text;
}

void Engine::enter_main(std::string_view source, const std::string& name) {
    main_name_ = name;
    dependencies_.push_back(name);
    expansion_limit_ += source.size() * kMaxExpansionPerByte;
    SourceLoc begin = sources_.add_file(name, std::string(source));
    if (!begin) {
        diags_.fatal({}, "'", name, "' is too large; the limit is 4 GiB");
        ended_ = true;
        return;
    }
    entered_.push_back(begin);
    diags_.warning_map().enter(begin);
    const std::string_view folder = folder_of(name);
    open({.lexer = Lexer(sources_.file_text(begin), begin, names_, arena_, diags_),
          .directory = std::string(folder),
          .path = name,
          .shows_dot = folder.empty()});
    std::string options = command_line(options_, diags_);
    if (options.empty()) return;
    begin = sources_.add_file("<command line>", std::move(options));
    diags_.warning_map().enter(begin);
    if (begin)
        files_.push_back(
            {.lexer = Lexer(sources_.file_text(begin), begin, names_, arena_, diags_), .shows_dot = true});
}

void Engine::open(OpenFile&& file) {
    files_.push_back(std::move(file));
    if (options_.keep_comments) lexer().keep_comments(&comments_);
}

void Engine::next(Tok& tok) {
    if (ended_ || diags_.stopped()) {
        ended_ = true;
        tok = end_;
        return;
    }
    lex_expanded(tok);
    if (tok.kind == Token::Identifier) tok.kind = facts(tok.name).keyword;
    if (tok.kind == Token::End) {
        ended_ = true;
        end_ = tok;
    }
}

void Engine::lex_expanded(Tok& tok) {
    for (;;) {
        lex(tok);
        if (tok.kind != Token::Identifier || tok.no_expand) return;
        Macro* macro = find_macro(tok.name);
        if (!macro) {
            if (tok.text == "_Pragma" && argument_depth_ == 0 && !lexer().in_directive()) {
                pragma_operator(tok);
                continue;
            }
            return;
        }
        if (macro->disabled != 0) {
            tok.no_expand = true;
            return;
        }
        if (!expand(tok, *macro)) return;
    }
}

void Engine::lex(Tok& tok) {
    for (;;) {
        if (pragma_token_ && argument_depth_ == 0) {
            tok = *pragma_token_;
            pragma_token_.reset();
            return;
        }
        if (contexts_.empty()) break;
        Context& top = contexts_.back();
        if (top.at < top.tokens.size()) {
            tok = top.tokens[top.at++];
            return take_carried(tok);
        }
        if (top.barrier) {
            tok = {.kind = Token::End, .range = end_.range};
            return;
        }
        pop_context();
    }
    from_file(tok);
    take_carried(tok);
}

/// Space before a macro that expanded to nothing counts as before the next token.
void Engine::take_carried(Tok& tok) {
    tok.space_before |= carry_space_;
    tok.at_line_start |= carry_line_start_;
    carry_space_ = carry_line_start_ = false;
}

/// The next token of the files that is not part of a directive.
void Engine::from_file(Tok& tok) {
    for (;;) {
        if (ended_ || diags_.stopped()) {
            tok = {.kind = Token::End, .range = end_.range};
            return;
        }
        OpenFile& source = file();
        source.lexer.next(tok);
        if (tok.kind == Token::Hash && tok.at_line_start && !source.lexer.in_directive()) {
            directive(tok);
            if (file().macros_only && !keep_definitions_) pragma_token_.reset();
            if (pragma_token_) {
                tok = *pragma_token_;
                pragma_token_.reset();
                return;
            }
            continue;
        }
        if (tok.kind != Token::End) {
            if (source.macros_only) continue;
            if (has_poison_ && tok.kind == Token::Identifier) refuse_poison(tok);
            source.unguarded |= source.conditionals.empty();
            return;
        }
        end_.range = tok.range;
        end_.at_line_start = true;
        if (collecting_ != 0) return;  // a macro's arguments end with their file
        if (!leave_file()) return;
    }
}

/// Returns false if the main file has ended.
bool Engine::leave_file() {
    for (auto c = file().conditionals.rbegin(); c != file().conditionals.rend(); ++c)
        diags_.error(c->directive, "unterminated conditional directive");
    if (file().guard != 0 && !file().unguarded && file().conditionals.empty())
        guards_.try_emplace(file().path, file().guard);
    file().conditionals.clear();
    if (files_.size() == 1) {
        if (!ended_) unused_macros();
        ended_ = true;
        return false;
    }
    files_.pop_back();
    diags_.warning_map().enter(lexer().here());
    return true;
}

void Engine::push_context(std::vector<Tok>&& tokens, Macro* macro, bool barrier) {
    if (macro) ++macro->disabled;
    contexts_.push_back({.tokens = std::move(tokens), .macro = macro, .barrier = barrier});
}

void Engine::pop_context() {
    if (Macro* macro = contexts_.back().macro) --macro->disabled;
    carry_space_ |= contexts_.back().space_after;
    contexts_.pop_back();
}

/// Gives up on the source with a fatal error.
void Engine::halt(SourceRange range, std::string_view message) {
    diags_.fatal(range, message);
    ended_ = true;
}

/// Counts the tokens that an expansion makes. If a source makes too many, stops it and returns false.
bool Engine::spend(uint64_t tokens, SourceRange range) {
    spent_ += tokens;
    if (spent_ <= expansion_limit_) return true;
    if (!ended_) halt(range, "macro expansion produces too many tokens");
    return false;
}

const Engine::NameFacts& Engine::find_facts(NameId name) {
    std::string_view text = names_.text(name);
    NameFacts found = {.keyword = keyword(text, options_.standard), .is_known = true};
    name_facts_[name] = found;  // a predefined macro may name itself
    if (const Predefined* row = find_predefined(text, options_)) found.macro = make_predefined(*row);
    return name_facts_[name] = found;
}

/// The tokens of a generated text. It gets a file name for its locations.
std::vector<Tok> Engine::lex_text(std::string_view text, const char* file_name, SourceLoc from) {
    SourceLoc begin = sources_.add_file(file_name, std::string(text), from);
    if (!begin) {
        halt({from, from}, "the source is too large");
        return {};
    }
    Lexer lexer(sources_.file_text(begin), begin, names_, arena_, diags_);
    std::vector<Tok> tokens;
    for (Tok tok = lexer.next(); tok.kind != Token::End; tok = lexer.next()) tokens.push_back(tok);
    return tokens;
}

}  // namespace pp
}  // namespace caldera::frontend
