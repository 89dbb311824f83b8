// SPDX-License-Identifier: Apache-2.0
// Members of records (C99 6.5.2.3) and components of vectors (OpenCL C 6.1.7).
#include "frontend/check/checker_impl.h"

namespace caldera::frontend {

/// `a` of `a->b` without its pointer.
Expr* Checker::pointee(const MemberExpr& e, Expr* pointer) {
    auto* object = make_node<UnaryExpr>(arena_, pointer->range);
    object->op = UnaryOp::Deref;
    object->op_range = e.op_range;
    object->operand = pointer;
    object->type = pointer->type->element;
    object->is_lvalue = true;
    return object;
}

Expr* Checker::member(MemberExpr& e) {
    if (addressed_.part == &e && !e.arrow) addressed_ = {strip_parens(e.base), false};
    e.base = expr(e.base);
    if (is_error(e.base)) return error_expr(e);
    if (e.arrow) {
        Expr* pointer = rvalue(e.base);
        if (is_error(pointer)) return error_expr(e);
        if (pointer->type->is_pointer()) {
            e.base = pointee(e, pointer);
        } else {
            const bool is_record = pointer->type->is_record();
            auto report =
                diags_.error(e.op_range, "member reference type '", QualType{.type = e.base->type.type},
                             "' is not a pointer", is_record ? "; did you mean to use '.'?" : "");
            report.highlight(e.base->range);
            if (!is_record) return error_expr(e);
            report.fixit(e.op_range, ".");
        }
    }
    note_member(e, e.base->type.type);
    if (e.name.empty()) return error_expr(e);  // reported by parse/
    if (e.base->type->is_vector()) return swizzle(e);
    if (!e.arrow && e.base->type->is_pointer() && e.base->type->element->is_record()) {
        diags_
            .error(e.op_range, "member reference type '", QualType{.type = e.base->type.type},
                   "' is a pointer; did you mean to use '->'?")
            .highlight(e.base->range)
            .fixit(e.op_range, "->");
        e.base = pointee(e, rvalue(e.base));
    }
    const QualType& type = e.base->type;
    if (!type->is_record()) {
        diags_.error(e.op_range, "member reference base type '", type, "' is not a structure or union")
            .highlight(e.base->range)
            .highlight(e.name_range);
        return error_expr(e);
    }
    if (!type->is_complete()) {
        note_incomplete(
            diags_.error(e.op_range, "incomplete definition of type '", QualType{.type = type.type}, "'")
                .highlight(e.base->range),
            type.type);
        return error_expr(e);
    }
    return record_member(e, *type->record);
}

Expr* Checker::record_member(MemberExpr& e, const RecordDecl& record) {
    std::vector<FieldDecl*> path;
    if (!find_field(record, e.name, path)) {
        Nearest nearest(e.name);
        if (diags_.seeks_meaning(Diagnostics::Misspelt::Member, e.name))
            for (const FieldDecl* field : record.fields) nearest.consider(field->name);
        const QualType type = {.type = e.base->type.type};
        if (nearest.found().empty() || !find_field(record, nearest.found(), path)) {
            diags_.error(e.name_range, "no member named '", e.name, "' in '", type, "'")
                .highlight(e.base->range);
            return error_expr(e);
        }
        diags_
            .error(e.name_range, "no member named '", e.name, "' in '", type, "'; did you mean '",
                   nearest.found(), "'?")
            .highlight(e.base->range)
            .fixit(e.name_range, std::string(nearest.found()))
            .note(path.back()->name_range, "'", nearest.found(), "' declared here");
    }
    use(e.name_range, *path.back());
    e.arrow = false;
    Expr* base = e.base;
    for (FieldDecl* field : path) {
        if (field->type->is_error()) return error_expr(e);
        MemberExpr* step = &e;
        if (field != path.back()) {
            step = make_node<MemberExpr>(arena_, e.range);
            step->op_range = e.op_range;
            step->name_range = e.name_range;
        }
        step->base = base;
        step->field = field;
        step->is_lvalue = base->is_lvalue;
        if (base->is_lvalue) {  // C99 6.5.2.3p3: so-qualified version of the member's type
            QualType type = in_space(field->type, base->type.space);
            step->type = qualified(type, base->type.is_const, base->type.is_volatile, false);
        } else {
            step->type = field->type.unqualified();
        }
        base = step;
    }
    return base;
}

namespace {

int point_lane(char c, std::string_view set) {
    size_t at = set.find(c);
    return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

int hex_lane(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/// The lanes of .lo, .hi, .even and .odd; three components count as four.
bool half_selector(std::string_view name, uint32_t lanes, std::vector<uint8_t>& out) {
    uint32_t half = (lanes == 3 ? 4 : lanes) / 2;
    uint32_t first = 0, step = 1;
    if (name == "lo")
        first = 0;
    else if (name == "hi")
        first = half;
    else if (name == "even")
        step = 2;
    else if (name == "odd")
        first = 1, step = 2;
    else
        return false;
    for (uint32_t i = 0; i < half; ++i) out.push_back(static_cast<uint8_t>(first + i * step));
    return true;
}

}  // namespace

/// A selector of one or several lanes. In a vector of three, .hi and .odd have a lane 3 that does not exist.
Expr* Checker::swizzle(MemberExpr& e) {
    const QualType type = e.base->type;
    uint32_t count = type->lanes();
    SourceRange at = {e.op_range.begin, e.name_range.end};
    std::vector<uint8_t> lanes;
    auto exceeds = [&] {
        diags_.error(at, "vector component access exceeds type '", type, "'");
        return error_expr(e);
    };
    auto illegal = [&](char c) {
        diags_.error(at, "illegal vector component name '", std::string(1, c), "'");
        return error_expr(e);
    };
    if (half_selector(e.name, count, lanes)) {
        // all the lanes are known
    } else if ((e.name[0] == 's' || e.name[0] == 'S') && e.name.size() > 1) {
        for (char c : e.name.substr(1)) {
            int lane = hex_lane(c);
            if (lane < 0) return illegal(c);
            if (static_cast<uint32_t>(lane) >= count) return exceeds();
            lanes.push_back(static_cast<uint8_t>(lane));
        }
    } else {
        bool rgba = point_lane(e.name[0], "rgba") >= 0;
        if (rgba && !at_least(Standard::CL30))
            diags_.warning(Warning::UnsupportedRgba, at, "vector component name '", std::string(1, e.name[0]),
                           "' is a feature from OpenCL version 3.0 onwards");
        for (char c : e.name) {
            int lane = point_lane(c, rgba ? "rgba" : "xyzw");
            if (lane < 0) return illegal(c);
            if (static_cast<uint32_t>(lane) >= count) return exceeds();
            lanes.push_back(static_cast<uint8_t>(lane));
        }
    }
    size_t n = lanes.size();
    if (n != 1 && n != 2 && n != 3 && n != 4 && n != 8 && n != 16) {
        diags_.error(at, "vector component access has invalid length ", n, ".  Supported: 1,2,3,4,8,16.");
        return error_expr(e);
    }
    auto* node = make_node<SwizzleExpr>(arena_, e.range);
    node->base = e.base;
    node->lane_count = static_cast<uint8_t>(n);
    for (size_t i = 0; i < n; ++i) node->lanes[i] = lanes[i];
    node->type = {.type = types_.with_lanes(type.type, static_cast<uint32_t>(n))};
    node->is_lvalue = e.base->is_lvalue;
    if (node->is_lvalue) {
        node->type.is_const = type.is_const;
        node->type.is_volatile = type.is_volatile;
        node->type.space = type.space;
    }
    return node;
}

}  // namespace caldera::frontend
