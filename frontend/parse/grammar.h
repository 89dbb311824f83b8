// SPDX-License-Identifier: Apache-2.0
// The parser's state and its rules: recursive descent over C99 annex A.2 with OpenCL C's and GNU's additions,
// one function per rule, except that binary operators are climbed by precedence.
//
// The parser knows about a name only what C's grammar requires: whether it is a type in this scope, and
// whether that type is a vector (`(float4)(a, b)` is a literal, `(int)(a, b)` a cast) or a function. Private
// to parse/.
#pragma once

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "frontend/ast/ast.h"
#include "frontend/compile_options.h"
#include "frontend/diag.h"
#include "frontend/preprocess/token_store.h"

namespace caldera::frontend {

/// A list under construction. Nested lists share a stack, so that building a list allocates nothing.
template <class T>
class List {
 public:
    explicit List(std::vector<T>& stack) : stack_(stack), begin_(stack.size()) {}
    ~List() { stack_.erase(stack_.begin() + static_cast<std::ptrdiff_t>(begin_), stack_.end()); }
    List(const List&) = delete;
    List& operator=(const List&) = delete;

    void push(T item) { stack_.push_back(item); }
    size_t size() const { return stack_.size() - begin_; }
    bool empty() const { return size() == 0; }
    T& operator[](size_t index) { return stack_[begin_ + index]; }
    std::span<T> finish(Arena& arena) {
        return arena.copy(std::span<const T>(stack_.data() + begin_, size()));
    }

 private:
    std::vector<T>& stack_;
    size_t begin_;
};

/// Before OpenCL C 2.0, the lexer treats the word as an identifier, and the parser as a qualifier that it
/// rejects (OpenCL C 6.5).
inline bool is_generic_word(const Tok& tok) { return tok.text == "generic" || tok.text == "__generic"; }

class Parser {
 public:
    Parser(TokenStore& tokens, const CompileOptions& options, TypeTable& types, Arena& arena,
           Diagnostics& diags);

    bool next_in_unit(std::vector<Decl*>& decls);

 private:
    static constexpr uint32_t kMaxBrackets = 256;  ///< clang's -fbracket-depth
    static constexpr uint32_t kMaxDepth = 1024;    ///< levels of the tree; the later stages recurse over it

    // ---- Tokens (parser.cpp) ----
    void next(Tok& tok);
    void advance();
    const Tok& peek();  ///< the token after the current one
    bool at(Token kind) const { return tok_.kind == kind; }
    bool accept(Token kind);
    SourceRange after_last() const;  ///< where a missing token would stand
    SourceRange since(SourceLoc begin) const;
    void cut_off();  ///< from here on only End is read

    // ---- Errors and recovery (parser.cpp) ----
    /// Reports a syntax error, unless the parser is recovering from another one: one fault gives one error.
    template <class... Parts>
    Diagnostics::Handle error(SourceRange range, const Parts&... parts) {
        if (is_silent()) return {};
        panicking_ = true;
        end_is_reported_ = at(Token::End);
        return diags_.error(range, parts...);
    }
    /// Consumes the terminator `kind`, or reports an error after the previous token with a fix-it that
    /// inserts it.
    bool expect(Token kind, std::string_view message = {});
    bool expect_semicolon(std::string_view message);
    Expr* error_expr(SourceRange range);
    Expr* expected_expression();
    bool at_stray_brace();
    /// Returns `e`, or an ErrorExpr if it could not be parsed completely. Nothing more is reported about an
    /// ErrorExpr.
    Expr* whole(Expr* e) {
        if (!panicking_) return e;
        Expr* error = error_expr(e->range);
        as<ErrorExpr>(*error).partial = e;
        return error;
    }
    enum SkipFlags : unsigned { kStopAtSemicolon = 1, kStopAtLeftBrace = 2, kStopAtComma = 4 };
    /// Skips balanced text up to `target` (not over it), or to what `flags` stop at, an unbalanced `}` or the
    /// end.
    bool skip_to(Token target, unsigned flags);
    void skip_balanced();     ///< one token, or a bracketed group
    void skip_statement();    ///< over the next `;`, or up to `}`; what follows reports again
    void skip_declaration();  ///< the same for a declaration at file scope, over a body too
    void synchronise() { panicking_ = false; }
    bool is_silent() const { return panicking_ || end_is_reported_; }

