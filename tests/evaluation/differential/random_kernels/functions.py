# SPDX-License-Identifier: Apache-2.0
"""Functions of values, of pointers to any space, and with out-parameters."""
from .types import *


class Functions:
    def function(self, head, result, budget, write):
        self.budget, self.result, self.leave, self.exits = budget, result, [], []
        self.block(head, write)
        self.result = None

    def make_function(self):
        parameters = [self.pick(self.structs) if self.structs and self.chance(0.3) else self.value_type()
                      for _ in range(self.random.randrange(1, 4))]
        result = self.pick(self.structs) if self.structs and self.chance(0.25) else self.value_type()
        name, names = self.new("f"), [self.new("a") for _ in parameters]
        def write():
            for n, t in zip(names, parameters):
                self.add(n, t)
            self.statements(self.random.randrange(1, 5))
            self.line("return %s;" % self.expression(result))
        self.function("%s%s %s(%s)" % (self.pick(["", "", "static ", "inline static "]), result.name, name, ", ".join(
            "%s %s" % (t.name, n) for n, t in zip(names, parameters))), result, 10, write)
        self.functions.append(Function(name, result, parameters))

    def make_filler(self):
        parameters = [self.value_type() for _ in range(self.random.randrange(1, 3))]
        if self.structs and self.chance(0.3):
            parameters.append(self.pick(self.structs))
        name, names = self.new("o"), [self.new("a") for _ in parameters]
        def write():
            self.objects.append(Object("x", UINT))
            for n, t in zip(names, parameters):
                self.add("(*%s)" % n, t, pointable=isinstance(t, Struct))
            self.statements(self.random.randrange(1, 4))
            self.line("*%s = %s;" % (names[-1], self.expression(parameters[-1], 1)))
        self.function("void %s(%s, uint x)" % (name, ", ".join("private %s *%s" % (t.name, n) for n, t in zip(names, parameters))),
                      True, 8, write)
        self.fillers.append(Filler(name, parameters))

    def make_taker(self):
        """A function that takes a pointer to any space: written once, for each space or for the generic one."""
        element, name = self.element(), self.new("g")
        first = len(self.lines)
        def write():
            self.objects.append(Object("x", UINT))
            self.pointers.append(Pointer("p", element, "SPACE", fixed=True))
            if self.chance(0.5):
                self.line("x += KIND(SPACE, p);")
            if self.chance(0.3):
                self.line("SPACE %s *q = x & 1 ? p : p + 0;" % element.name)
                self.pointers.append(Pointer("q", element, "SPACE"))
            self.statements(self.random.randrange(1, 4))
            self.line("p[%s] = %s;" % (self.index(ROOM), self.expression(element)))
            self.line("return %s;" % self.expression(element))
        self.function("#define %s_IN(SPACE) OVERLOAD %s %s(SPACE %s *p, uint x)" % (name, element.name, name, element.name),
                      element, 8, write)
        for at in range(first, len(self.lines) - 1):
            self.lines[at] += " \\"
        self.line("FOR_SPACES(%s_IN)" % name)
        self.takers.append(Taker(name, element))
