// SPDX-License-Identifier: Apache-2.0
// Tries what is smaller, one change at a time, as long as that goes on being bad.
#include "reduce.h"

#include <algorithm>

namespace caldera::float_order {
namespace {

/// How often each variable is read.
std::vector<uint32_t> reads(const Body& body) {
    std::vector<uint32_t> counts(body.variables.size());
    walk(body, body.statements, [&](uint32_t id) {
        if (body.nodes[id].variable != kNone) ++counts[body.nodes[id].variable];
    });
    ++counts[body.result];
    return counts;
}

bool remove_unread(std::vector<Statement>& list, const std::vector<uint32_t>& counts) {
    bool changed = false;
    for (Statement& statement : list) {
        changed |= remove_unread(statement.then, counts);
        changed |= remove_unread(statement.otherwise, counts);
    }
    const size_t removed = std::erase_if(list, [&](const Statement& statement) {
        return statement.kind == Statement::Kind::Assign
                   ? counts[statement.variable] == 0
                   : statement.then.empty() && statement.otherwise.empty();
    });
    return changed || removed != 0;
}

/// Whether each variable is declared before it is read or assigned to, in the same block or one around it.
class Scopes {
 public:
    explicit Scopes(const Body& body) : body_(body), declared_(body.variables.size()) {}
    bool are_right() {
        // A variable in an inner block is gone at its end, so what the result reads must be left.
        return are_right(body_.statements) && declared_[body_.result];
    }

 private:
    bool reads_right(uint32_t value) const {
        bool right = true;
        walk(body_, value, [&](uint32_t id) {
            const uint32_t variable = body_.nodes[id].variable;
            right = right && (variable == kNone || declared_[variable]);
        });
        return right;
    }

    bool are_right(const std::vector<Statement>& list) {
        for (const Statement& statement : list) {
            if (!reads_right(statement.value)) return false;
            if (statement.kind == Statement::Kind::Assign) {
                if (!statement.declares && !declared_[statement.variable]) return false;
                declared_[statement.variable] = true;
                continue;
            }
            for (const std::vector<Statement>* inner : {&statement.then, &statement.otherwise}) {
                const std::vector<bool> outer = declared_;
                if (statement.kind == Statement::Kind::For) declared_[statement.variable] = true;
                if (!are_right(*inner)) return false;
                declared_ = outer;
            }
        }
        return true;
    }

    const Body& body_;
    std::vector<bool> declared_;
};

bool is_result_kind(Kind kind) {
    return kind == Kind::Half || kind == Kind::Float || kind == Kind::Double || kind == Kind::Int ||
           kind == Kind::Long;
}

bool is_relation(Op op) { return op >= Op::Less && op <= Op::Or; }

/// The variables that are declared have the types of their values.
void retype(Body& body, const std::vector<Statement>& list) {
    for (const Statement& statement : list) {
        if (statement.declares) body.variables[statement.variable] = body.nodes[statement.value].type;
        retype(body, statement.then);
        retype(body, statement.otherwise);
    }
}

/// All vectors as scalars; what relations give is an int then.
Body scalar(Body body) {
    for (Node& node : body.nodes) {
        if (node.op == Op::Select) {
            node.op = Op::Ternary;
            node.operands = {node.operands[2], node.operands[1], node.operands[0]};
        }
        node.type = {is_relation(node.op) ? Kind::Int : node.type.kind, 1};
    }
    for (Node& node : body.nodes)
        while (node.op == Op::Splat || node.op == Op::Lane) node = Node(body.nodes[node.operands[0]]);
    for (Type& type : body.variables) type.width = 1;
    retype(body, body.statements);
    for (Node& node : body.nodes)
        if (node.op == Op::Variable) node.type = body.variables[node.variable];
    return body;
}

class Reducer {
 public:
    Reducer(Body body, const std::function<bool(const Body&)>& bad) : body_(std::move(body)), bad_(bad) {}

    Body run() {
        if (body_.result_type().width > 1) attempt(scalar(body_));
        for (changed_ = true; changed_;) {
            changed_ = false;
            for (size_t number = 0; number < statement_count(body_.statements); ++number)
                change_statement(number);
            results();
            nodes();
            flags();
        }
        return body_;
    }

 private:
    static size_t statement_count(const std::vector<Statement>& list) {
        size_t count = 0;
        for (const Statement& statement : list)
            count += 1 + statement_count(statement.then) + statement_count(statement.otherwise);
        return count;
    }

    /// The list that holds a statement, by its number in the order of the text.
    static std::vector<Statement>* find(std::vector<Statement>& list, size_t& number, size_t& at) {
        for (at = 0; at < list.size(); ++at) {
            if (number-- == 0) return &list;
            const size_t here = at;
            if (auto* found = find(list[here].then, number, at)) return found;
            if (auto* found = find(list[here].otherwise, number, at)) return found;
            at = here;
        }
        return nullptr;
    }