    // ---- Nesting (parser.cpp) ----
    /// Counts one level of the tree while it exists.
    class Nest {
     public:
        explicit Nest(Parser& parser) : parser_(parser) {
            if (++parser.depth_ > parser.peak_) parser.peak_ = parser.depth_;
            if (parser.depth_ > kMaxDepth) parser.too_deep();
        }
        ~Nest() { --parser_.depth_; }
        Nest(const Nest&) = delete;
        Nest& operator=(const Nest&) = delete;

     private:
        Parser& parser_;
    };
    /// Measures the depth of the current expression while it exists, for suffixes that push it down a level
    /// (wrap).
    class Spine {
     public:
        explicit Spine(Parser& parser) : parser_(parser), outer_peak_(parser.peak_) {
            parser_.peak_ = parser_.depth_;
        }
        ~Spine() { parser_.peak_ = std::max(parser_.peak_, outer_peak_); }
        Spine(const Spine&) = delete;
        Spine& operator=(const Spine&) = delete;

     private:
        Parser& parser_;
        uint32_t outer_peak_;
    };
    /// While this lives, a `}` may end braces within an expression.
    class BracesInExpression {
     public:
        explicit BracesInExpression(Parser& parser) : parser_(parser) { ++parser_.braces_in_expressions_; }
        ~BracesInExpression() { --parser_.braces_in_expressions_; }
        BracesInExpression(const BracesInExpression&) = delete;
        BracesInExpression& operator=(const BracesInExpression&) = delete;

     private:
        Parser& parser_;
    };
    void wrap();  ///< the expression in hand becomes the child of a new node
    void too_deep();
    /// An opening bracket; counts towards kMaxBrackets while it exists.
    class Bracket {
     public:
        Bracket(Parser& parser, Token open);  ///< the current token is `open`
        ~Bracket() { --parser_.brackets_; }
        Bracket(const Bracket&) = delete;
        Bracket& operator=(const Bracket&) = delete;
        /// Consumes the closing bracket, or reports an error that points to the opening one, and then skips
        /// to the closing bracket if it is near.
        bool close();
        SourceRange opened() const { return opened_; }

     private:
        Parser& parser_;
        Token open_;
        SourceRange opened_;
    };

    // ---- Names (scope.cpp) ----
    enum class NameKind : uint8_t { Unknown, Ordinary, Typedef, Builtin };
    enum class Vectorness : uint8_t { No, Yes, Undecided };
    struct NameInfo {
        NameKind kind = NameKind::Unknown;
        Vectorness vector = Vectorness::No;
        bool is_function = false;       ///< Typedef of a function type
        bool is_known = false;          ///< it was asked for
        const Type* builtin = nullptr;  ///< Builtin
    };
    /// A scope of C99 6.2.1 while alive.
    class Scope {
     public:
        explicit Scope(Parser& parser) : parser_(parser), undo_begin_(parser.undo_.size()) {}
        ~Scope();
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

     private:
        Parser& parser_;
        size_t undo_begin_;
    };
    const NameInfo& lookup(NameId name);  ///< the reference ends with the next question
    const NameInfo& lookup(std::string_view name) { return lookup(tokens_.names().intern(name)); }
    void declare(std::string_view name, NameInfo info);
    void declare_ordinary(std::string_view name) { declare(name, {.kind = NameKind::Ordinary}); }
    NameInfo typedef_info(const Specifiers& specifiers, const Declarator& declarator);
    Vectorness vectorness(const Specifiers& specifiers, const Declarator& declarator);
    bool is_type_name(const Tok& tok);
    bool starts_type(const Tok& tok);         ///< a specifier-qualifier-list
    bool starts_declaration(const Tok& tok);  ///< declaration-specifiers

