// SPDX-License-Identifier: Apache-2.0
// What an editor draws: semantic tokens, inlay hints for implicit conversions, folding ranges.
#include <algorithm>
#include <map>

#include "frontend/ast/children.h"
#include "tools/language_server/context.h"
#include "tools/language_server/describe.h"
#include "tools/language_server/features.h"

namespace caldera::language_server {

using namespace frontend;

namespace {

// ---- Semantic tokens ----

constexpr const char* kTokenTypes[] = {"function", "variable",   "parameter", "type",  "struct",
                                       "enum",     "enumMember", "property",  "macro", "label"};
enum TokenType : uint8_t {
    Function,
    Variable,
    Parameter,
    TypeWord,
    Struct,
    Enum,
    EnumMember,
    Property,
    MacroName,
    Label
};
constexpr const char* kModifiers[] = {"declaration", "readonly", "static", "defaultLibrary"};
constexpr uint32_t kDeclaration = 1, kReadonly = 2, kStatic = 4, kDefaultLibrary = 8;

struct Drawn {
    TokenType type = Variable;
    uint32_t modifiers = 0;
};

Drawn drawn(const Decl& decl) {
    switch (decl.kind) {
        case DeclKind::Function: return {Function};
        case DeclKind::Typedef: return {TypeWord};
        case DeclKind::Record: return {Struct};
        case DeclKind::Enum: return {Enum};
        case DeclKind::EnumConstant: return {EnumMember, kReadonly};
        case DeclKind::Field: return {Property};
        case DeclKind::Var: {
            const auto& variable = as<VarDecl>(decl);
            const bool readonly =
                variable.type && (variable.type.is_const || variable.type.space == AddressSpace::Constant);
            const uint32_t is_static = variable.has_global_lifetime ? kStatic : 0;
            return {variable.is_param ? Parameter : Variable, (readonly ? kReadonly : 0) | is_static};
        }
        case DeclKind::Empty:
        case DeclKind::StaticAssert: break;
    }
    return {};
}

Drawn drawn(const Name& name, const Features& features) {
    Drawn out;
    if (name.macro)
        out = {MacroName};
    else if (name.mention->decl)
        out = drawn(*name.mention->decl);
    else if (name.mention->label)
        out = {Label};
    else if (builtin::enumerator(name.entity.name, features))
        out = {EnumMember, kReadonly | kDefaultLibrary};
    else
        out = {Function, kDefaultLibrary};
    if (name.declares) out.modifiers |= kDeclaration;
    return out;
}

// ---- Inlay hints ----

/// Walks checked expressions for conversions that nobody wrote and that can change a value or a pointer.
class Hints {
 public:
    Hints(const Unit& unit, size_t begin, size_t end) : unit_(unit), begin_(begin), end_(end) {}

    Json all() {
        for (const Decl* decl : unit_.analysis().unit().decls) {
            const std::optional<Place> place = unit_.expanded(decl->range);
            if (!place || place->file != 0 || place->end < begin_ || place->begin > end_) continue;
            declaration(*decl);
        }
        Json out = Json::array();
        for (const auto& [place, hint] : hints_)
            out.push_back({{"position", to_json(unit_.main().lines.position(place))},
                           {"label", hint.label},
                           {"kind", 1},
                           {"tooltip", hint.tooltip}});
        return out;
    }

