// SPDX-License-Identifier: Apache-2.0
#include "body.h"

#include <algorithm>

namespace caldera::float_order {

bool Body::uses(Kind kind) const {
    bool found = false;
    walk(*this, statements, [&](uint32_t id) { found |= nodes[id].type.kind == kind; });
    return found;
}

uint32_t product_of(const Body& body, uint32_t operand, bool& is_negated) {
    is_negated = false;
    for (;;) {
        const Node& node = body.nodes[operand];
        // C99's footnote to 6.5.4 has a cast to the expression's own type round; clang contracts across it.
        const bool is_idle =
            node.op == Op::Convert && node.is_cast && node.type == body.nodes[node.operands[0]].type;
        if (node.op != Op::Negate && !is_idle) break;
        is_negated ^= node.op == Op::Negate;
        operand = node.operands[0];
    }
    return body.nodes[operand].op == Op::Multiply ? operand : kNone;
}

void Body::find_places() {
    ways.clear();
    for (Node& node : nodes) node.place = kNone;
    walk(*this, statements, [&](uint32_t id) {
        Node& node = nodes[id];
        uint8_t count = 1;
        bool is_negated = false;
        if (node.op == Op::Mad) count = 2;
        if (contracts && (node.op == Op::Add || node.op == Op::Subtract))
            count = static_cast<uint8_t>(1 + (product_of(*this, node.operands[0], is_negated) != kNone) +
                                         (product_of(*this, node.operands[1], is_negated) != kNone));
        if (count == 1) return;
        node.place = static_cast<uint32_t>(ways.size());
        ways.push_back(count);
    });
}

uint64_t Body::combinations() const {
    uint64_t count = 1;
    for (uint8_t way : ways) count = std::min<uint64_t>(count * way, 1u << 30);
    return count;
}

}  // namespace caldera::float_order