    // ---- Declarations (declaration.cpp) ----
    enum class Context : uint8_t { File, Block, For, Member, Param, TypeName };
    void external_declaration(std::vector<Decl*>& unit);
    void declaration(Context context, std::span<Attribute> attributes, List<Decl*>& decls);
    void init_declarators(Context context, Specifiers* specifiers, List<Decl*>& decls);
    Decl* init_declarator(Context context, Specifiers* specifiers, Declarator& declarator);
    Decl* typedef_declarator(Specifiers* specifiers, Declarator& declarator);
    FunctionDecl* function_declarator(Specifiers* specifiers, Declarator& declarator);
    bool function_body(FunctionDecl& function, Context context);
    void parameter_declarations(FunctionDecl& function);
    Decl* empty_declaration(Specifiers* specifiers);
    Decl* static_assert_declaration();
    void imply_int(Specifiers& specifiers, const Declarator& declarator, Context context);
    void refuse_asm();
    bool is_function(const Specifiers& specifiers, const Declarator& declarator);

    // ---- Pragmas (pragma.cpp) ----
    Decl* file_pragma();
    /// A pragma inside a block: changes the block, waits in pending_ for the next loop, or becomes a
    /// declaration.
    void block_pragma(bool at_start, List<Stmt*>& body);
    Decl* extension_pragma(const Tok& pragma);
    void enable_extension(const Tok& pragma, std::string_view name, std::string_view behaviour);
    bool fp_contract_pragma(const Tok& pragma);
    bool pack_pragma(const Tok& pragma);
    bool pop_pack(std::string_view label);
    void unroll_pragma();
    std::vector<Tok> tokens_of(const Tok& pragma, std::string_view text);
    Expr* unroll_factor(const Tok& pragma, std::string_view text);
    std::vector<Attribute> take_pending();
    SourceRange inside_pragma(const Tok& pragma, std::string_view word) const;

    // ---- Specifiers (specifier.cpp) ----
    struct Words;  ///< the words of C99 6.7.2p2 seen so far
    Specifiers* specifiers(Context context, std::span<Attribute> attributes);
    bool specifier(Specifiers& s, Words& words, List<Attribute>& attributes, Context context);
    bool next_declaration_begins(const Specifiers& s);
    void storage_class(Specifiers& s, StorageClass storage, Context context);
    void function_specifier(Specifiers& s, bool& flag, Context context);
    void type_word(Specifiers& s, Words& words);
    bool named_type(Specifiers& s, Words& words, Context context);
    bool refuse_qualifier();
    std::string nearest_type(std::string_view name);
    void unknown_type(Specifiers& s, Words& words, Context context);
    bool unknown_word(Words& words, Context context);
    bool misspelt_tag_keyword(const Specifiers& s, Context context);
    static bool stands_alone(const Specifiers& s, Context context);
    bool begins_base(const Tok& tok);
    void forget_type(Specifiers& s);
    void base_type(Specifiers& s, Words& words, SourceRange range, std::string_view word);
    void address_space(bool& has_space, AddressSpace& space, SourceRange& range);
    void access_qualifier(Specifiers& s);
    void qualifier(bool& flag);
    void finish_words(Specifiers& s, const Words& words);
    const Type* type_of_words(const Specifiers& s, const Words& words);
    void typeof_specifier(Specifiers& s);
    Attribute alignment_specifier();
    void refuse_atomic(Specifiers& s, Words& words);

    // ---- struct, union, enum (record.cpp) ----
    RecordDecl* record_specifier();
    void struct_declaration(List<FieldDecl*>& fields, List<Decl*>& members, RecordDecl* parent);
    FieldDecl* struct_declarator(Specifiers* specifiers);
    EnumDecl* enum_specifier();
    EnumConstantDecl* enumerator();