    bool attempt(Body body) {
        while (remove_unread(body.statements, reads(body))) {}
        body.find_places();
        if (body.combinations() > 4096 || !is_result_kind(body.result_type().kind) ||
            !Scopes(body).are_right())
            return false;
        if (size(body) >= size(body_) || !bad_(body)) return false;
        body_ = std::move(body);
        return changed_ = true;
    }

    /// The body that is to become smaller.
    static size_t size(const Body& body) {
        size_t total = 100 * statement_count(body.statements) + body.divides_exactly + !body.contracts;
        walk(body, body.statements, [&](uint32_t id) {
            const Node& node = body.nodes[id];
            total += 20 + 4 * node.type.width +
                     (node.op == Op::Constant   ? 0
                      : node.op == Op::Variable ? 1
                                                : 2);
        });
        turns(body.statements, total);
        return total;
    }
    static void turns(const std::vector<Statement>& list, size_t& total) {
        for (const Statement& statement : list) {
            if (statement.kind == Statement::Kind::For)
                total += static_cast<size_t>(statement.turns ? statement.turns : 20);
            turns(statement.then, total);
            turns(statement.otherwise, total);
        }
    }

    void change_statement(size_t number) {
        const auto change = [&](auto how) {
            Body smaller = body_;
            size_t left = number, at = 0;
            std::vector<Statement>* list = find(smaller.statements, left, at);
            if (!list) return;
            if (how(*list, at)) attempt(std::move(smaller));
        };
        change([](std::vector<Statement>& list, size_t at) {
            list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
            return true;
        });
        for (const bool otherwise : {false, true})
            change([&](std::vector<Statement>& list, size_t at) {  // what is inside instead
                if (list[at].kind == Statement::Kind::Assign) return false;
                const std::vector<Statement> inner = otherwise ? list[at].otherwise : list[at].then;
                const auto place = list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
                list.insert(place, inner.begin(), inner.end());
                return true;
            });
        for (const int turns : {1, 2, 4, kTurns})
            change([&](std::vector<Statement>& list, size_t at) {
                list[at].turns = turns;
                return list[at].kind == Statement::Kind::For;
            });
    }

    void results() {
        for (uint32_t variable = 0; variable < body_.variables.size(); ++variable) {
            if (variable == body_.result) continue;
            Body smaller = body_;
            smaller.result = variable;
            attempt(std::move(smaller));
        }
    }

    void nodes() {
        std::vector<uint32_t> all;
        walk(body_, body_.statements, [&](uint32_t id) { all.push_back(id); });
        std::ranges::reverse(all);  // the outer ones first
        for (const uint32_t id : all) {
            std::vector<uint32_t> parts;
            walk(body_, id, [&](uint32_t part) {
                if (part != id && body_.nodes[part].type == body_.nodes[id].type) parts.push_back(part);
            });
            std::ranges::reverse(parts);
            for (const uint32_t part : parts) {
                if (replace(id, body_.nodes[part])) break;
            }
            // Replaces the variable by the expression that was assigned to it.
            if (body_.nodes[id].op == Op::Variable) inline_variable(id);
            if (!body_.nodes[id].type.is_real()) continue;
            for (const double value : {1.0, 3.0}) {
                Node one{.op = Op::Constant, .type = body_.nodes[id].type};
                one.lanes.fill(nearest(one.type.kind, value));
                if (replace(id, one)) break;
            }
        }
    }

    bool replace(uint32_t id, const Node& by) {
        Body smaller = body_;
        smaller.nodes[id] = by;
        forget_compounds(smaller.statements);
        return attempt(std::move(smaller));
    }

    static void forget_compounds(std::vector<Statement>& list) {
        for (Statement& statement : list) {
            statement.compound = false;
            forget_compounds(statement.then);
            forget_compounds(statement.otherwise);
        }
    }

    void inline_variable(uint32_t id) {
        const uint32_t variable = body_.nodes[id].variable;
        const Statement* only = nullptr;
        for (const Statement& statement : body_.statements)
            if (statement.variable == variable && statement.declares) only = &statement;
        if (only) replace(id, body_.nodes[only->value]);
    }

    void flags() {
        Body smaller = body_;
        smaller.divides_exactly = false;
        attempt(std::move(smaller));
        smaller = body_;
        smaller.contracts = true;
        attempt(std::move(smaller));
    }

    Body body_;
    const std::function<bool(const Body&)>& bad_;
    bool changed_ = false;
};

}  // namespace

Body reduce(Body body, const std::function<bool(const Body&)>& bad) {
    return Reducer(std::move(body), bad).run();
}

}  // namespace caldera::float_order
