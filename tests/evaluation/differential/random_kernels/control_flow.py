# SPDX-License-Identifier: Apache-2.0
"""Statements that jump. Loops count, so that all of them end; labels stand behind or inside blocks, so that no jump passes
a declaration."""
from .types import *

BIG = {8: 37, 16: 0x9003, 32: 0x90000001, 64: 0x9000000000000001}  # odd factors that spread case labels over a type


class ControlFlow:
    def body(self, count=None):
        return lambda: self.statements(count or self.random.randrange(1, 4))

    def if_statement(self):
        self.block("if %s" % self.condition(), self.body())
        while self.chance(0.2):
            self.block("else if %s" % self.condition(), self.body())
        if self.chance(0.4):
            self.block("else", self.body())

    # ---- loops ----

    def loop(self):
        if self.depth >= self.deepest:
            return self.assign()
        self.pick([self.for_loop, self.for_loop, self.counting_loop, self.counting_loop, self.while_loop, self.do_loop, self.endless_loop,
                   self.cursor_loop, self.duff])()

    def inside(self, write, breakable=True):
        """Writes a loop's body, where break and continue mean this loop."""
        def wrapped():
            outer, self.leave = self.leave, ["break", "continue"] if breakable else self.leave
            self.depth += 1
            write()
            self.depth -= 1
            self.leave = outer
        return wrapped

    def counted(self, counter, head=None):
        def write():
            self.objects.append(Object(counter, UINT, constant=True))
            if head:
                head()
            self.statements(self.random.randrange(1, 5))
        return self.inside(write)

    def for_loop(self):
        i, n = self.new("i"), self.random.randrange(1, 6)
        if self.chance(0.6):
            bound = str(n) if self.chance(0.6) else "(%s & 7)" % self.expression(UINT, 1)
            limit = self.new("n")
            self.line("const uint %s = %s;" % (limit, bound))
            self.block("for (uint %s = 0; %s < %s; %s)" % (i, i, limit, self.pick(["%s++", "%s += 2", "++%s"]) % i), self.counted(i))
        else:
            j = self.new("j")
            self.block("for (uint %s = 0, %s = %d; %s < %s; %s++, --%s)" % (i, j, n + 3, i, j, i, j), self.counted(self.pick([i, j])))

    def counting_loop(self):
        """A short one to a bound that no compiler knows, by any comparison, in either direction, by steps that one knows or not."""
        type = self.pick([type for type in INTEGERS if type.bits >= 32])
        i, low, high = self.new("i"), self.new("n"), self.new("n")
        base = self.pick([-7, 0, 100] if type.signed else [4, 100, (1 << type.bits - 1) - 9])
        self.line("const %s %s = (%s)%d + (%s)(%s & 7);" % (type.name, low, type.name, base, type.name, self.expression(UINT, 1)))
        self.line("const %s %s = %s + (%s)(%s & 31);" % (type.name, high, low, type.name, self.expression(UINT, 1)))
        step = self.random.randrange(1, 4)
        if self.chance(0.5):
            step = self.new("n")
            self.line("const %s %s = (%s)1 + (%s)(%s & 3);" % (type.name, step, type.name, type.name, self.expression(UINT, 1)))
        head = self.pick(["for ({t} {i} = {l}; {i} < {h}; {i} += {s})", "for ({t} {i} = {l}; {h} >= {i}; {i} += {s})",
                          "for ({t} {i} = {l}; {i} != {h}; {i}++)", "for ({t} {i} = {h}; {i} > {l}; {i} -= {s})",
                          "for ({t} {i} = {h}; {i} >= {l}; {i} -= {s})", "for ({t} {i} = {h}; {i}-- != {l};)"])
        def write():
            self.objects.append(Object(i, type, constant=True))
            for _ in range(self.random.randrange(1, 3)):
                self.assign()
        self.block(head.format(t=type.name, i=i, l=low, h=high, s=step), self.inside(write))

    def while_loop(self):
        i = self.new("i")
        self.line("uint %s = %d;" % (i, self.random.randrange(1, 6)))
        self.block("while (%s-- != 0%s)" % (i, " && %s" % self.condition(1) if self.chance(0.3) else ""), self.counted(i))

    def do_loop(self):
        i = self.new("i")
        self.line("uint %s = 0;" % i)
        self.block("do", self.counted(i))
        self.lines[-1] += " while (++%s < %d && %s);" % (i, self.random.randrange(1, 6), self.condition(1))

    def endless_loop(self):
        i = self.new("i")
        self.line("uint %s = %d;" % (i, self.random.randrange(1, 6)))
        def leave():
            self.line("if (%s-- == 0) break;" % i)
        self.block(self.pick(["for (;;)", "while (true)"]), self.counted(i, leave))

    def cursor_loop(self):
        """A pointer walks over an array."""
        arrays = [o for o in self.objects if isinstance(o.type, Array) and isinstance(o.type.element, (Scalar, Vector)) and o.pointable
                  and "->" not in o.text and "*" not in o.text]  # nothing moves them meanwhile
        if not arrays:
            return self.for_loop()
        array = self.pick(arrays)
        element, space, c = array.type.element, array.space, self.new("c")
        last = "%s + %d" % (array.text, array.type.length - ROOM)
        head = self.pick(["for ({0} = {1}; {2} <= {3}; {2} += {4})", "for ({0} = {3}; {2} != {1}; --{2})",
                          "for ({0} = {3}; {2} > {1}; {2}--)", "for ({0} = {1}; {2} < {3}; ++{2})"])
        def write():
            self.pointers.append(Pointer(c, element, space, fixed=True))
            self.objects.append(Object("(uint)(%s - %s)" % (c, array.text), UINT, constant=True))
            self.statements(self.random.randrange(1, 3))
        self.block(head.format("%s %s *%s" % (space, element.name, c), array.text, c, last, self.pick([1, 2, 4])), self.inside(write))

    def duff(self):
        """A switch into a loop."""
        i = self.new("i")
        self.line("uint %s = %d;" % (i, self.random.randrange(1, 4)))
        labels = self.random.sample(range(4), self.random.randrange(1, 4))
        def write():
            self.indent += 1
            for label in [None, *labels]:
                if label is not None:
                    self.line("case %d:" % label)
                self.block("", self.body())
            self.indent -= 1
            self.line("} while (%s-- != 0);" % i)
        def switch():
            self.line("default:")
            self.line("do {")
            self.inside(write)()
        self.block("switch (%s & 0x83)" % self.expression(UINT, 1), switch)

    # ---- jumps ----

    def jump(self):
        """Where there is something to leave: break, continue, goto the end of a block around this, or return."""
        words = self.leave + ["goto " + label for label in self.exits]
        if self.result and self.chance(0.5):
            words.append("return %s" % self.expression(self.result, 1) if self.result is not True else "return")
        if not words:
            return self.assign()
        self.line("if %s %s;" % (self.condition(), self.pick(words)))

    def switch(self):
        type = self.pick(INTEGERS)
        scale = self.pick([1, 1, BIG[type.bits]])
        def write():
            outer, self.leave = self.leave, ["break"] + [word for word in self.leave if word == "continue"]
            labels = self.random.sample([*range(8), 0x80, 0x83], self.random.randrange(2, 5)) + ["default"] * self.chance(0.8)
            self.random.shuffle(labels)
            for label in labels:
                self.line("default:" if label == "default" else "case %s:" % self.case(type, label * scale))
                self.block("", self.body())
                if self.chance(0.6):
                    self.line("break;")
            self.line(";")
            self.leave = outer
        # Eight bits, since llvm-spirv knows no integers that LLVM makes of fewer.
        value = "%s & (%s)0x87" % (self.expression(type), type.name)
        self.block("switch (%s)" % (value if scale == 1 else "(%s)((%s)(%s) * (%s)%d)" % (
            type.name, type.unsigned.name, value, type.unsigned.name, scale)), write)

    def case(self, type, value):
        value &= (1 << type.bits) - 1
        if type.signed:
            value -= value >> (type.bits - 1) << type.bits
        return "(%s)%d%s" % (type.name, value, "L" if type.signed else "UL")

    def goto_forward(self):
        """A block that any statement in it may leave, out of loops and switches too."""
        label = self.new("L")
        def write():
            self.exits.append(label)
            self.statements(2)
            self.line("if %s goto %s;" % (self.condition(), label))
            self.statements(2)
            self.exits.pop()
        self.block("", write)
        self.line("%s:;" % label)

    def goto_loop(self):
        """A loop made of gotos, which may be entered in its middle: irreducible."""
        if self.depth >= self.deepest:
            return self.assign()
        top, middle, i = self.new("L"), self.new("L"), self.new("i")
        self.line("uint %s = %d;" % (i, self.random.randrange(1, 5)))
        if self.chance(0.5):
            self.line("if %s goto %s;" % (self.condition(), middle))
        def write():
            self.line("%s:;" % top)
            self.block("", self.body())
            self.line("%s:;" % middle)
            self.block("", self.body())
            self.line("if (%s-- != 0 && %s) goto %s;" % (i, self.condition(), top))
        self.inside(write, breakable=False)()

    def goto_graph(self):
        """Blocks each of which goes to any other."""
        if self.depth >= self.deepest:
            return self.assign()
        labels = [self.new("L") for _ in range(self.random.randrange(2, 5))]
        fuel, end = self.new("i"), self.new("L")
        self.line("uint %s = %d;" % (fuel, self.random.randrange(2, 7)))
        if self.chance(0.7):
            self.line("if %s goto %s;" % (self.condition(), self.pick(labels)))
        def write():
            self.exits.append(end)
            for label in labels:
                self.line("%s:;" % label)
                self.block("", self.body(2))
                self.line("if (%s-- == 0) goto %s;" % (fuel, end))
                self.line("if %s goto %s;" % (self.condition(), self.pick(labels)))
                if self.chance(0.3):
                    self.line("else goto %s;" % self.pick(labels))
            self.exits.pop()
        self.inside(write, breakable=False)()
        self.line("%s:;" % end)
