// SPDX-License-Identifier: Apache-2.0
// The tree as text: one function per kind of node, in the order of ast.h.
#include "frontend/ast/dump.h"

#include <charconv>

namespace caldera::frontend {

namespace {

#define NAME(name) #name,
constexpr std::string_view kDeclNames[] = {DECL_KINDS(NAME)};
constexpr std::string_view kExprNames[] = {EXPR_KINDS(NAME)};
constexpr std::string_view kStmtNames[] = {STMT_KINDS(NAME)};
#undef NAME

constexpr std::string_view kUnaryNames[] = {"Plus",      "Minus",  "Not",    "LogicalNot", "Deref",
                                            "AddressOf", "PreInc", "PreDec", "PostInc",    "PostDec",
                                            "Extension", "Real",   "Imag"};
constexpr std::string_view kBinaryNames[] = {
    "Mul",  "Div",     "Rem",        "Add",          "Sub",   "Shl",      "Shr",
    "Less", "Greater", "LessEqual",  "GreaterEqual", "Equal", "NotEqual", "And",
    "Xor",  "Or",      "LogicalAnd", "LogicalOr",    "Comma"};
constexpr std::string_view kCastNames[] = {"LValueToRValue", "ArrayToPointer", "FunctionToPointer",
                                           "NoOp",           "Integral",       "IntToFloat",
                                           "FloatToInt",     "Float",          "ToBool",
                                           "Splat",          "NullToPointer",  "PointerToPointer",
                                           "AddressSpace",   "IntToPointer",   "PointerToInt",
                                           "BitCast",        "ToVoid",         "IntToSampler"};
constexpr std::string_view kSizeofNames[] = {"sizeof", "alignof", "vec_step"};

template <class E>
std::string_view name_of(std::span<const std::string_view> names, E value) {
    auto index = static_cast<size_t>(value);
    return index < names.size() ? names[index] : "?";
}

std::string quoted(std::string_view text) {
    static constexpr char kHex[] = "0123456789abcdef";
    std::string out = "\"";
    for (unsigned char c : text) {
        if (c == '"' || c == '\\')
            (out += '\\') += static_cast<char>(c);
        else if (c == '\n')
            out += "\\n";
        else if (c < 32 || c == 127)
            ((out += "\\x") += kHex[c >> 4]) += kHex[c & 15];
        else
            out += static_cast<char>(c);
    }
    return out += '"';
}

std::string number(double value) {
    char buffer[40];
    auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
    return error == std::errc() ? std::string(buffer, end) : "?";
}

class Dumper {
 public:
    std::string take() { return std::move(out_); }

    void decl(const Decl& d);
    void expr(const Expr& e);
    void stmt(const Stmt& s);

 private:
    /// Children of the line just written are indented while alive.
    struct Indent {
        explicit Indent(Dumper& dumper) : dumper_(dumper) { ++dumper_.depth_; }
        ~Indent() { --dumper_.depth_; }
        Dumper& dumper_;
    };

    void line(std::string_view text) {
        out_.append(2 * depth_, ' ').append(text);
        out_ += '\n';
    }
    void maybe(const Expr* e) { e ? expr(*e) : line("-"); }
    void maybe(const Stmt* s) { s ? stmt(*s) : line("-"); }
    /// A child below a line of its own that names its role.
    void named(std::string_view name, const Expr* e) {
        if (!e) return;
        line(name);
        Indent indent(*this);
        expr(*e);
    }
    std::string heading(const Decl& d, const Specifiers* s, const Declarator* declarator);
    std::string heading(const Expr& e) {
        std::string text(name_of(kExprNames, e.kind));
        if (e.type && e.kind != ExprKind::Error) text += " '" + to_string(e.type) + "'";
        return text;
    }
    static std::string text_of(const TypeName* type) {
        if (!type) return "'?'";
        std::string text =
            type->type ? to_string(type->type) : written_type(*type->specifiers, type->declarator);
        return "'" + text + "'";
    }

    void attributes(std::span<const Attribute> list);
    void parts_of(const Specifiers* s);
    void parts_of(const Declarator& d);
    void record(const RecordDecl& r);
    void enumeration(const EnumDecl& e);
    void function(const FunctionDecl& f);
    void variable(const VarDecl& v);