    // ---- Declarators (declarator.cpp) ----
    enum class Naming : uint8_t { Required, Optional, Forbidden };
    Declarator declarator(Naming naming, Context context);
    void refuse_array_words(const DeclaratorChunk& chunk, bool is_outermost, Context context);
    void brackets_before_name(Declarator& d, List<DeclaratorChunk>& chunks);
    void declarator_chunks(Declarator& d, Naming naming, Context context, List<DeclaratorChunk>& chunks,
                           List<Attribute>& attributes);
    void pointers(List<DeclaratorChunk>& out);
    void direct_declarator(Declarator& d, Naming naming, Context context, List<DeclaratorChunk>& chunks,
                           List<Attribute>& attributes);
    void declarator_suffixes(List<DeclaratorChunk>& chunks);
    DeclaratorChunk array_suffix();
    DeclaratorChunk function_suffix();
    bool parameter_list(List<VarDecl*>& params, const Bracket& paren);  ///< whether it ends in `...`
    bool at_keyword() const;
    void identifier_list(List<VarDecl*>& params);
    VarDecl* parameter();
    bool starts_parameters();
    TypeName* type_name();

    // ---- Attributes (attribute.cpp) ----
    void attributes(List<Attribute>& out);
    std::span<Attribute> attributes();
    Attribute attribute();
    void attribute_arguments(Attribute& attribute);

    // ---- Initialisers (initializer.cpp) ----
    Expr* initializer();
    Expr* initializer_list();
    InitEntry init_entry();
    void designation(List<Designator>& designators);
    Designator field_designator();
    Designator array_designator();

    // ---- Expressions (expression.cpp) ----
    Expr* expression();
    Expr* assignment_expression();
    Expr* conditional_expression();
    Expr* conditional_tail(Expr* condition, SourceLoc begin);
    Expr* binary_expression(int min_precedence);
    Expr* cast_expression();
    Expr* unary(UnaryOp op);
    Expr* sizeof_expression(SizeofOp op);
    Expr* postfix_expression();
    Expr* postfix_suffixes(Expr* base, SourceLoc begin);
    Expr* subscript(Expr* base, SourceLoc begin);
    Expr* call(Expr* callee, SourceLoc begin);
    Expr* member(Expr* base, SourceLoc begin, bool arrow);
    Expr* post_step(Expr* operand, SourceLoc begin, UnaryOp op);
    void argument_list(List<Expr*>& args, Token closer);
    Expr* label_address();

    // ---- Parentheses with a type in them (cast.cpp) ----
    TypeName* type_in_parentheses();
    Expr* parenthesised_type();
    Expr* vector_literal(TypeName* type, SourceLoc begin, Vectorness vector);
    Expr* cast(TypeName* type, SourceLoc begin, Expr* operand);
    Expr* compound_literal(TypeName* type, SourceLoc begin);

    // ---- Primary expressions (primary.cpp) ----
    Expr* primary_expression();
    Expr* identifier();
    Expr* number();
    Expr* number_literal(const Tok& token);
    Expr* character();
    Expr* string();
    Expr* parenthesised();
    Expr* statement_expression();
    Expr* block_literal();
    bool builtin_opens(std::string_view word);
    void builtin_comma();
    Expr* builtin_offsetof();
    Expr* builtin_choose_expr();
    Expr* builtin_types_compatible();
    Expr* generic_selection();
    Expr* builtin_as_type(bool convert);