 private:
    void declaration(const Decl& decl) {
        if (const auto* function = dyn<FunctionDecl>(&decl); function && function->body)
            statement(*function->body);
        if (const auto* variable = dyn<VarDecl>(&decl); variable && variable->init)
            expression(*variable->init);
    }
    void statement(const Stmt& stmt) {
        if (const auto* decls = dyn<DeclStmt>(&stmt))
            for (const Decl* decl : decls->decls) declaration(*decl);
        const Stmt* at = &stmt;
        while (const auto* chain = dyn<IfStmt>(at)) {  // `else if` may go on for long
            if (chain->condition) expression(*chain->condition);
            if (chain->then) statement(*chain->then);
            at = chain->otherwise;
        }
        if (at && at != &stmt) return statement(*at);
        if (at)
            for_each_part(
                *at, [&](const Expr& e) { expression(e); }, [&](const Stmt& s) { statement(s); });
    }
    /// Chains of operators lean left and may be long: a loop walks them.
    void expression(const Expr& root) {
        std::vector<const Expr*> left = {&root};
        while (!left.empty()) {
            const Expr* e = left.back();
            left.pop_back();
            if (e->type) {
                if (const auto* cast = dyn<CastExpr>(e); cast && !cast->written) note(*cast);
                if (const auto* statements = dyn<StmtExprExpr>(e)) statement(*statements->body);
                if (const auto* block = dyn<BlockLiteralExpr>(e); block && block->body)
                    statement(*block->body);
            }
            const bool is_index = e->kind == ExprKind::Subscript;
            for_each_operand(*e, [&](const Expr& operand) {
                const auto* cast = dyn<CastExpr>(&operand);
                const bool skipped = is_index && cast && !cast->written && cast->cast == CastKind::Integral;
                left.push_back(skipped ? cast->operand : &operand);
            });
        }
    }

    static bool is_shown(const CastExpr& cast) {
        const Expr* operand = strip_parens(cast.operand);
        while (const auto* unary = dyn<UnaryExpr>(operand)) operand = strip_parens(unary->operand);
        const bool literal = operand->kind == ExprKind::IntLiteral ||
                             operand->kind == ExprKind::FloatLiteral ||
                             operand->kind == ExprKind::CharLiteral;
        switch (cast.cast) {
            case CastKind::Integral: {  // but for promotions (C99 6.3.1.1)
                const bool promotes =
                    cast.type->kind == TypeKind::Int && cast.operand->type->kind < TypeKind::Int;
                return !literal && !promotes;
            }
            case CastKind::IntToFloat:
            case CastKind::FloatToInt:
            case CastKind::Float:
            case CastKind::Splat: return !literal;
            case CastKind::PointerToPointer:
            case CastKind::AddressSpace:
            case CastKind::IntToPointer:
            case CastKind::PointerToInt: return true;
            case CastKind::LValueToRValue:
            case CastKind::ArrayToPointer:
            case CastKind::FunctionToPointer:
            case CastKind::NoOp:
            case CastKind::ToBool:
            case CastKind::NullToPointer:
            case CastKind::BitCast:
            case CastKind::ToVoid:
            case CastKind::IntToSampler: break;
        }
        return false;
    }
    static const Expr* strip_parens(const Expr* e) {
        while (const auto* paren = dyn<ParenExpr>(e)) e = paren->inner;
        return e;
    }

    void note(const CastExpr& cast) {
        if (!cast.operand->type || !is_shown(cast)) return;
        if (unit_.analysis().sources().is_macro(cast.range.begin)) return;
        const std::optional<Place> place = unit_.expanded(cast.range);
        if (!place || place->file != 0 || place->begin < begin_ || place->begin > end_) return;
        const std::string type = "(" + type_text({.type = cast.type.type}) + ")";
        const std::string tooltip =
            "implicit conversion from " + type_text({.type = cast.operand->type.type});
        const auto [found, is_first] = hints_.try_emplace(place->begin);
        Hint& hint = found->second;
        // The outer one of two conversions says more, unless the inner one is of a part.
        if (!is_first && hint.opened_until <= place->end) return;
        hint.label += type;
        hint.tooltip += (is_first ? "" : "; ") + tooltip;
        hint.opened_until = 0;
        if (!is_operator(*cast.operand)) return;
        hint.label += "(";
        hint.opened_until = place->end;
        Hint& end = hints_[place->end];
        end.label += ")";
        end.tooltip = "the end of what is converted to " + type_text({.type = cast.type.type});
    }
    /// Whether a cast before the expression would be one of its first operand only.
    static bool is_operator(const Expr& operand) {
        const Expr* e = &operand;
        for (const auto* cast = dyn<CastExpr>(e); cast && !cast->written; cast = dyn<CastExpr>(e))
            e = cast->operand;
        return e->kind == ExprKind::Binary || e->kind == ExprKind::Assign || e->kind == ExprKind::Conditional;
    }

