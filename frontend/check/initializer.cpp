// SPDX-License-Identifier: Apache-2.0
// Initialisers (C99 6.7.8): braces left out, designators, vectors filled by scalars and shorter vectors.
#include "frontend/check/checker_impl.h"

namespace caldera::frontend {

namespace {

/// Limits for one initialiser, and for lists with designators in all: a few characters can request any number
/// of elements.
constexpr uint64_t kMaxElements = uint64_t{1} << 20, kMaxDesignated = uint64_t{1} << 22;

/// The objects that an initialiser initialises. Those from one range of indices share a node, until a
/// designator changes one of them.
uint64_t elements_of(const Expr* init) {
    auto* list = dyn<InitListExpr>(init);
    if (!list) return 1;
    uint64_t sum = 0, last = 0;
    for (size_t i = 0; i < list->inits.size() && sum <= kMaxElements; ++i) {
        if (i == 0 || list->inits[i] != list->inits[i - 1]) last = elements_of(list->inits[i]);
        sum += last;
    }
    return sum;
}

}  // namespace

/// A position in one brace-enclosed list.
struct Checker::InitCursor {
    InitListExpr& list;
    size_t next = 0;
    bool done() const { return next >= list.entries.size(); }
    InitEntry& entry() const { return list.entries[next]; }
    SourceRange end() const { return {{list.range.end.offset - 1}, list.range.end}; }
    /// Whether the initialiser is `{0}`, the usual way to say that everything is zero.
    bool is_zero() const {
        auto* zero = list.entries.size() == 1 ? dyn<IntLiteralExpr>(list.entries[0].value) : nullptr;
        return zero && zero->value == 0 && list.entries[0].designators.empty();
    }
};

/// Checks `init` for an object of `type`. If an array has no length, sets it. `at` is the object's name.
Expr* Checker::initialize(Expr* init, QualType& type, SourceRange at, bool constant_only) {
    // The check of a list ends at its first fault. If anybody wants names, those behind it are found here.
    const auto note_names = [&](InitListExpr& whole) {
        if (!mentions_) return;
        const Diagnostics::Silence silence(diags_);
        std::vector<InitListExpr*> lists = {&whole};
        for (size_t i = 0; i < lists.size(); ++i)
            for (InitEntry& entry : lists[i]->entries)
                if (auto* inner = dyn<InitListExpr>(entry.value))
                    lists.push_back(inner);
                else if (!entry.value->type)
                    entry.value = expr(entry.value);
    };
    auto* broken = dyn<ErrorExpr>(init);
    if (auto* list = dyn<InitListExpr>(broken ? broken->partial : nullptr); list && mentions_) {
        const Diagnostics::Silence silence(diags_);
        broken->partial = nullptr;
        QualType scratch = type;  // its length is not to be trusted
        if (!type->is_error()) init_braced(*list, scratch);
        note_names(*list);
    }
    if (type->is_error()) {
        if (auto* list = dyn<InitListExpr>(init))
            note_names(*list);
        else
            init = expr(init);
        return error_expr(*init);
    }
    Expr* result = nullptr;
    if (auto* list = dyn<InitListExpr>(init)) {
        result = init_braced(*list, type);
        if (is_error(result)) note_names(*list);
        if (!is_error(result) && elements_of(result) > kMaxElements) {
            diags_.error(init->range, "an initializer with more than ", kMaxElements,
                         " elements is not supported");
            return error_expr(*init);
        }
    } else if (is_string_for(init, type)) {
        result = init_string(init, type);
    } else if (type->is_array()) {
        Expr* source = expr(init);
        if (!is_error(source)) diags_.error(at, "array initializer must be an initializer list");
        return error_expr(*init);
    } else {
        result = init_value(init, type, at);
    }
    if (!is_error(result) && constant_only && !require_constant(*result)) return error_expr(*result);
    return result;
}

Expr* Checker::init_value(Expr* init, QualType type, SourceRange at) {
    return convert(expr(init), type, Action::Init, at);
}

bool Checker::require_constant(const Expr& init) {
    Arena scratch;
    bool gave_up = false;
    if (evaluate(init, scratch, &gave_up)) return true;
    if (gave_up) {
        diags_.error(expr_place(init), "initializer element is nested too deeply to be evaluated");
        return false;
    }
    const Expr* culprit = &init;
    while (auto* list = dyn<InitListExpr>(culprit)) {
        const Expr* inner = nullptr;
        for (const Expr* part : list->inits)
            if (part && !inner && !evaluate(*part, scratch)) inner = part;
        if (!inner) break;
        culprit = inner;
    }
    diags_.error(expr_place(*culprit), "initializer element is not a compile-time constant")
        .highlight(culprit->range);
    return false;
}

bool Checker::is_string_for(const Expr* init, const QualType& type) const {
    if (!type->is_array() || strip_parens(init)->kind != ExprKind::StringLiteral) return false;
    TypeKind element = type->element->kind;
    return element == TypeKind::Char || element == TypeKind::UChar;
}

Expr* Checker::init_string(Expr* init, QualType& type) {
    auto& string = as<StringLiteralExpr>(*strip_parens(init));
    uint64_t length = string.value.size();
    if (length >= kMaxElements) {
        diags_.error(init->range, "an initializer with more than ", kMaxElements,
                     " elements is not supported");
        return error_expr(*init);
    }
    if (type->incomplete_array)
        type.type = types_.array(type->element, length + 1);
    else if (length > type->count)
        diags_.warning(Warning::ExcessInitializers, init->range,
                       "initializer-string for char array is too long");
    string.type = {.type = type.type};
    return &string;
}

/// `{ … }` for an object of `type`.
Expr* Checker::init_braced(InitListExpr& list, QualType& type) {
    InitCursor cursor{list};
    if (type->kind == TypeKind::Sampler) {
        diags_.error(list.range, "illegal initializer type '", type, "'");
        return error_expr(list);
    }
    if (type->is_array() && list.entries.size() == 1 && list.entries[0].designators.empty() &&
        is_string_for(list.entries[0].value, type))
        return init_string(list.entries[0].value, type);
    if (type->is_array() || type->is_record()) {
        if (list.entries.empty())
            diags_.warning(Warning::GnuEmptyInitializer, list.range,
                           "use of GNU empty initializer extension");
        if (type->is_record() && !require_complete(type, list.range, "variable has incomplete type "))
            return error_expr(list);
        return init_aggregate(cursor, type, list, true, 0) ? &list : error_expr(list);
    }
    if (list.entries.empty()) {
        if (type->is_vector()) return to_vector(int_constant(0, int_type().type, list.range), type.type);
        diags_.error(list.range, "scalar initializer cannot be empty");
        return error_expr(list);
    }
    if (!list.entries[0].designators.empty()) {
        diags_.error(list.entries[0].designators[0].range, "designator in initializer for ",
                     type->is_vector() ? "vector" : "scalar", " type '", type, "'");
        return error_expr(list);
    }
    if (!type->is_vector() && list.entries[0].value->kind == ExprKind::InitList)
        diags_.warning(Warning::ManyBraces, list.entries[0].value->range,
                       "too many braces around scalar initializer");
    // A vector may have its braces twice, which clang refuses.
    bool fills =
        type->is_vector() && (list.entries.size() > 1 || list.entries[0].value->kind != ExprKind::InitList);
    Expr* result = fills ? init_vector(cursor, type) : init_element(cursor, type);
    if (!cursor.done() && !is_error(result)) {
        if (type->is_vector()) {
            diags_.error(cursor.entry().value->range, "excess elements in vector initializer");
            return error_expr(list);
        }
        diags_.warning(Warning::ExcessInitializers, cursor.entry().value->range,
                       "excess elements in scalar initializer");
    }
    return result;
}

/// The next element, of type `type`: one entry, or as many entries as an aggregate without braces needs.
/// These change an `earlier` list for the element, which is then set to null.
Expr* Checker::init_element(InitCursor& cursor, QualType& type, Expr** earlier) {
    InitEntry& entry = cursor.entry();
    if (auto* inner = dyn<InitListExpr>(entry.value)) {
        ++cursor.next;
        return init_braced(*inner, type);
    }
    if (is_string_for(entry.value, type)) {
        ++cursor.next;
        return init_string(entry.value, type);
    }
    entry.value = expr(entry.value);
    const Type* given = entry.value->type.type;
    if (is_error(entry.value)) {
        ++cursor.next;
        return error_expr(*entry.value);
    }
    bool aggregate = type->is_array() || (type->is_record() && given != type.type);
    if (aggregate) {
        SourceRange begin = entry.value->range;
        bool zero = cursor.is_zero();
        auto* list = earlier ? dyn<InitListExpr>(*earlier) : nullptr;
        if (list) {
            list = own_list(*list, begin);
            if (!list) return error_expr(*entry.value);
            *earlier = nullptr;
        } else {
            list = make_node<InitListExpr>(arena_, entry.value->range);
        }
        bool single = type->is_record() && type->record && type->record->fields.size() == 1;
        if (!zero && !single)
            diags_.warning(Warning::MissingBraces, begin,
                           "suggest braces around initialization of subobject");
        return init_aggregate(cursor, type, *list, false, 0) ? static_cast<Expr*>(list) : error_expr(*list);
    }
    // A vector without braces of its own takes one scalar for all its lanes, as in clang.
    if (type->is_vector() && given->is_vector() && given != type.type) return init_vector(cursor, type);
    ++cursor.next;
    return convert(entry.value, type, Action::Init, entry.value->range);
}

/// Warns of braces around the initialiser of a scalar that is a part of another object.
void Checker::warn_braced(const Expr& init, const QualType& type) {
    auto* list = dyn<InitListExpr>(&init);
    if (list && type->is_scalar() && list->entries.size() == 1 &&
        list->entries[0].value->kind != ExprKind::InitList)
        diags_.warning(Warning::BracedScalarInit, init.range, "braces around scalar initializer");
}

/// Scalars and shorter vectors that fill a vector.
Expr* Checker::init_vector(InitCursor& cursor, const QualType& type) {
    const Type* element = type->element.type;
    std::vector<Expr*> items;
    uint64_t lanes = 0;
    SourceRange range = cursor.entry().value->range;
    bool bad = false;
    while (lanes < type->lanes() && !cursor.done()) {
        InitEntry& entry = cursor.entry();
        if (!items.empty() && !entry.designators.empty()) break;
        ++cursor.next;
        Expr* item = nullptr;
        if (auto* inner = dyn<InitListExpr>(entry.value)) {  // braces of one element, as in clang
            QualType one = {.type = element};
            item = init_braced(*inner, one);
            if (!is_error(item)) warn_braced(*inner, one);
        } else {
            item = value(entry.value);
        }
        if (!is_error(item) && item->type->is_vector() && item->type->element.type != element)
            item = convert_fault(*item, item->type, {.type = element}, Action::Init, item->range, nullptr);
        else if (!is_error(item) && !item->type->is_vector())
            item = convert(item, {.type = element}, Action::Init, item->range);
        entry.value = item;
        bad |= is_error(item);
        if (is_error(item)) break;
        range.end = item->range.end;
        lanes += item->type->lanes();
        items.push_back(item);
    }
    auto* literal = make_node<VectorLiteralExpr>(arena_, range);
    literal->elements = arena_.copy(items);
    literal->type = {.type = type.type};
    if (bad) return error_expr(range);
    if (lanes == type->lanes()) return literal;
    diags_.error(cursor.list.range, lanes < type->lanes() ? "too few" : "too many",
                 " elements in vector initialization (expected ", type->lanes(), " elements, have ", lanes,
                 ")");
    return error_expr(range);
}

namespace {
SourceRange value_range(const InitEntry& entry) { return entry.value->range; }
}  // namespace

/// Reads `[first ... last]`. False if it is faulty and was reported.
bool Checker::designated_element(const Designator& designator, const QualType& type, uint64_t& first,
                                 uint64_t& last) {
    if (!type->is_array()) {
        diags_.error(designator.range, "array designator cannot initialize non-array type '", type, "'");
        return false;
    }
    auto bound = [&](Expr* e, uint64_t& index) {
        e = value(e);
        if (is_error(e)) return false;
        if (!e->type->is_integer()) {
            diags_.error(e->range, "integer constant expression must have integer type, not '", e->type, "'");
            return false;
        }
        if (!constant_value(*e)) return false;
        const std::optional<uint64_t> bits = evaluate_as_long(*e);
        if (e->type->is_signed() && static_cast<int64_t>(*bits) < 0) {
            diags_.error(e->range, "array designator value '", static_cast<int64_t>(*bits), "' is negative");
            return false;
        }
        if (!type->incomplete_array && *bits >= type->count) {
            diags_.error(e->range, "array designator index (", *bits, ") exceeds array bounds (", type->count,
                         ")");
            return false;
        }
        if (*bits >= kMaxElements) {
            diags_.error(e->range, "an array designator index of ", kMaxElements,
                         " or more is not supported");
            return false;
        }
        index = *bits;
        return true;
    };
    if (!bound(designator.index, first)) return false;
    last = first;
    if (!designator.index_end) return true;
    if (!bound(designator.index_end, last)) return false;
    if (last >= first) return true;
    diags_.error(designator.index->range, "array designator range [", first, ", ", last, "] is empty")
        .highlight(designator.index_end->range);
    return false;
}

/// Finds the element of `type` that the designator names; false if it was wrong and reported.
bool Checker::designated_index(const Designator& designator, const QualType& type, uint64_t& first,
                               uint64_t& last) {
    if (designator.index) return designated_element(designator, type, first, last);
    if (designator.member) {
        first = last = designator.member->index;
        return true;
    }
    if (!type->is_record()) {
        diags_.error(designator.range, "field designator cannot initialize a non-struct, non-union type '",
                     type, "'");
        return false;
    }
    const SourceLoc begin = designator.range.begin;
    if (mentions_ && designator.range.end.offset - begin.offset > designator.field.size())  // it has a dot
        mentions_->members.push_back({.op_range = {begin, {begin.offset + 1}}, .base = type.type});
    std::vector<FieldDecl*> path;
    if (!find_field(*type->record, designator.field, path)) {
        SourceRange name = designator.range;  // without the dot
        name.begin.offset = name.end.offset - static_cast<uint32_t>(designator.field.size());
        diags_.error(name, "field designator '", designator.field, "' does not refer to any field in type '",
                     type, "'");
        return false;
    }
    note_designator(designator, *path.back());
    first = last = path[0]->index;
    return true;
}

/// Replaces a designator of a member of an unnamed member by one designator for each member on the way (C11
/// 6.7.2.1p13).
void Checker::spell_out_unnamed(InitEntry& entry, size_t level, const QualType& type) {
    const Designator& written = entry.designators[level];
    if (!type->is_record() || written.field.empty() || written.member) return;
    std::vector<FieldDecl*> path;
    if (!find_field(*type->record, written.field, path) || path.size() == 1) return;
    note_designator(written, *path.back());
    const auto at = entry.designators.begin() + static_cast<ptrdiff_t>(level);
    std::vector<Designator> all(entry.designators.begin(), at);
    for (FieldDecl* field : path)
        all.push_back({.range = written.range, .field = written.field, .member = field});
    all.insert(all.end(), at + 1, entry.designators.end());
    entry.designators = arena_.copy(std::span<const Designator>(all));
}

/// Counts elements that a list gets because of a designator. False if they are too many, which is reported.
bool Checker::count_designated(uint64_t count, SourceRange at) {
    designated_elements_ += count;
    if (designated_elements_ <= kMaxDesignated) return true;
    diags_.error(at, "designators of more than ", kMaxDesignated, " elements are not supported");
    return false;
}

/// The list, or a copy if other elements share it. Null if there are too many elements, which is reported.
InitListExpr* Checker::own_list(InitListExpr& list, SourceRange at) {
    if (!list.is_shared) return &list;
    auto* own = make_node<InitListExpr>(arena_, list.range);
    *own = list;
    own->is_shared = false;
    own->inits = arena_.copy(std::span<Expr* const>(list.inits));
    if (own->base) own->base->is_shared = true;
    for (Expr* init : own->inits)
        if (init) init->is_shared = true;
    return count_designated(own->inits.size(), at) ? own : nullptr;
}

/// The list of an element of type `type` that has been initialised by `earlier`, or not at all, for the
/// designator of that level to change: a copy if other elements share it, and a new one over an expression
/// (C99 6.7.8p19). Null if there are too many elements, which is reported.
InitListExpr* Checker::list_to_change(Expr* earlier, const QualType& type, bool is_update,
                                      const InitEntry& entry, size_t level) {
    const SourceRange at = entry.designators[level].range;
    if (auto* list = dyn<InitListExpr>(earlier)) return own_list(*list, at);
    auto* own = make_node<InitListExpr>(arena_, value_range(entry));
    own->type = {.type = type.type};
    own->is_update = is_update;
    if (!earlier) return own;
    diags_
        .warning(Warning::InitializerOverrides, at,
                 "initializer partially overrides prior initialization of this subobject")
        .note(earlier->range, "previous initialization is here");
    auto* string = type->is_array() ? dyn<StringLiteralExpr>(strip_parens(earlier)) : nullptr;
    own->is_update = !string;
    if (!string) {
        own->base = earlier;
        return own;
    }
    std::vector<Expr*> letters;
    for (const char letter : string->value.substr(0, type->count)) {
        auto* literal = make_node<CharLiteralExpr>(arena_, earlier->range);
        literal->type = {.type = type->element.type};
        literal->value =
            literal->type->is_signed() ? static_cast<int8_t>(letter) : static_cast<uint8_t>(letter);
        letters.push_back(literal);
    }
    own->inits = arena_.copy(letters);
    return count_designated(letters.size(), at) ? own : nullptr;
}

/// Another element of a designated range: gets what the designators from `level` on have given to `done`.
/// Null if there are too many elements, which is reported.
Expr* Checker::designate_again(Expr* earlier, const InitListExpr& done, bool is_update,
                               const InitEntry& entry, size_t level) {
    InitListExpr* list = list_to_change(earlier, done.type, is_update, entry, level);
    if (!list) return nullptr;
    const Designator& designator = entry.designators[level];
    const bool is_union = done.union_field != nullptr;
    const uint64_t first = is_union ? 0 : designator.first, last = is_union ? 0 : designator.last;
    std::vector<Expr*> inits(list->inits.begin(), list->inits.end());
    if (list->union_field != done.union_field) inits.clear();
    list->union_field = done.union_field;
    if (inits.size() <= last) {
        if (!count_designated(last + 1 - inits.size(), designator.range)) return nullptr;
        inits.resize(last + 1);
    }
    Expr *before = nullptr, *made = nullptr;
    for (uint64_t i = first; i <= last; ++i) {
        if (level + 1 == entry.designators.size()) {
            made = done.inits[i];
            made->is_shared = true;
        } else if (made && inits[i] == before && done.inits[i] == done.inits[i - 1]) {
            made->is_shared = true;
        } else {
            before = inits[i];
            made =
                designate_again(before, as<InitListExpr>(*done.inits[i]), list->is_update, entry, level + 1);
            if (!made) return nullptr;
        }
        inits[i] = made;
    }
    list->inits = arena_.copy(inits);
    return list;
}

/// An array, struct or union that gets its values one after the other.
struct Checker::Filling {
    const QualType& type;
    InitListExpr& list;
    bool is_array = type->is_array(), is_union = type->is_record() && type->record->is_union;
    std::span<FieldDecl* const> fields =
        type->is_record() ? type->record->fields : std::span<FieldDecl* const>{};
    std::vector<Expr*> inits{list.inits.begin(), list.inits.end()};
    uint64_t length = inits.size();
    /// The elements that get the next value: several by a range of designators. Those of a union are its
    /// members, of which `inits` has one.
    uint64_t first = 0, last = 0;