    // ---- Statements (statement.cpp) ----
    CompoundStmt* compound_statement();
    bool at_local_labels();
    void local_labels(std::vector<LocalLabel>& labels);
    void block_item(bool at_start, List<Stmt*>& body);
    Stmt* declaration_statement(std::span<Attribute> attributes);
    Stmt* statement();  ///< where a declaration may not stand
    Stmt* statement_with(std::span<Attribute> attributes, bool in_list = false);
    Stmt* unattributed(bool in_list);
    bool at_label();
    Stmt* labelled_body(bool in_list, SourceRange place, std::string_view message,
                        std::span<Attribute> own = {});
    Stmt* label(bool in_list);
    Stmt* case_label(bool in_list);
    Stmt* default_label(bool in_list);
    Stmt* if_statement();
    Stmt* switch_statement();
    Stmt* while_statement();
    Stmt* do_statement();
    Stmt* for_statement();
    void for_header(ForStmt& loop);
    Stmt* goto_statement();
    Stmt* return_statement();
    Stmt* expression_statement();
    Stmt* misplaced_declaration();
    Stmt* asm_statement();
    /// jump-statement: (`continue` | `break`) `;`
    template <class T>
    Stmt* simple_jump(std::string_view message) {
        auto* stmt = node<T>(tok_.range);
        advance();
        expect_semicolon(message);
        return stmt;
    }
    Expr* parenthesised_condition(std::string_view keyword);
    bool unknown_type_follows();  ///< `foo x` or `foo int` where foo names nothing

    template <class T>
    T* node(SourceRange range) {
        return make_node<T>(arena_, range);
    }

    TokenStore& tokens_;
    const CompileOptions& options_;
    TypeTable& types_;
    Arena& arena_;
    Diagnostics& diags_;

    std::span<const Tok> line_ = {};  ///< the tokens that come next, in place of the unit's; ends with End
    Tok tok_ = {};
    Tok ahead_ = {};
    bool has_ahead_ = false;
    SourceLoc last_begin_ = {};
    SourceLoc last_end_ = {};  ///< where the previous token ended
    size_t taken_ = 0;         ///< tokens so far; a macro's argument puts several at the same place
    bool cut_off_ = false;
    bool panicking_ = false;
    bool end_is_reported_ = false;  ///< the source ended too soon: all that is missing is one fault
    bool in_function_ = false;
    bool body_outlives_ = false;      ///< of the function in hand: FunctionDecl::body_outlives
    SourceRange trailing_else_ = {};  ///< of the last `if` read, when no braces separate it from the next
    bool no_contraction_ = false;     ///< FP_CONTRACT OFF is in force, or -ffp-contract=off
    ExtSet enabled_ = {};             ///< by #pragma OPENCL EXTENSION
    std::unordered_set<std::string_view> announced_ = {};  ///< names that such a pragma began or ended
    uint32_t depth_ = 0;
    uint32_t peak_ = 0;  ///< the deepest level of the expression in hand, counted from the root
    uint32_t brackets_ = 0;
    std::vector<Attribute> pending_ = {};  ///< of `#pragma unroll`, for the statement that follows
    struct Pack {
        std::string_view label = {};
        uint32_t bytes = 0;
    };
    std::vector<Pack> pack_stack_ = {};  ///< of `#pragma pack(push)`
    uint32_t pack_bytes_ = 0;            ///< `#pragma pack(N)` in force

    ByName<NameInfo> names_ = {};
    std::vector<std::pair<NameId, NameInfo>> undo_ = {};  ///< what inner scopes have hidden

    std::unordered_map<std::string_view, std::string_view> tags_ =
        {};  ///< and the keyword of each, for a message

    // The stacks of List.
    std::vector<Decl*> decls_ = {};
    std::vector<Stmt*> stmts_ = {};
    std::vector<Expr*> exprs_ = {};
    std::vector<VarDecl*> params_ = {};
    std::vector<FieldDecl*> fields_ = {};
    std::vector<EnumConstantDecl*> enumerators_ = {};
    std::vector<DeclaratorChunk> chunks_ = {};
    std::vector<DeclaratorChunk> pointers_ = {};
    std::vector<Attribute> attributes_ = {};
    std::vector<InitEntry> entries_ = {};
    std::vector<Designator> designators_ = {};

    uint32_t braces_in_expressions_ = 0;
};

}  // namespace caldera::frontend