    void binary(const BinaryExpr& e);
    void call(const CallExpr& e);
    void init_list(const InitListExpr& e);
    void designators(std::span<const Designator> list);
    void block_literal(const BlockLiteralExpr& e);
    void children(const Expr& e);

    void if_chain(const IfStmt& s);
    void children(const Stmt& s);

    std::string out_ = {};
    size_t depth_ = 0;
};

// ---- Declarations ----

std::string Dumper::heading(const Decl& d, const Specifiers* s, const Declarator* declarator) {
    std::string text(name_of(kDeclNames, d.kind));
    if (!d.name.empty()) (text += ' ') += d.name;
    if (d.type)
        text += " '" + to_string(d.type) + "'";
    else if (s && declarator)
        text += " '" + written_type(*s, *declarator) + "'";
    return text;
}

void Dumper::attributes(std::span<const Attribute> list) {
    for (const Attribute& a : list) {
        std::string text = "Attribute ";
        text += a.name;
        if (a.type_arg) text += " " + text_of(a.type_arg);
        line(text);
        Indent indent(*this);
        for (const Expr* arg : a.args) expr(*arg);
    }
}

/// Parts of specifiers that are not keywords: attributes, bodies, operands of typeof.
void Dumper::parts_of(const Specifiers* s) {
    if (!s) return;
    attributes(s->attributes);
    if (s->record && s->record->has_body) record(*s->record);
    if (s->enumeration && s->enumeration->has_body) enumeration(*s->enumeration);
    named("typeof", s->typeof_expr);
}

void Dumper::parts_of(const Declarator& d) {
    attributes(d.attributes);
    for (const DeclaratorChunk& chunk : d.chunks) {
        attributes(chunk.attributes);
        if (chunk.size && !dyn<IntLiteralExpr>(chunk.size)) named("size", chunk.size);
    }
}

void Dumper::decl(const Decl& d) {
    switch (d.kind) {
        case DeclKind::Var: return variable(as<VarDecl>(d));
        case DeclKind::Function: return function(as<FunctionDecl>(d));
        case DeclKind::Typedef: {
            auto& t = as<TypedefDecl>(d);
            line(heading(d, t.specifiers, &t.declarator));
            Indent indent(*this);
            parts_of(t.specifiers);
            return parts_of(t.declarator);
        }
        case DeclKind::Record: return record(as<RecordDecl>(d));
        case DeclKind::Field: {
            auto& f = as<FieldDecl>(d);
            line(heading(d, f.specifiers, &f.declarator) +
                 (d.type ? " offset " + std::to_string(f.offset_bytes) : ""));
            Indent indent(*this);
            parts_of(f.specifiers);
            parts_of(f.declarator);
            return named("width", f.bit_width);
        }
        case DeclKind::Enum: return enumeration(as<EnumDecl>(d));
        case DeclKind::EnumConstant: {
            auto& c = as<EnumConstantDecl>(d);
            line(heading(d, nullptr, nullptr) + (d.type ? " = " + std::to_string(c.value) : ""));
            Indent indent(*this);
            attributes(c.attributes);
            if (c.init) expr(*c.init);
            return;
        }
        case DeclKind::Empty: {
            auto& e = as<EmptyDecl>(d);
            line(e.pragma.empty() ? "Empty" : "Pragma " + quoted(e.pragma));
            Indent indent(*this);
            return parts_of(e.specifiers);
        }
        case DeclKind::StaticAssert: {
            auto& a = as<StaticAssertDecl>(d);
            line("StaticAssert " + quoted(a.message));
            Indent indent(*this);
            return maybe(a.condition);
        }
    }
}

void Dumper::variable(const VarDecl& v) {
    std::string text = heading(v, v.specifiers, &v.declarator);
    if (v.is_param) text.replace(0, 3, "Param");
    if (v.align_bytes) text += " align " + std::to_string(v.align_bytes);
    line(text);
    Indent indent(*this);
    parts_of(v.specifiers);
    parts_of(v.declarator);
    if (v.init) expr(*v.init);
}

void Dumper::function(const FunctionDecl& f) {
    line(heading(f, f.specifiers, &f.declarator) + (f.type && f.is_kernel ? " kernel" : ""));
    Indent indent(*this);
    parts_of(f.specifiers);
    parts_of(f.declarator);
    for (const VarDecl* param : f.params) decl(*param);
    if (f.body) stmt(*f.body);
}

void Dumper::record(const RecordDecl& r) {
    std::string text = r.is_union ? "Union" : "Struct";
    if (!r.name.empty()) (text += ' ') += r.name;
    if (r.record_type)
        text += " size " + std::to_string(r.record_type->size_bytes) + " align " +
                std::to_string(r.record_type->align_bytes);
    line(text);
    Indent indent(*this);
    attributes(r.attributes);
    for (const FieldDecl* field : r.fields) decl(*field);
    for (const Decl* member : r.member_decls)
        if (member->kind == DeclKind::StaticAssert) decl(*member);
}

void Dumper::enumeration(const EnumDecl& e) {
    line(heading(e, nullptr, nullptr));
    Indent indent(*this);
    attributes(e.attributes);
    for (const EnumConstantDecl* constant : e.constants) decl(*constant);
}

// ---- Expressions ----

void Dumper::expr(const Expr& e) {
    std::string text = heading(e);
    auto add = [&](std::string_view word) { (text += ' ') += word; };
    switch (e.kind) {
        case ExprKind::Binary: return binary(as<BinaryExpr>(e));
        case ExprKind::Call: return call(as<CallExpr>(e));
        case ExprKind::InitList: return init_list(as<InitListExpr>(e));
        case ExprKind::BlockLiteral: return block_literal(as<BlockLiteralExpr>(e));
        case ExprKind::IntLiteral: {
            auto& literal = as<IntLiteralExpr>(e);
            add(literal.type && literal.type->is_signed()
                    ? std::to_string(static_cast<int64_t>(literal.value))
                    : std::to_string(literal.value));
            break;
        }
        case ExprKind::FloatLiteral: add(number(as<FloatLiteralExpr>(e).value)); break;
        case ExprKind::CharLiteral: add(std::to_string(as<CharLiteralExpr>(e).value)); break;
        case ExprKind::StringLiteral: add(quoted(as<StringLiteralExpr>(e).value)); break;
        case ExprKind::DeclRef: add(as<DeclRefExpr>(e).name); break;
        case ExprKind::Unary: add(name_of(kUnaryNames, as<UnaryExpr>(e).op)); break;
        case ExprKind::Assign:
            if (as<AssignExpr>(e).compound) add(name_of(kBinaryNames, as<AssignExpr>(e).op));
            if (const Type* t = as<AssignExpr>(e).computation_type) add("in '" + to_string(t) + "'");
            break;
        case ExprKind::Cast: {
            auto& c = as<CastExpr>(e);
            if (c.type) add(name_of(kCastNames, c.cast));
            if (c.written) add("to " + text_of(c.written));
            break;
        }
        case ExprKind::Member:
            add((as<MemberExpr>(e).arrow ? "->" : ".") + std::string(as<MemberExpr>(e).name));
            break;
        case ExprKind::Swizzle:
            text += " .";
            for (int i = 0; i < as<SwizzleExpr>(e).lane_count; ++i)
                text += "0123456789abcdef"[as<SwizzleExpr>(e).lanes[i] & 15];
            break;
        case ExprKind::VectorLiteral: add("of " + text_of(as<VectorLiteralExpr>(e).written)); break;
        case ExprKind::CompoundLiteral: add("of " + text_of(as<CompoundLiteralExpr>(e).written)); break;
        case ExprKind::SizeofType: {
            auto& s = as<SizeofTypeExpr>(e);
            add(name_of(kSizeofNames, s.op));
            add(text_of(s.written));
            if (e.type) add("= " + std::to_string(s.value));
            break;
        }
        case ExprKind::SizeofExpr: {
            auto& s = as<SizeofExprExpr>(e);
            add(name_of(kSizeofNames, s.op));
            if (e.type) add("= " + std::to_string(s.value));
            break;
        }
        case ExprKind::Offsetof:
            add("of " + text_of(as<OffsetofExpr>(e).written));
            if (e.type) add("= " + std::to_string(as<OffsetofExpr>(e).value));
            break;
        case ExprKind::AsType:
            add(as<AsTypeExpr>(e).convert ? "convert to" : "bits as");
            add(text_of(as<AsTypeExpr>(e).written));
            break;
        case ExprKind::TypesCompatible:
            add(text_of(as<TypesCompatibleExpr>(e).first));
            add(text_of(as<TypesCompatibleExpr>(e).second));
            if (e.type) add(as<TypesCompatibleExpr>(e).value ? "= 1" : "= 0");
            break;
        case ExprKind::Error:
        case ExprKind::Paren:
        case ExprKind::Conditional:
        case ExprKind::Subscript:
        case ExprKind::StmtExpr:
        case ExprKind::Choose:
        case ExprKind::Generic: break;
    }
    line(text);
    Indent indent(*this);
    children(e);
}

void Dumper::children(const Expr& e) {
    switch (e.kind) {
        case ExprKind::Paren: return maybe(as<ParenExpr>(e).inner);
        case ExprKind::Unary: return maybe(as<UnaryExpr>(e).operand);
        case ExprKind::Assign: maybe(as<AssignExpr>(e).lhs); return maybe(as<AssignExpr>(e).rhs);
        case ExprKind::Conditional:
            maybe(as<ConditionalExpr>(e).condition);
            maybe(as<ConditionalExpr>(e).if_true);
            return maybe(as<ConditionalExpr>(e).if_false);
        case ExprKind::Cast: return maybe(as<CastExpr>(e).operand);
        case ExprKind::Subscript: maybe(as<SubscriptExpr>(e).base); return maybe(as<SubscriptExpr>(e).index);
        case ExprKind::Member: return maybe(as<MemberExpr>(e).base);
        case ExprKind::Swizzle: return maybe(as<SwizzleExpr>(e).base);
        case ExprKind::VectorLiteral:
            for (const Expr* element : as<VectorLiteralExpr>(e).elements) maybe(element);
            return;
        case ExprKind::CompoundLiteral: return maybe(as<CompoundLiteralExpr>(e).init);
        case ExprKind::SizeofExpr: return maybe(as<SizeofExprExpr>(e).operand);
        case ExprKind::StmtExpr: return maybe(as<StmtExprExpr>(e).body);
        case ExprKind::Choose:
            maybe(as<ChooseExpr>(e).condition);
            maybe(as<ChooseExpr>(e).if_true);
            return maybe(as<ChooseExpr>(e).if_false);
        case ExprKind::Offsetof: return designators(as<OffsetofExpr>(e).designators);
        case ExprKind::AsType: return maybe(as<AsTypeExpr>(e).operand);
        case ExprKind::Generic:
            maybe(as<GenericExpr>(e).control);
            for (const GenericAssociation& association : as<GenericExpr>(e).associations)
                maybe(association.value);
            return;
        case ExprKind::Error:
        case ExprKind::IntLiteral:
        case ExprKind::FloatLiteral:
        case ExprKind::CharLiteral:
        case ExprKind::StringLiteral:
        case ExprKind::DeclRef:
        case ExprKind::Binary:
        case ExprKind::Call:
        case ExprKind::InitList:
        case ExprKind::SizeofType:
        case ExprKind::BlockLiteral:
        case ExprKind::TypesCompatible: return;
    }
}

void Dumper::binary(const BinaryExpr& e) {
    std::vector<const BinaryExpr*> spine;
    for (const BinaryExpr* b = &e; b; b = dyn<BinaryExpr>(static_cast<const Expr*>(b->lhs)))
        spine.push_back(b);
    line(heading(e));
    Indent indent(*this);
    maybe(spine.back()->lhs);
    for (size_t i = spine.size(); i-- > 0;) {
        std::string text(name_of(kBinaryNames, spine[i]->op));
        if (spine[i]->type) text += " '" + to_string(spine[i]->type) + "'";
        line(text);
        Indent operand(*this);
        maybe(spine[i]->rhs);
    }
}

void Dumper::call(const CallExpr& e) {
    std::string text = heading(e);
    if (e.builtin) text += " builtin";
    if (e.function) (text += " ") += e.function->name;
    line(text);
    Indent indent(*this);
    maybe(e.callee);
    for (const Expr* arg : e.args) maybe(arg);
}

void Dumper::designators(std::span<const Designator> list) {
    for (const Designator& d : list) {
        if (!d.field.empty()) line("." + std::string(d.field));
        named("index", d.index);
        named("to", d.index_end);
    }
}

/// The entries as written, or the list that check/ made of them.
void Dumper::init_list(const InitListExpr& e) {
    std::string text = heading(e);
    if (e.union_field) (text += " .") += e.union_field->name;
    line(text);
    Indent indent(*this);
    named("base", e.base);
    for (const Expr* init : e.inits) maybe(init);
    if (!e.inits.empty()) return;
    for (const InitEntry& entry : e.entries) {
        designators(entry.designators);
        maybe(entry.value);
    }
}

void Dumper::block_literal(const BlockLiteralExpr& e) {
    line(heading(e) + (e.result ? " returns " + text_of(e.result) : ""));
    Indent indent(*this);
    for (const VarDecl* param : e.signature.params) decl(*param);
    maybe(e.body);
}

// ---- Statements ----

void Dumper::stmt(const Stmt& s) {
    if (s.kind == StmtKind::If) return if_chain(as<IfStmt>(s));
    std::string text(name_of(kStmtNames, s.kind));
    if (auto* label = dyn<LabelStmt>(&s)) (text += ' ') += label->name;
    if (auto* jump = dyn<GotoStmt>(&s)) (text += ' ') += jump->name;
    if (auto* block = dyn<CompoundStmt>(&s); block && block->no_contraction) text += " no_contraction";
    line(text);
    Indent indent(*this);
    attributes(s.attributes);
    children(s);
}

void Dumper::if_chain(const IfStmt& first) {
    for (const Stmt* s = &first; s;) {
        auto* branch = dyn<IfStmt>(s);
        line(!branch ? "Else" : branch == &first ? "If" : "ElseIf");
        Indent indent(*this);
        if (!branch) return stmt(*s);
        attributes(branch->attributes);
        maybe(branch->condition);
        maybe(branch->then);
        s = branch->otherwise;
    }
}

void Dumper::children(const Stmt& s) {
    switch (s.kind) {
        case StmtKind::Compound:
            for (const Stmt* item : as<CompoundStmt>(s).body) maybe(item);
            return;
        case StmtKind::Decl:
            for (const Decl* d : as<DeclStmt>(s).decls) decl(*d);
            return;
        case StmtKind::Expr: return maybe(as<ExprStmt>(s).expr);
        case StmtKind::Switch: maybe(as<SwitchStmt>(s).condition); return maybe(as<SwitchStmt>(s).body);
        case StmtKind::Case:
            maybe(as<CaseStmt>(s).first_expr);
            named("to", as<CaseStmt>(s).last_expr);
            return maybe(as<CaseStmt>(s).body);
        case StmtKind::Default: return maybe(as<DefaultStmt>(s).body);
        case StmtKind::Label: return maybe(as<LabelStmt>(s).body);
        case StmtKind::While: maybe(as<WhileStmt>(s).condition); return maybe(as<WhileStmt>(s).body);
        case StmtKind::Do: maybe(as<DoStmt>(s).body); return maybe(as<DoStmt>(s).condition);
        case StmtKind::For:
            maybe(as<ForStmt>(s).init);
            maybe(as<ForStmt>(s).condition);
            maybe(as<ForStmt>(s).step);
            return maybe(as<ForStmt>(s).body);
        case StmtKind::Return:
            if (as<ReturnStmt>(s).value) expr(*as<ReturnStmt>(s).value);
            return;
        case StmtKind::Error:
        case StmtKind::Null:
        case StmtKind::If:
        case StmtKind::Goto:
        case StmtKind::Continue:
        case StmtKind::Break: return;
    }
}

}  // namespace

std::string dump(const TranslationUnit& unit) {
    Dumper dumper;
    for (const Decl* d : unit.decls) dumper.decl(*d);
    return dumper.take();
}
std::string dump(const Expr& expr) {
    Dumper dumper;
    dumper.expr(expr);
    return dumper.take();
}
std::string dump(const Stmt& stmt) {
    Dumper dumper;
    dumper.stmt(stmt);
    return dumper.take();
}
std::string dump(const Decl& decl) {
    Dumper dumper;
    dumper.decl(decl);
    return dumper.take();
}

}  // namespace caldera::frontend