    bool is_full() const {
        if (is_array) return !type->incomplete_array && first >= type->count;
        return first >= fields.size();
    }
    QualType member() const { return is_array ? type->element : fields[first]->type; }
    size_t slot(uint64_t index) const { return is_union ? 0 : index; }
};

/// Makes room for the elements, which `designator` has chosen unless it is null. False if they are too many.
bool Checker::make_room(Filling& object, const Designator* designator) {
    if (object.is_union) {
        FieldDecl* const field = object.fields[object.first];
        if (object.list.union_field && object.list.union_field != field) object.inits.clear();
        object.list.union_field = field;
        object.inits.resize(1);
        return true;
    }
    const uint64_t needed = object.last + 1;
    if (object.inits.size() >= needed) return true;
    if (designator && !count_designated(needed - object.inits.size(), designator->range)) return false;
    object.inits.resize(needed);
    return true;
}

/// Initialises what the designators from `level` on choose inside the elements. False when something was
/// faulty.
bool Checker::fill_inside(Filling& object, InitCursor& cursor, size_t level) {
    InitEntry& entry = cursor.entry();
    QualType member = object.member();
    if (!member->is_array() && !member->is_record()) {
        diags_.error(entry.designators[level].range, "designator in initializer for scalar type '", member,
                     "'");
        return false;
    }
    // Values that follow without designators belong to the last element of a range, as in clang.
    const uint64_t chosen = object.slot(object.last);
    Expr* before = object.inits[chosen];
    const bool is_update = object.list.is_update;
    InitListExpr* sub = list_to_change(before, member, is_update, entry, level);
    if (!sub) return false;
    const bool outer_goes_on = std::exchange(goes_on_, false);
    bool fine = init_aggregate(cursor, member, *sub, false, level);
    object.inits[chosen] = sub;
    Expr* made = goes_on_ ? nullptr : sub;
    for (uint64_t i = chosen; fine && i > object.slot(object.first); --i) {
        if (made && object.inits[i - 1] == before) {
            made->is_shared = true;
        } else {
            before = object.inits[i - 1];
            made = designate_again(before, *sub, is_update, entry, level);
            fine = made != nullptr;
        }
        object.inits[i - 1] = made;
    }
    goes_on_ |= outer_goes_on;
    return fine;
}

/// Initialises the elements as wholes. False when something was faulty.
bool Checker::fill_whole(Filling& object, InitCursor& cursor, bool is_designated) {
    const SourceRange here = value_range(cursor.entry());
    const size_t next = cursor.next;
    const bool is_range = object.last > object.first;
    QualType member = object.member();
    Expr*& init = object.inits[object.slot(object.first)];
    Expr* earlier = init;
    const Expr& written = *cursor.entry().value;
    init = init_element(cursor, member, is_range ? nullptr : &earlier);
    if (!is_error(init)) warn_braced(written, member);
    if (cursor.next == next && (is_designated || object.is_array)) {  // an element without room for any value
        ++cursor.next;
        diags_.warning(Warning::ExcessInitializers, here, "excess elements in ",
                       member->is_array() ? "array" : "struct", " initializer");
    }
    const bool is_letter = earlier && earlier->kind == ExprKind::CharLiteral;  // was reported
    if (earlier && !is_letter)
        diags_
            .warning(Warning::InitializerOverrides, here,
                     "initializer overrides prior initialization of this subobject")
            .note(earlier->range, "previous initialization is here");
    init->is_shared |= is_range;
    for (uint64_t i = object.first + 1; i <= object.last && !object.is_union; ++i) object.inits[i] = init;
    return !is_error(init);
}

/// Fills `out` from the cursor. `braced`: the list belongs to this object, else entries are taken until it is
/// full. `depth` > 0: the first entry's designator of that depth says where to begin. False when something
/// was faulty.
bool Checker::init_aggregate(InitCursor& cursor, QualType& type, InitListExpr& out, bool braced,
                             size_t depth) {
    Filling object{type, out};
    const size_t level = braced ? 0 : depth;
    bool fine = true, is_first = true, any_designated = false;
    while (!cursor.done() && fine) {
        InitEntry& entry = cursor.entry();
        const bool has_designators = !entry.designators.empty();
        const bool is_designated = has_designators && (braced || (is_first && depth > 0));
        if (has_designators && !is_designated && !(is_first && depth == 0)) break;  // it leads further out
        object.last = object.first;
        if (is_designated) {
            spell_out_unnamed(entry, level, type);
            Designator& designator = entry.designators[level];
            fine = designated_index(designator, type, object.first, object.last);
            if (!fine) break;
            designator.first = object.first;
            designator.last = object.last;
        } else if (object.is_full() || (object.is_union && !is_first)) {
            break;
        }
        goes_on_ |= !is_first && depth > 0;
        is_first = false;
        any_designated |= is_designated;
        fine = make_room(object, is_designated ? &entry.designators[level] : nullptr);
        if (!fine) break;
        const bool leads_inside = is_designated && level + 1 < entry.designators.size();
        fine =
            leads_inside ? fill_inside(object, cursor, level + 1) : fill_whole(object, cursor, is_designated);
        object.first = object.last + 1;
        object.length = std::max(object.length, object.first);
    }
    if (fine) warn_filled(object, cursor, braced, any_designated || is_first);
    if (!fine && !braced && !cursor.done()) cursor.next = cursor.list.entries.size();
    if (object.is_array && type->incomplete_array && fine) {
        if (object.length == 0) {
            diags_.error(out.range, "zero size arrays are not supported");
            return false;
        }
        type.type = types_.array(type->element, object.length);
    }
    out.inits = arena_.copy(object.inits);
    out.type = {.type = type.type};
    return fine;
}

/// Warns about values for which there is no element, and about a member without a value unless
/// `may_lack_members`.
void Checker::warn_filled(const Filling& object, const InitCursor& cursor, bool braced,
                          bool may_lack_members) {
    if (braced && !cursor.done())
        diags_.warning(Warning::ExcessInitializers, value_range(cursor.entry()), "excess elements in ",
                       object.is_array   ? "array"
                       : object.is_union ? "union"
                                         : "struct",
                       " initializer");
    if (!may_lack_members && !object.is_array && !object.is_union && !cursor.is_zero() &&
        object.first < object.fields.size() && !object.fields[object.first]->name.empty())
        diags_.warning(Warning::MissingFieldInitializers, cursor.end(), "missing field '",
                       object.fields[object.first]->name, "' initializer");
}

}  // namespace caldera::frontend
