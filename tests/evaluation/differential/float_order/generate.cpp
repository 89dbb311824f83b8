// SPDX-License-Identifier: Apache-2.0
#include "generate.h"

#include <algorithm>

#include "generator.h"

namespace caldera::float_order {

Generator::Generator(uint64_t seed, uint64_t attempt, const Wanted& wanted)
    : random_(seed * 1000 + attempt), wanted_(wanted) {
    body_.seed = seed;
    const bool is_off = below(3) == 0;
    body_.contracts = wanted.always_contracts || (!is_off && !wanted.never_contracts);
    body_.divides_exactly = below(4) == 0;
    type_ = {pick_kind(), pick_width()};
}

Body Generator::make() {
    block_ = &body_.statements;
    for (uint64_t i = 1 + below(3); i > 0; --i) declare(load(type_));
    if (chance(30)) {
        other_ = {pick_kind(), type_.width};
        declare(load(other_));
    }
    for (uint64_t i = below(3); i > 0; --i) algorithm();
    for (uint64_t i = below(3); i > 0; --i) statement(0);
    finish();
    body_.find_places();
    return std::move(body_);
}

uint32_t Generator::any_variable(Type type) {
    std::vector<uint32_t> found;
    for (uint32_t variable : scope_)
        if (body_.variables[variable] == type) found.push_back(variable);
    return found.empty() ? declare(load(type)) : found[below(found.size())];
}

void Generator::statement(uint32_t depth) {
    const uint64_t kind = below(depth < 2 ? 6 : 4);
    if (kind < 2) {
        declare(expression(type_, 3));
    } else if (kind < 4) {
        const uint32_t target = any_variable(type_);
        const Op op = pick({Op::Add, Op::Subtract, Op::Multiply});
        assign(target, chance(50) ? make(op, read(target), expression(type_, 2)) : expression(type_, 3));
    } else if (kind == 4) {
        any_variable(type_);
        loop([&](uint32_t) {
            for (uint64_t i = 1 + below(2); i > 0; --i) statement(depth + 1);
        });
    } else {
        any_variable(type_);
        Statement branch{.kind = Statement::Kind::If, .value = condition({type_.kind, 1}, 2)};
        branch.then = inside([&] { statement(depth + 1); });
        if (chance(60)) branch.otherwise = inside([&] { statement(depth + 1); });
        block_->push_back(std::move(branch));
    }
}

void Generator::finish() {
    std::vector<uint32_t> mine;
    for (uint32_t variable : scope_)
        if (body_.variables[variable].is_real()) mine.push_back(variable);
    const uint64_t kind = below(10);
    if (kind < 4) {
        body_.result = mine[mine.size() - 1 - below(std::min<size_t>(mine.size(), 3))];
    } else if (kind < 9) {
        body_.result = declare(expression(type_, 3));
    } else {  // an integer
        const Type type = {chance(60) ? Kind::Int : Kind::Long, type_.width};
        if (type_.mask() == type && chance(50))
            body_.result = declare(condition(type_, 2));
        else
            body_.result = declare(to_integer(type, expression(type_, 2)));
    }
}

Body generate(uint64_t seed, const Wanted& wanted) {
    for (uint64_t attempt = 0;; ++attempt) {
        Body body = Generator(seed, attempt, wanted).make();
        if (body.combinations() <= wanted.combinations) return body;
    }
}

}  // namespace caldera::float_order
