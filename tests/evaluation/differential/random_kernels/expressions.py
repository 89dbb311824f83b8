# SPDX-License-Identifier: Apache-2.0
"""Expressions, all of them defined: signed arithmetic is done unsigned, divisors are positive, conversions saturate."""
from .types import *

COMPARISONS = ["<", "<=", ">", ">=", "==", "!="]


class Expressions:
    def literal(self, type):
        if type is BOOL:
            return self.pick(["true", "false"])
        if type.width > 1:
            if self.chance(0.5):
                return "(%s)(%s)" % (type.name, self.literal(type.element))
            return "(%s)(%s)" % (type.name, ", ".join(self.literal(type.element) for _ in range(type.width)))
        if type.is_float:  # never 0, of which there are two
            return "%d.%s%s" % (self.random.choice([-1, 1]) * self.random.randrange(1, 64), self.pick(["0", "5", "25"]),
                                "f" if type is FLOAT else "")
        kind = self.random.randrange(4)
        bits = type.bits
        value = (self.random.randrange(-4, 20), self.random.getrandbits(bits), (1 << (bits - 1)) - 1,
                 1 << self.random.randrange(bits))[kind]
        value &= (1 << bits) - 1
        if type.signed:
            value -= (value >> (bits - 1)) << bits
        if bits == 64:
            text = "0x%xUL" % (value & (2 ** 64 - 1))
            return "(long)" + text if type.signed else text
        return "(%s)%d%s" % (type.name, value, "" if type.signed else "u")

    def cast(self, type, source, text):
        """The value of `text`, of type `source`, as a `type`: always defined."""
        if type is source:
            return text
        if type.width != source.width:
            if source.width > 1:
                text = "(%s).s%x" % (text, self.random.randrange(source.width))
                return self.cast(type, source.element, text)
            return "(%s)(%s)" % (type.name, self.cast(type.element, source, text))
        if type is BOOL:
            return self.pick(["(bool)(%s)", "(%s != 0)"]) % text
        if source is BOOL:
            return "(%s)(%s)" % (type.name, text)
        if source.is_float:
            if type.is_float:
                return "convert_%s(%s)" % (type.name, text)
            return "convert_%s_sat%s(%s)" % (type.name, self.pick(["", "", "_rte", "_rtz", "_rtp", "_rtn"]), text)
        if type.is_float:
            return "convert_%s((%s) & (%s)1023)" % (type.name, text, source.name)
        if type.bits * type.width == source.bits * source.width and self.chance(0.5):
            return "as_%s(%s)" % (type.name, text)
        if type.width > 1 or self.chance(0.3):
            return "convert_%s%s(%s)" % (type.name, self.pick(["", "_sat"]), text)
        return "(%s)(%s)" % (type.name, text)

    def index(self, room, depth=1):
        """A masked index below the power of two `room`."""
        if self.chance(0.3) or room == 1:
            return str(self.random.randrange(room))
        variables = [o.text for o in self.objects if o.type in (UINT, INT)]
        if depth == 0 or self.chance(0.5):
            return "(%s & %d)" % (self.pick(variables), room - 1) if variables else "0"
        return "((%s) & %d)" % (self.expression(self.pick([UINT, INT]), depth), room - 1)

    def leaves(self, type):
        """Functions that make texts which read a value of exactly this type."""
        for o in self.objects:
            if o.type is type:
                yield lambda o=o: o.text
            elif isinstance(o.type, Array) and o.type.element is type:
                yield lambda o=o: "%s[%s]" % (o.text, self.index(o.type.length, 0))
            elif isinstance(o.type, Vector) and o.type.element is type.element:
                yield lambda o=o: "%s.%s" % (o.text, self.swizzle(o.type, type.width))
        for p in self.pointers:
            if isinstance(p.element, Struct):
                continue
            if p.element is type:
                yield lambda p=p: self.through(p)
            elif p.element is type.element and type.width <= ROOM:
                yield lambda p=p: "vload%d(0, %s)" % (type.width, p.text)
            elif type.width > 1:
                view = self.view(p, type)
                if view:
                    yield lambda view=view: view

    def view(self, pointer, type):
        """What `pointer` points to as a vector of integers, which may alias any object; None where it does not fit."""
        element = pointer.element
        if not isinstance(element, (Scalar, Vector)) or element is BOOL or element.is_float or type.is_float or 3 in (element.width, type.width):
            return None
        room, alignment, size = ROOM * size_bytes(element), size_bytes(element), size_bytes(type)
        const = "const " if pointer.read_only else ""
        if size <= alignment:
            return "((%s%s %s *)%s)[%s]" % (const, pointer.space, type.name, pointer.text, self.index(room // size, 0))
        if size <= room and size_bytes(type.element) <= alignment and type.element is UCHAR:
            return "vload%d(0, (%s%s uchar *)%s)" % (type.width, const, pointer.space, pointer.text)
        return None

    def swizzle(self, type, width):
        if type.width % 2 == 0 and width * 2 == type.width and self.chance(0.3):
            return self.pick(["lo", "hi", "even", "odd"])
        return "s" + "".join("%x" % self.random.randrange(type.width) for _ in range(width))

    def through(self, pointer):
        return self.pick(["*%s" % pointer.text, "%s[%s]" % (pointer.text, self.index(ROOM, 0)),
                          "*(%s + %d)" % (pointer.text, self.random.randrange(ROOM))])

    def leaf(self, type):
        found = list(self.leaves(type))
        if found and self.chance(0.85):
            return self.pick(found)()
        others = [o for o in self.objects if isinstance(o.type, (Scalar, Vector))]
        if others and self.chance(0.6):
            other = self.pick(others)
            return self.cast(type, other.type, other.text)
        return self.literal(type)

    def expression(self, type, depth=None):
        if depth is None:
            depth = self.pick([0, 1, 1, 2, 2, 3])
        if isinstance(type, Struct):
            return self.struct_value(type, depth)
        if depth <= 0:
            return self.leaf(type)
        if type is BOOL:
            return self.pick([lambda: self.condition(depth - 1), lambda: "(!%s)" % self.expression(BOOL, depth - 1),
                              lambda: self.leaf(BOOL)])()
        calls = [f for f in self.functions if f.result is type]
        if calls and self.chance(0.2):
            return self.call(self.pick(calls), depth)
        return self.pick((self.float_choices if type.is_float else self.integer_choices)(type, depth))()

    def float_choices(self, type, depth):
        e = lambda t=type: self.expression(t, depth - 1)
        return [
            lambda: "(%s %s %s)" % (e(), self.pick("+-*"), e()),
            lambda: "(-(%s))" % e(),
            lambda: "%s(%s, %s)" % (self.pick(["fmin", "fmax", "copysign"]), self.leaf(type), self.literal(type)),
            lambda: "%s(%s)" % (self.pick(["fabs", "floor", "ceil", "trunc", "rint", "round"]), e()),
            lambda: "fmin(fmax(%s, %s), %s)" % (e(), self.literal(type), self.literal(type)),
            lambda: self.cast(type, *self.typed(self.other(type), depth)),
            lambda: self.choose(type, depth),
            lambda: self.leaf(type)]

    def integer_choices(self, type, depth):
        e = lambda t=type: self.expression(t, depth - 1)
        n, u = type.name, type.unsigned
        # (T)((U)a op (U)b): no promotion to a signed type may overflow.
        wide = (u if type.width > 1 or type.bits >= 32 else UINT).name
        back = "as_%s(%%s)" % n if type.width > 1 else "(%s)(%%s)" % n
        to = ("as_%s(%%s)" if type.width > 1 else "(%s)(%%s)") % wide
        positive = lambda: "((%s & (%s)%d) | (%s)1)" % (e(), n, (1 << (type.bits - 1)) - 1, n)
        small = lambda: "(%s & (%s)0x7fff)" % (e(), n)
        choices = [
            lambda: back % ("%s %s %s" % (to % e(), self.pick("+-*"), to % e())),
            lambda: "(%s)" % (back % ("%s %s %s" % (to % e(), self.pick("&|^"), to % e()))),
            lambda: back % ("%s << %s" % (to % e(), to % e())),
            lambda: "(%s)(%s >> %s)" % (n, e(), e()),
            lambda: "(%s)(%s %s %s)" % (n, e(), self.pick("/%"), positive()),
            lambda: "(%s)(~%s)" % (n, e()),
            lambda: "%s(%s, %s)" % (self.pick(["min", "max", "add_sat", "sub_sat", "hadd", "rhadd", "rotate", "mul_hi"]),
                                    e(), e()),
            lambda: "%s(%s)" % (self.pick(["clz", "popcount"]), e()),
            lambda: "%s(%s, %s, %s)" % (self.pick(["bitselect", "mad_hi", "mad_sat"]), e(), e(), e()),
            lambda: self.cast(type, *self.typed(self.other(type), depth)),
            lambda: self.choose(type, depth),
            lambda: self.compare(type, depth),
            lambda: self.leaf(type)]
        if type.bits < 64 and not type.signed:
            choices.append(lambda: "abs_diff(%s, %s)" % (e(), e()))
        if type.bits == 32:
            choices.append(lambda: self.pick(["mul24(%s, %s)" % (small(), small()), "mad24(%s, %s, %s)" % (small(), small(), "(%s)%d" % (n, 5))]))
        if type.width > 1:
            choices.append(lambda: self.shuffle(type, depth))
            if type.signed:
                choices.append(lambda: "(%s %s %s)" % (e(), self.pick(["&&", "||"]), e()))
        elif type.bits > 8:
            half = {16: "char", 32: "short", 64: "int"}[type.bits]
            choices.append(lambda: "upsample(%s, %s)" % (e(BY_NAME[half if type.signed else "u" + half]), e(BY_NAME["u" + half])))
        else:
            choices.append(lambda: "(%s)sizeof(%s)" % (n, e()))
        if type is INT:
            choices.append(lambda: self.pick(["any(%s)", "all(%s)"]) % e(vector(self.element().signed_alike, self.pick(WIDTHS))))
        return choices

    def shuffle(self, type, depth):
        source = vector(type.element, self.pick([2, 4, 8, 16]))
        if type.width == 3:
            return self.leaf(type)
        mask = vector(type.element.unsigned, type.width)
        parts = [self.expression(source, 0) for _ in range(self.pick([1, 2]))]
        return "shuffle%s(%s, %s)" % ("" if len(parts) == 1 else "2", ", ".join(parts), self.expression(mask, depth - 1))

    def typed(self, type, depth):
        return type, self.expression(type, depth - 1)

    def other(self, type):
        """Another type of the same width, so that a conversion is between elements."""
        if type.width > 1 and self.chance(0.3):
            return self.pick([self.element(), vector(type.element, self.pick(WIDTHS))])
        return vector(self.element(), type.width)

    def condition(self, depth=1):
        a = self.element()
        text = "%s %s %s" % (self.expression(a, depth - 1), self.pick(COMPARISONS), self.expression(a, depth - 1))
        if self.chance(0.25):
            text = "%s %s %s" % (text, self.pick(["&&", "||"]), self.condition(depth - 1) if depth > 0 else self.leaf(INT))
        alike = [(p, q) for p in self.pointers for q in self.pointers if p.space == q.space and p.element is q.element]
        if alike and self.chance(0.1):
            p, q = self.pick(alike)
            text = "%s %s %s" % (p.text, self.pick(["==", "!="]), q.text)
        elif self.floats and self.chance(0.05):
            a = self.leaf(self.pick(self.floats))
            text = self.pick(["isnan(%s)" % a, "isinf(%s)" % a, "isless(%s, %s)" % (a, a), "islessgreater(%s, %s)" % (a, a)])
        return "(%s)" % text

    def choose(self, type, depth):
        a, b = self.expression(type, depth - 1), self.expression(type, depth - 1)
        if type.width == 1 or self.chance(0.3):
            return "(%s)(%s ? %s : %s)" % (type.name, self.condition(depth - 1), a, b)
        mask = type.signed_alike
        return self.pick(["select(%s, %s, %s)" % (a, b, self.expression(mask, depth - 1)),
                          "(%s ? %s : %s)" % (self.expression(mask, depth - 1), b, a)])

    def compare(self, type, depth):
        operand = vector(self.element(), type.width)
        text = "(%s %s %s)" % (self.expression(operand, depth - 1), self.pick(COMPARISONS), self.expression(operand, depth - 1))
        if type.width == 1:
            return "(%s)%s" % (type.name, text)
        return self.cast(type, operand.signed_alike, text)

    def call(self, function, depth):
        return "%s(%s)" % (function.name, ", ".join(self.expression(t, depth - 1) for t in function.parameters))

    def struct_value(self, type, depth):
        found = [lambda o=o: o.text for o in self.objects if o.type is type]
        found += [lambda o=o: "%s[%s]" % (o.text, self.index(o.type.length, 0)) for o in self.objects
                  if isinstance(o.type, Array) and o.type.element is type]
        found += [lambda p=p: "(*%s)" % p.text for p in self.pointers if p.element is type]
        if depth > 0:
            found += [lambda f=f: self.call(f, depth) for f in self.functions if f.result is type]
        if found and self.chance(0.85):
            return self.pick(found)()
        return "((%s)%s)" % (type.name, self.initializer(type, 0))
