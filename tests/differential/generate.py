#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""generate.py SEED: a random kernel with one right answer. The same seed gives the same text.

Every program is free of undefined behaviour: signed arithmetic is done unsigned, divisors are positive, shifts are
OpenCL's (modulo the width), an index is masked, a pointer always has ROOM elements after it, loops count down, every
object is initialised, and work-items meet only in local memory around barriers. So any two implementations must agree
on all of `out` (a hash of what each work-item computed) and `data` (what it stored).

The kernel is `test(global uint *out, global uint *data, constant uint *table, global uint *scope, local ulong *dynamic)`,
for 64 work-items in groups of 16; data holds 64 words for each. Two macros let implementations of OpenCL C 1.2 judge what
only 2.0 has: with GENERIC, functions take pointers to the generic address space, and else are overloaded by space; with
PROGRAM_SCOPE, `scope` is a program-scope variable, and else the argument of that name.
"""
import random
import sys

GROUP = 16       # work-items in a group
SEGMENT = 64     # words of data for each work-item: 8 areas of 8 words, one element type each
ROOM = 4         # elements that may be accessed from any pointer on
WIDTHS = (2, 3, 4, 8, 16)

PRELUDE = """#ifdef GENERIC
#define FOR_SPACES(F) F()
#define EITHER(f, T, c, a, b, x) f((c) ? (T *)(a) : (T *)(b), x)
#else
#define FOR_SPACES(F) F(global) F(local) F(private)
#define EITHER(f, T, c, a, b, x) ((c) ? f(a, x) : f(b, x))
#endif
#define OVERLOAD __attribute__((overloadable))
#pragma OPENCL FP_CONTRACT OFF
ulong mix(ulong h, ulong v) { return ((h ^ v) * 0x9E3779B97F4A7C15UL) ^ (h >> 29); }
uint bits(float f) { return isnan(f) ? 7u : as_uint(f); }
"""


class Scalar:
    def __init__(self, name, bits, signed, is_float=False):
        self.name, self.bits, self.signed, self.is_float = name, bits, signed, is_float
        self.element, self.width = self, 1

    @property
    def unsigned(self):
        return self if not self.signed else INTEGERS[INTEGERS.index(self) + 1]

    @property
    def same_size_signed(self):
        return self if self.signed else INTEGERS[INTEGERS.index(self) - 1]


INTEGERS = [Scalar(("" if signed else "u") + name, bits, signed)
            for name, bits in (("char", 8), ("short", 16), ("int", 32), ("long", 64)) for signed in (True, False)]
FLOAT = Scalar("float", 32, True, is_float=True)
SCALARS = INTEGERS + [FLOAT]
BY_NAME = {t.name: t for t in SCALARS}
UINT, INT, ULONG, UCHAR = BY_NAME["uint"], BY_NAME["int"], BY_NAME["ulong"], BY_NAME["uchar"]


class Vector:
    def __init__(self, element, width):
        self.element, self.width, self.is_float = element, width, element.is_float
        self.name, self.signed, self.bits = element.name + str(width), element.signed, element.bits

    @property
    def unsigned(self):
        return vector(self.element.unsigned, self.width)


VECTORS = {(e.name, w): Vector(e, w) for e in SCALARS for w in WIDTHS}


def vector(element, width):
    return element if width == 1 else VECTORS[element.name, width]


class Array:
    """`length` is a power of two and at least 2 * ROOM."""

    def __init__(self, element, length):
        self.element, self.length = element, length


class Struct:
    def __init__(self, name, fields, packed, is_union):
        self.name, self.fields, self.packed, self.is_union = name, fields, packed, is_union


class Object:
    """A variable, parameter, field or area of memory: `text` is an lvalue of `type` in `space`."""

    def __init__(self, text, type, space="private", constant=False):
        self.text, self.type, self.space, self.constant = text, type, space, constant


class Pointer:
    """An expression of pointer type, which always points to ROOM elements of `element`. A fixed one is not assigned to,
    nor copied into other pointers; a read-only one is not stored through either.
    """

    def __init__(self, text, element, space, fixed=False, read_only=False):
        self.text, self.element, self.space = text, element, space
        self.fixed, self.read_only = fixed or read_only, read_only


class Function:
    """A function of values, without side effects."""

    def __init__(self, name, result, parameters):
        self.name, self.result, self.parameters = name, result, parameters


class Taker:
    """A function `element name(any space element *p, uint x)`, which stores through p: called by statements only, since
    the order of evaluation inside an expression is not defined."""

    def __init__(self, name, element):
        self.name, self.element = name, element


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines, self.indent = [], 0
        self.objects, self.pointers = [], []     # what is in scope
        self.functions, self.structs, self.takers = [], [], []
        self.counter, self.loops, self.budget = 0, 0, 60
        self.switches, self.in_function, self.locals = 0, False, []

    # ---- small things ----

    def pick(self, things):
        return self.random.choice(things)

    def chance(self, probability):
        return self.random.random() < probability

    def new(self, prefix):
        self.counter += 1
        return prefix + str(self.counter)

    def line(self, text):
        self.lines.append("    " * self.indent + text)

    def block(self, head, body):
        """`head {`, what body() writes, `}`; what it declares goes out of scope."""
        scope = len(self.objects), len(self.pointers)
        self.line(head + " {")
        self.indent += 1
        body()
        self.indent -= 1
        self.line("}")
        del self.objects[scope[0]:], self.pointers[scope[1]:]

    def integer(self):
        return self.pick(INTEGERS)

    def value_type(self):
        element = self.pick(SCALARS) if self.chance(0.9) else FLOAT
        return vector(element, self.pick(WIDTHS)) if self.chance(0.4) else element

    # ---- expressions ----

    def literal(self, type):
        if type.width > 1:
            if self.chance(0.5):
                return "(%s)(%s)" % (type.name, self.literal(type.element))
            return "(%s)(%s)" % (type.name, ", ".join(self.literal(type.element) for _ in range(type.width)))
        if type.is_float:
            return "%d.%sf" % (self.random.randrange(-64, 64), self.pick(["0", "5", "25"]))
        kind = self.random.randrange(4)
        bits = type.bits
        value = (self.random.randrange(-4, 20), self.random.getrandbits(bits), (1 << (bits - 1)) - 1,
                 1 << self.random.randrange(bits))[kind]
        if type.signed:
            value &= (1 << bits) - 1
            value -= (value >> (bits - 1)) << bits
        else:
            value &= (1 << bits) - 1
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
        if source.is_float:
            return "convert_%s_sat(%s)" % (type.name, text)
        if type.is_float:
            return "convert_%s((%s) & (%s)1023)" % (type.name, text, source.name)
        if type.bits * type.width == source.bits * source.width and self.chance(0.5):
            return "as_%s(%s)" % (type.name, text)
        if type.width > 1 or self.chance(0.3):
            return "convert_%s%s(%s)" % (type.name, self.pick(["", "_sat"]), text)
        return "(%s)(%s)" % (type.name, text)

    def index(self, room, depth=1):
        """A masked index below the power of two `room`."""
        if self.chance(0.3):
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
            if p.element is type:
                yield lambda p=p: self.through(p)
            elif p.element is type.element and type.width <= ROOM:
                yield lambda p=p: "vload%d(0, %s)" % (type.width, p.text)

    def swizzle(self, type, width):
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

    def expression(self, type, depth=3):
        if depth <= 0:
            return self.leaf(type)
        e = lambda t=type: self.expression(t, depth - 1)
        if type.is_float:
            return self.pick([
                lambda: "(%s %s %s)" % (e(), self.pick("+-*"), e()),
                lambda: "(-(%s))" % e(),
                lambda: "%s(%s, %s)" % (self.pick(["fmin", "fmax"]), self.leaf(type), self.literal(type)),
                lambda: "fabs(%s)" % e(),
                lambda: self.cast(type, *self.typed(self.other(type), depth)),
                lambda: self.choose(type, depth),
                lambda: self.leaf(type)])()
        n, u = type.name, type.unsigned
        # (T)((U)a op (U)b): no promotion to a signed type may overflow.
        wide = (u if type.width > 1 or type.bits >= 32 else UINT).name
        back = "as_%s(%%s)" % n if type.width > 1 else "(%s)(%%s)" % n
        to = ("as_%s(%%s)" if type.width > 1 else "(%s)(%%s)") % wide
        positive = lambda: "((%s & (%s)%d) | (%s)1)" % (e(), n, (1 << (type.bits - 1)) - 1, n)
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
        if type.bits < 64:
            choices.append(lambda: "abs_diff(%s, %s)" % (e(), e()) if not type.signed else self.leaf(type))
        calls = [f for f in self.functions if f.result is type]
        if calls:
            choices += [lambda: self.call(self.pick(calls), depth)] * 3
        return self.pick(choices)()

    def typed(self, type, depth):
        return type, self.expression(type, depth - 1)

    def other(self, type):
        """Another type of the same width, so that a conversion is between elements."""
        if type.width > 1 and self.chance(0.3):
            return self.pick([self.pick(SCALARS), vector(type.element, self.pick(WIDTHS))])
        return vector(self.pick(SCALARS), type.width)

    def condition(self, depth=2):
        a = self.pick(SCALARS)
        text = "%s %s %s" % (self.expression(a, depth - 1), self.pick(["<", "<=", ">", ">=", "==", "!="]),
                             self.expression(a, depth - 1))
        if self.chance(0.25):
            text = "%s %s %s" % (text, self.pick(["&&", "||"]), self.condition(depth - 1) if depth > 0 else self.leaf(INT))
        alike = [(p, q) for p in self.pointers for q in self.pointers if p.space == q.space and p.element is q.element]
        if alike and self.chance(0.1):
            p, q = self.pick(alike)
            text = "%s %s %s" % (p.text, self.pick(["==", "!="]), q.text)
        return "(%s)" % text

    def choose(self, type, depth):
        a, b = self.expression(type, depth - 1), self.expression(type, depth - 1)
        if type.width == 1 or self.chance(0.3):
            return "(%s)(%s ? %s : %s)" % (type.name, self.condition(depth - 1), a, b)
        mask = vector(INTEGERS[{8: 0, 16: 2, 32: 4, 64: 6}[type.bits]], type.width)
        return self.pick(["select(%s, %s, %s)" % (a, b, self.expression(mask, depth - 1)),
                          "(%s ? %s : %s)" % (self.expression(mask, depth - 1), b, a)])

    def compare(self, type, depth):
        operand = vector(self.pick(SCALARS), type.width)
        text = "(%s %s %s)" % (self.expression(operand, depth - 1), self.pick(["<", "<=", ">", ">=", "==", "!="]),
                               self.expression(operand, depth - 1))
        if type.width == 1:
            return "(%s)%s" % (type.name, text)
        signed = vector(INTEGERS[{8: 0, 16: 2, 32: 4, 64: 6}[operand.bits]], type.width)
        return self.cast(type, signed, text)

    def call(self, function, depth):
        return "%s(%s)" % (function.name, ", ".join(self.expression(t, depth - 1) for t in function.parameters))

    def take(self):
        """Calls a function that takes a pointer to any space."""
        pairs = [(t, p) for t in self.takers for p in self.pointers if p.element is t.element and not p.fixed]
        if not pairs:
            return self.declare_pointer()
        taker, a = self.pick(pairs)
        x, name = self.expression(UINT, 2), self.new("v")
        if self.chance(0.5):
            b = self.pick([p for t, p in pairs if t is taker])
            call = "EITHER(%s, %s, %s, %s, %s, %s)" % (taker.name, taker.element.name, self.condition(1), a.text, b.text, x)
        else:
            call = "%s(%s, %s)" % (taker.name, a.text, x)
        self.line("%s %s = %s;" % (taker.element.name, name, call))
        self.objects.append(Object(name, taker.element))

    # ---- types ----

    def make_struct(self):
        name = self.new("S")
        is_union = self.chance(0.25)
        packed = not is_union and self.chance(0.3)
        fields = []
        for _ in range(self.random.randrange(2, 6)):
            field = self.new("m")
            kind = self.random.random()
            if is_union:  # equal in size, so that every byte that is read has been written
                fields.append((field, self.pick([ULONG, BY_NAME["long"], vector(UINT, 2), vector(BY_NAME["short"], 4),
                                                 vector(UCHAR, 8), vector(INT, 2)])))
            elif kind < 0.2:
                fields.append((field, Array(self.pick(SCALARS), 2 * ROOM)))
            elif kind < 0.3 and [s for s in self.structs if not s.is_union]:
                fields.append((field, self.pick([s for s in self.structs if not s.is_union])))
            else:
                fields.append((field, self.value_type()))
        struct = Struct(name, fields, packed, is_union)
        self.structs.append(struct)
        head = "typedef %s %s{" % ("union" if is_union else "struct", "__attribute__((packed)) " if packed else "")
        self.line(head)
        for field, type in fields:
            self.line("    %s;" % self.declarator(type, field))
        self.line("} %s;" % name)

    def declarator(self, type, name):
        if isinstance(type, Array):
            return "%s %s[%d]" % (type.element.name, name, type.length)
        return "%s %s" % (type.name, name)

    def members(self, text, type):
        """The lvalues inside an object of any type."""
        if isinstance(type, Struct):
            for field, inner in type.fields:
                yield from self.members("%s.%s" % (text, field), inner)
        else:
            yield text, type

    def can_point_into(self, type):
        return not (isinstance(type, Struct) and (type.packed or type.is_union))

    # ---- declarations ----

    def initializer(self, type, depth=2):
        if isinstance(type, Array):
            return "{%s}" % ", ".join(self.expression(type.element, 1) for _ in range(self.random.randrange(1, type.length + 1)))
        if isinstance(type, Struct):
            if type.is_union:
                return "{%s}" % self.expression(type.fields[0][1], depth)
            return "{%s}" % ", ".join(self.initializer(t, 1) for _, t in type.fields)
        return self.expression(type, depth)

    def declare(self, type=None):
        if type is None:
            kind = self.random.random()
            type = (self.pick(self.structs) if kind < 0.2 and self.structs else
                    Array(self.pick(SCALARS) if self.chance(0.7) else self.value_type(), self.pick([8, 16])) if kind < 0.4
                    else self.value_type())
        name = self.new("v")
        self.line("%s = %s;" % (self.declarator(type, name), self.initializer(type)))
        self.add(name, type)

    def add(self, name, type, space="private"):
        if isinstance(type, Struct):
            self.objects.append(Object(name, type, space))
        for text, inner in self.members(name, type):
            self.objects.append(Object(text, inner, space))

    def sources(self, element, space):
        """Expressions of pointers with ROOM elements of this type in this space."""
        found = [p.text for p in self.pointers if p.element is element and p.space == space and not p.fixed]
        for o in self.objects:
            if isinstance(o.type, Array) and o.type.element is element and o.space == space and "." not in o.text:
                found.append(self.pick(["&%s[%s]", "%s + %s"]) % (o.text, self.index(o.type.length - ROOM, 1)))
        return found

    def declare_pointer(self):
        arrays = [o for o in self.objects if isinstance(o.type, Array) and "." not in o.text]
        pointers = [p for p in self.pointers if not p.fixed]
        if not arrays and not pointers:
            return self.declare(Array(self.pick(SCALARS), 8))
        like = self.pick(arrays + pointers)
        element, space = (like.type.element, like.space) if isinstance(like, Object) else (like.element, like.space)
        found = self.sources(element, space)
        value = self.pick(found)
        if self.chance(0.4):
            value = "%s ? %s : %s" % (self.condition(1), value, self.pick(found))
        if self.chance(0.15):
            value = "(%s %s *)(ulong)(%s)" % (space, element.name, value)
        name = self.new("p")
        if self.chance(0.15):  # a table of pointers
            self.line("%s %s *%s[2] = {%s, %s};" % (space, element.name, name, value, self.pick(found)))
            name = "%s[%s]" % (name, self.index(2, 1))
        else:
            self.line("%s %s *%s = %s;" % (space, element.name, name, value))
            if self.chance(0.2):
                level = self.new("pp")
                self.line("%s %s **%s = &%s;" % (space, element.name, level, name))
                self.pointers.append(Pointer("(*%s)" % level, element, space))
        self.pointers.append(Pointer(name, element, space))

    # ---- statements ----

    def assign(self):
        targets = [o for o in self.objects if not o.constant and isinstance(o.type, (Scalar, Vector))]
        if not targets:
            return self.declare()
        o = self.pick(targets)
        kind = self.random.random()
        if isinstance(o.type, Vector) and kind < 0.3:
            lanes = self.random.sample(range(o.type.width), self.pick([w for w in (1, 2, 3, 4) if w <= o.type.width]))
            self.line("%s.s%s = %s;" % (o.text, "".join("%x" % lane for lane in lanes),
                                        self.expression(vector(o.type.element, len(lanes)))))
        elif not o.type.is_float and kind < 0.6:
            operator = self.pick(["^=", "&=", "|="] + (["+=", "-="] if not o.type.signed else []))
            self.line("%s %s %s;" % (o.text, operator, self.expression(o.type)))
        elif isinstance(o.type, Scalar) and not o.type.signed and kind < 0.7:
            self.line(self.pick(["%s++;", "--%s;"]) % o.text)
        else:
            self.line("%s = %s;" % (o.text, self.expression(o.type)))

    def store(self):
        arrays = [o for o in self.objects if isinstance(o.type, Array) and not o.constant]
        mine = [p for p in self.pointers if not p.read_only]
        if not arrays and not mine:
            return self.declare_pointer()
        target = self.pick(arrays + mine * 2)
        if isinstance(target, Object):
            element, text = target.type.element, "%s[%s]" % (target.text, self.index(target.type.length))
        else:
            element, text = target.element, self.through(target)
            if isinstance(element, Scalar) and self.chance(0.3):
                width = self.pick([2, 3, 4])
                return self.line("vstore%d(%s, 0, %s);" % (width, self.expression(vector(element, width)), target.text))
            if isinstance(element, Scalar) and not element.is_float and self.chance(0.2):
                byte = self.index(ROOM * element.bits // 8)
                return self.line("((%s uchar *)%s)[%s] ^= %s;" % (target.space, target.text, byte, self.expression(UCHAR)))
        self.line("%s = %s;" % (text, self.expression(element)))

    def move_pointer(self):
        """A pointer goes elsewhere."""
        for p in self.random.sample(self.pointers, len(self.pointers)):
            found = [] if p.fixed else self.sources(p.element, p.space)
            if found:
                return self.line("%s = %s;" % (p.text, self.pick(found)))
        self.declare_pointer()

    def copy_struct(self):
        objects = [o for o in self.objects if isinstance(o.type, Struct)]
        pairs = [(a, b) for a in objects for b in objects if a.type is b.type and a is not b]
        if not pairs:
            return self.declare(self.pick(self.structs)) if self.structs else self.assign()
        a, b = self.pick(pairs)
        if self.chance(0.4):
            self.line("%s = %s ? %s : %s;" % (a.text, self.condition(1), a.text, b.text))
        else:
            self.line("%s = %s;" % (a.text, b.text))

    def statements(self, count):
        for _ in range(count):
            self.statement()

    def body(self, count=None):
        return lambda: self.statements(count or self.random.randrange(1, 4))

    def statement(self):
        self.budget -= 1
        if self.budget < 0 or self.indent > 5:
            return self.assign()
        self.pick([self.assign] * 5 + [self.store] * 3 + [self.declare] * 2 + [self.declare_pointer] * 2 +
                  [self.take, self.take, self.move_pointer, self.copy_struct, self.if_statement, self.if_statement, self.loop, self.switch,
                   self.goto_forward, self.goto_loop, self.jump])()

    def if_statement(self):
        self.block("if %s" % self.condition(), self.body())
        if self.chance(0.4):
            self.block("else", self.body())

    def loop(self):
        if self.loops >= 2:
            return self.assign()
        i, n = self.new("i"), self.random.randrange(1, 6)
        self.loops += 1
        outer, self.switches = self.switches, 0
        kind = self.random.randrange(3)
        if kind == 0:
            self.block("for (uint %s = 0; %s < %d; %s++)" % (i, i, n, i), self.loop_body(i))
        elif kind == 1:
            self.line("uint %s = %d;" % (i, n))
            self.block("while (%s-- != 0)" % i, self.loop_body(i))
        else:
            self.line("uint %s = 0;" % i)
            self.block("do", self.loop_body(i))
            self.lines[-1] += " while (++%s < %d && %s);" % (i, n, self.condition(1))
        self.loops, self.switches = self.loops - 1, outer

    def loop_body(self, counter):
        def write():
            self.objects.append(Object(counter, UINT, constant=True))
            self.statements(self.random.randrange(1, 5))
        return write

    def jump(self):
        """break or continue, where there is a loop."""
        if self.loops == 0 or self.in_goto:
            return self.assign()
        word = self.pick(["break", "continue"])
        if self.in_function and self.chance(0.3):
            word = "return %s" % self.expression(self.result)
        self.line("if %s %s;" % (self.condition(), word))

    def switch(self):
        def write():
            self.switches += 1
            labels = self.random.sample(range(8), self.random.randrange(2, 5)) + ["default"]
            self.random.shuffle(labels)
            for label in labels:
                self.line("default:" if label == "default" else "case %d:" % label)
                self.block("", self.body())
                if self.chance(0.6):
                    self.line("break;")
            self.line(";")
            self.switches -= 1
        type = self.pick(INTEGERS)
        self.block("switch (%s & (%s)7)" % (self.expression(type), type.name), write)

    def goto_forward(self):
        label = self.new("L")
        def write():
            self.statements(2)
            self.line("if %s goto %s;" % (self.condition(), label))
            self.statements(2)
        self.block("", write)
        self.line("%s:;" % label)

    def goto_loop(self):
        """A loop made of gotos, which may be entered in its middle: irreducible."""
        if self.loops >= 2:
            return self.assign()
        self.loops += 1
        top, middle, i = self.new("L"), self.new("L"), self.new("i")
        self.line("uint %s = %d;" % (i, self.random.randrange(1, 5)))
        if self.chance(0.5):
            self.line("if %s goto %s;" % (self.condition(), middle))
        was, self.in_goto = self.in_goto, True
        self.line("%s:;" % top)
        self.block("", self.body())
        self.line("%s:;" % middle)
        self.block("", self.body())
        self.line("if (%s-- != 0 && %s) goto %s;" % (i, self.condition(), top))
        self.in_goto = was
        self.loops -= 1

    in_goto = False

    # ---- functions ----

    def make_function(self):
        result = self.value_type()
        parameters = [self.value_type() for _ in range(self.random.randrange(1, 4))]
        name = self.new("f")
        self.budget, self.in_function, self.result = 10, True, result
        names = [self.new("a") for _ in parameters]
        def write():
            for n, t in zip(names, parameters):
                self.objects.append(Object(n, t))
            self.statements(self.random.randrange(1, 5))
            self.line("return %s;" % self.expression(result))
        self.block("%s %s(%s)" % (result.name, name, ", ".join("%s %s" % (t.name, n) for n, t in zip(names, parameters))), write)
        self.in_function = False
        self.functions.append(Function(name, result, parameters))

    def make_taker(self):
        """A function that takes a pointer to any space: written once, for each space or for the generic one."""
        element, name = self.pick(SCALARS), self.new("g")
        first = len(self.lines)
        self.budget, self.in_function, self.result = 8, True, element
        def write():
            self.objects.append(Object("x", UINT))
            self.pointers.append(Pointer("p", element, "SPACE", fixed=True))
            self.statements(self.random.randrange(1, 4))
            self.line("p[%s] = %s;" % (self.index(ROOM), self.expression(element)))
            self.line("return %s;" % self.expression(element))
        self.block("#define %s_IN(SPACE) OVERLOAD %s %s(SPACE %s *p, uint x)" % (name, element.name, name, element.name), write)
        self.in_function = False
        for at in range(first, len(self.lines) - 1):
            self.lines[at] += " \\"
        self.line("FOR_SPACES(%s_IN)" % name)
        self.takers.append(Taker(name, element))

    # ---- the kernel ----

    def exchange(self, local):
        """Work-items of a group read what their neighbours wrote; at the top level of the kernel only."""
        element = local.type.element
        self.line("barrier(CLK_LOCAL_MEM_FENCE);")
        self.line("%s[lid] = %s;" % (local.text, self.expression(element)))
        self.line("barrier(CLK_LOCAL_MEM_FENCE);")
        name = self.new("v")
        self.line("%s %s = %s[(lid + %d) & %d];" % (element.name, name, local.text, self.random.randrange(GROUP), GROUP - 1))
        self.objects.append(Object(name, element))
        self.line("barrier(CLK_LOCAL_MEM_FENCE);")

    def make_kernel(self):
        def write():
            self.line("const uint gid = get_global_id(0), lid = get_local_id(0);")
            self.objects.append(Object("gid", UINT, constant=True))
            self.objects.append(Object("lid", UINT, constant=True))
            self.pointers.append(Pointer("(table + (gid & 7))", UINT, "constant", read_only=True))
            areas = self.random.sample(SCALARS, 5) + [vector(self.pick(INTEGERS[:6]), 2)]
            for slot, element in enumerate(areas):  # 8 words each: at least 4 elements, so ROOM of 64-bit ones is exact
                name = self.new("q")
                self.line("global %s *%s = (global %s *)(data + gid * %d + %d);" % (element.name, name, element.name, SEGMENT, slot * 8))
                if element.is_float:  # no denormals and no NaNs: devices differ in these
                    self.line("for (uint i = 0; i < 8; i++) %s[i] = (float)(i + gid);" % name)
                self.pointers.append(Pointer(name, element, "global"))
            self.line("global uint *scoped = scope + gid * 8;")
            self.pointers.append(Pointer("scoped", UINT, "global"))
            exchanged = []
            for _ in range(self.random.randrange(0, 3)):
                element, name = self.pick([*INTEGERS, self.value_type()]), self.new("l")
                self.line("local %s %s[%d];" % (element.name, name, GROUP))
                exchanged.append(Object(name, Array(element, GROUP), "local"))
            if self.chance(0.6):  # each work-item has a row of its own
                element, name = self.pick(INTEGERS), self.new("l")
                self.line("local %s %s[%d][8];" % (element.name, name, GROUP))
                row = self.new("r")
                self.line("local %s *%s = %s[lid];" % (element.name, row, name))
                self.line("for (uint i = 0; i < 8; i++) %s[i] = (%s)(i * gid);" % (row, element.name))
                self.pointers.append(Pointer(row, element, "local"))
            if self.chance(0.5):
                self.line("local ulong *mine = dynamic + lid * 8;")
                self.line("for (uint i = 0; i < 8; i++) mine[i] = i + gid;")
                self.pointers.append(Pointer("mine", ULONG, "local"))
            for _ in range(self.random.randrange(3, 7)):
                self.declare()
            self.declare_pointer()
            for part in range(self.random.randrange(1, 4)):
                self.budget = 25
                self.statements(self.random.randrange(4, 9))
                if exchanged and self.chance(0.7):
                    self.exchange(self.pick(exchanged))
            self.line("ulong h = gid;")
            for o in self.objects:
                self.hash(o.text, o.type)
            self.line("out[gid * 2] = (uint)h;")
            self.line("out[gid * 2 + 1] = (uint)(h >> 32);")
        self.line("#ifdef PROGRAM_SCOPE")
        self.line("global uint program_scope[%d];" % (64 * 8))
        self.line("#define scope program_scope")
        self.line("#define ARGUMENT unused")
        self.line("#else")
        self.line("#define ARGUMENT scope")
        self.line("#endif")
        self.block("kernel __attribute__((reqd_work_group_size(%d, 1, 1))) void test(global uint *out, global uint *data, "
                   "constant uint *table, global uint *ARGUMENT, local ulong *dynamic)" % GROUP, write)

    def hash(self, text, type):
        if isinstance(type, Scalar):
            self.line("h = mix(h, %s);" % ("bits(%s)" % text if type.is_float else "(ulong)(%s)" % text))
        elif isinstance(type, Vector):
            for lane in range(type.width):
                self.hash("%s.s%x" % (text, lane), type.element)
        elif isinstance(type, Array):
            self.block("for (uint i = 0; i < %d; i++)" % type.length, lambda: self.hash("%s[i]" % text, type.element))

    def program(self):
        for _ in range(self.random.randrange(0, 4)):
            self.make_struct()
        for _ in range(self.random.randrange(0, 3)):
            self.make_function()
        for _ in range(self.random.randrange(0, 3)):
            self.make_taker()
        self.make_kernel()
        return PRELUDE + "\n".join(self.lines) + "\n"


if __name__ == "__main__":
    if len(sys.argv) != 2 or not sys.argv[1].isdigit():
        sys.exit(__doc__)
    sys.stdout.write(Generator(int(sys.argv[1])).program())
