// SPDX-License-Identifier: Apache-2.0
#include "frontend/preprocess/print.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace caldera::frontend {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
/// With what is not ASCII.
bool is_word(char c) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return is_letter || is_digit(c) || c == '_' || c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

/// Whether two tokens need a space between them to be read as the same two tokens.
bool would_join(const Tok& left, const Tok& right) {
    if (left.text.empty() || right.text.empty()) return false;
    char a = left.text.back(), b = right.text.front();
    if (is_word(a) && (is_word(b) || ((b == '"' || b == '\'') && left.text == "L"))) return true;
    bool exponent = a == 'e' || a == 'E' || a == 'p' || a == 'P';
    if (left.kind == Token::Number && (b == '.' || ((b == '+' || b == '-') && exponent))) return true;
    if (b == '=') return std::string_view("=!<>+-*/%&|^").find(a) != std::string_view::npos;
    switch (a) {
        case '.': return b == '.' || is_digit(b);
        case '-': return b == '-' || b == '>';
        case '<': return b == '<' || b == ':' || b == '%';
        case '%': return b == '>' || b == ':';
        case ':': return b == '>' || b == ':';
        case '/': return b == '/' || b == '*';
        case '+':
        case '>':
        case '&':
        case '|':
        case '#': return a == b;
        default: return false;
    }
}

class Printer {
 public:
    Printer(Preprocessor& tokens, const SourceManager& sources, bool markers)
        : tokens_(tokens), sources_(sources), markers_(markers) {}

    std::string print() {
        enter_files();
        for (Tok tok = tokens_.next(); tok.kind != Token::End; tok = tokens_.next()) {
            comments_and_files();
            token(tok);
        }
        comments_and_files();
        while (stack_.size() > 1) leave_file();
        end_line();
        return std::move(out_);
    }

 private:
    void comments_and_files();
    void comment(const Comment& comment);
    void enter_files();
    void leave_file();
    void return_to(SourceLoc at);
    void token(const Tok& tok);
    void go_to_line(const PresumedLoc& place);
    void marker(uint32_t line, std::string_view file, const char* flag);
    void end_line() {
        if (!out_.empty() && out_.back() != '\n') out_ += '\n';
    }

    Preprocessor& tokens_;
    const SourceManager& sources_;
    bool markers_;
    std::string out_ = {};
    std::vector<SourceLoc> stack_ = {};  // first bytes of the files that are open
    size_t entered_ = 0;
    uint32_t line_ = 1;
    bool after_comment_ = false;  // on this line
    std::string file_ = {};
    Tok last_ = {};
};

void Printer::marker(uint32_t line, std::string_view file, const char* flag) {
    line_ = line;
    file_ = file;
    end_line();
    if (!markers_) return;
    out_ += "# " + std::to_string(line) + " \"";
    for (char c : file) {
        if (c == '"' || c == '\\') out_ += '\\';
        out_ += c;
    }
    out_ += std::string("\"") + flag + "\n";
}

/// The markers of files that were entered and left again since the last token.
void Printer::enter_files() {
    for (; entered_ < tokens_.entered_files().size(); ++entered_) {
        SourceLoc begin = tokens_.entered_files()[entered_];
        SourceLoc from = sources_.presumed(begin).included_from;
        while (stack_.size() > 1 &&
               sources_.file_text(stack_.back()).data() != sources_.file_text(from).data())
            leave_file();
        marker(1, sources_.file_name(begin), stack_.empty() ? "" : " 1");
        stack_.push_back(begin);
    }
}

/// Leaves the files that were entered after the one that contains `at`.
void Printer::return_to(SourceLoc at) {
    while (stack_.size() > 1 && sources_.file_text(stack_.back()).data() != sources_.file_text(at).data()) {
        bool open = false;
        for (SourceLoc s : stack_) open |= sources_.file_text(s).data() == sources_.file_text(at).data();
        if (!open) break;  // out of -D's text, say
        leave_file();
    }
}

void Printer::leave_file() {
    SourceLoc from = sources_.presumed(stack_.back()).included_from;
    stack_.pop_back();
    PresumedLoc place = sources_.presumed(from);
    std::string_view name = place.file == "<command line>" ? sources_.file_name(stack_.back()) : place.file;
    marker(place.file == "<command line>" ? 1 : place.line + 1, name, " 2");
}

/// The comments that were skipped since the last token, in files that were open then and in those entered
/// since.
void Printer::comments_and_files() {
    const std::vector<Comment> comments = tokens_.take_comments();
    const std::string_view open = stack_.empty() ? "" : sources_.file_text(stack_.back());
    auto next = comments.begin();
    for (; next != comments.end() && sources_.file_text(next->at).data() == open.data(); ++next)
        comment(*next);
    enter_files();
    for (; next != comments.end(); ++next) comment(*next);
}

void Printer::comment(const Comment& comment) {
    return_to(comment.at);
    const PresumedLoc place = sources_.presumed(comment.at);
    if (place.file != file_ || place.line != line_) go_to_line(place);
    if (out_.empty() || out_.back() == '\n')
        out_.append(place.column - 1, ' ');
    else
        out_ += ' ';
    out_ += comment.text;
    line_ += static_cast<uint32_t>(std::ranges::count(comment.text, '\n'));
    after_comment_ = true;
}

void Printer::go_to_line(const PresumedLoc& place) {
    if (place.file != file_) return marker(place.line, place.file, "");
    if (!out_.empty() && out_.back() != '\n') {
        out_ += '\n';
        ++line_;
    }
    if (place.line > line_ && place.line - line_ <= 8)
        out_.append(place.line - line_, '\n');
    else if (place.line != line_)
        return marker(place.line, place.file, "");
    line_ = place.line;
}

void Printer::token(const Tok& tok) {
    SourceLoc at = sources_.expansion(tok.range.begin);
    return_to(at);
    bool line_start = out_.empty() || out_.back() == '\n';
    const bool goes_on = std::exchange(after_comment_, false) && tok.kind != Token::Pragma &&
                         sources_.presumed(at).line == line_;
    if (goes_on) {
        out_ += ' ';
    } else if (tok.at_line_start || tok.kind == Token::Pragma || last_.kind == Token::Pragma) {
        PresumedLoc place = sources_.presumed(at);
        go_to_line(place);
        const bool kept = tok.text.starts_with("#define ") || tok.text.starts_with("#undef ");  // -dD
        if (tok.kind == Token::Pragma)
            out_ += kept ? "" : "#pragma ";
        else
            out_.append(place.column - 1, ' ');
        if (tok.kind != Token::Pragma && tok.text.starts_with('#') && place.column == 1) out_ += ' ';
    } else if (!line_start) {
        bool adjacent = last_.range.end == tok.range.begin && !sources_.is_macro(tok.range.begin);
        if (tok.space_before || (!adjacent && would_join(last_, tok))) out_ += ' ';
    }
    out_ += tok.text;
    if (tok.kind == Token::Pragma) {
        out_ += '\n';
        ++line_;
    }
    last_ = tok;
}

}  // namespace

std::string print_tokens(Preprocessor& tokens, const SourceManager& sources, bool markers) {
    return Printer(tokens, sources, markers).print();
}

}  // namespace caldera::frontend