    const Unit& unit_;
    size_t begin_, end_;
    struct Hint {
        std::string label = {}, tooltip = {};
        size_t opened_until = 0;  // where the parenthesis that it opens last is closed; 0: it opens none
    };
    std::map<size_t, Hint> hints_ = {};  // by place
};

}  // namespace

Json semantic_tokens_options() {
    Json types = Json::array(), modifiers = Json::array();
    for (const char* type : kTokenTypes) types.push_back(type);
    for (const char* modifier : kModifiers) modifiers.push_back(modifier);
    return {{"legend", {{"tokenTypes", std::move(types)}, {"tokenModifiers", std::move(modifiers)}}},
            {"full", true}};
}

Result<Json> semantic_tokens(const Query& query) {
    const Unit& unit = query.unit();
    const Features features = unit.analysis().options().features();
    std::vector<uint32_t> data;
    Position last;
    for (const Name& name : unit.names()) {
        if (name.place.file != 0) break;
        const Range range = unit.range(name.place);
        if (range.start.line != range.end.line) continue;  // a line splice in a name
        const Drawn how = drawn(name, features);
        const bool same_line = range.start.line == last.line;
        for (const uint32_t number :
             {range.start.line - last.line, range.start.character - (same_line ? last.character : 0),
              range.end.character - range.start.character, static_cast<uint32_t>(how.type), how.modifiers})
            data.push_back(number);
        last = range.start;
    }
    return Json{{"data", std::move(data)}};
}

Result<Json> inlay_hints(const Query& query) {
    const Unit& unit = query.unit();
    const Range range = range_from(member(query.params, "range"));
    return Hints(unit, unit.main().lines.offset(range.start), unit.main().lines.offset(range.end)).all();
}

Result<Json> folding_ranges(const Query& query) {
    const std::string_view text = query.document.text;
    const LineTable lines(text);
    Json out = Json::array();
    const auto fold = [&](size_t begin, size_t end, const char* kind) {
        const uint32_t first = lines.position(begin).line, last = lines.position(end).line;
        if (last <= first) return;
        Json range = {{"startLine", first}, {"endLine", last}};
        if (*kind) range["kind"] = kind;
        out.push_back(std::move(range));
    };
    std::vector<Word> comments;
    const std::vector<Word> words = tokens_of(text, &comments);
    std::vector<size_t> braces, conditions;
    const auto above = [&](size_t offset) {  // the end of the line before
        const size_t start = lines.line_start(lines.position(offset).line);
        return start == 0 ? 0 : start - 1;
    };
    std::optional<Place> includes;  // that follow each other
    for (size_t i = 0; i < words.size(); ++i) {
        const Word& word = words[i];
        if (word.kind == Token::LeftBrace) braces.push_back(word.begin);
        if (word.kind == Token::RightBrace && !braces.empty()) {
            fold(braces.back(), above(word.begin), "");
            braces.pop_back();
        }
        if (word.kind != Token::Hash || !word.starts_line || i + 1 == words.size()) continue;
        const std::string_view name = text.substr(words[i + 1].begin, words[i + 1].end - words[i + 1].begin);
        if (name == "include") {
            const bool next =
                includes && lines.position(includes->end).line + 1 == lines.position(word.begin).line;
            if (includes && !next) fold(includes->begin, includes->end, "imports");
            includes = Place{.begin = next ? includes->begin : word.begin, .end = word.begin};
        }
        if (!conditions.empty() && (name == "elif" || name == "else" || name == "endif")) {
            fold(conditions.back(), above(word.begin), "");
            conditions.back() = word.begin;
            if (name == "endif") conditions.pop_back();
        }
        if (name == "if" || name == "ifdef" || name == "ifndef") conditions.push_back(word.begin);
    }
    if (includes) fold(includes->begin, includes->end, "imports");
    for (const Word& comment : comments) fold(comment.begin, comment.end, "comment");
    return out;
}

}  // namespace caldera::language_server
