# SPDX-License-Identifier: Apache-2.0
"""Random kernels, each with one right answer: see generate.py."""
import random

from .control_flow import ControlFlow
from .declarations import Declarations
from .expressions import Expressions
from .functions import Functions
from .kernel import FOLD_DOUBLE, PRELUDE, Kernel
from .statements import Statements
from .types import DOUBLE, FLOAT, INTEGERS, NUMBERS


class Generator(Expressions, Declarations, Statements, ControlFlow, Functions, Kernel):
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines, self.indent, self.counter = [], 0, 0
        self.objects, self.pointers = [], []     # what is in scope
        self.functions, self.structs, self.takers, self.fillers = [], [], [], []
        self.tables_of_pointers, self.exchanged, self.shared_struct = [], [], None
        self.budget, self.depth = 0, 0           # statements that may still be written; loops around this one
        self.leave, self.exits, self.result = [], [], None  # what jump() may leave
        self.choose_features()

    def choose_features(self):
        """A kernel has few types and favours some statements, so that kernels differ more, and more in little text. Doubles
        are in every eighth."""
        self.scalars = self.random.sample(INTEGERS, self.random.randrange(2, 6))
        self.floats = [FLOAT] if self.chance(0.5) else []
        if self.chance(1 / 8):
            self.floats.append(DOUBLE)
        self.scalars += self.floats
        large = self.chance(0.03)  # drivers' compilers take seconds
        self.parts, self.part_budget = self.random.randrange(1, 4) if large else 1, 25 if large else 9
        self.deepest = self.pick([1, 2, 2, 3])
        kinds = {self.assign: 5, self.store: 3, self.declare: 2, self.declare_pointer: 2, self.take: 2, self.fill: 1,
                 self.move_pointer: 1, self.copy_struct: 1, self.if_statement: 2, self.loop: 2, self.switch: 1,
                 self.goto_forward: 1, self.goto_loop: 0.5, self.goto_graph: 0.7, self.jump: 1.5}
        self.kinds, weights = zip(*((kind, weight * self.pick([0.2, 1, 1, 3])) for kind, weight in kinds.items()))
        self.weights = weights

    # ---- what all parts use ----

    def pick(self, things):
        return self.random.choice(things)

    def chance(self, probability):
        return self.random.random() < probability

    def element(self):
        return self.pick(self.scalars)

    def new(self, prefix):
        self.counter += 1
        return prefix + str(self.counter)

    def line(self, text):
        self.lines.append("    " * self.indent + text)

    def block(self, head, body):
        """`head {`, what body() writes, `}`; what it declares goes out of scope."""
        scope = len(self.objects), len(self.pointers)
        self.line((head + " {").lstrip())
        self.indent += 1
        body()
        self.indent -= 1
        self.line("}")
        del self.objects[scope[0]:], self.pointers[scope[1]:]

    def statements(self, count):
        for _ in range(count):
            self.budget -= 1
            if self.budget < 0 or self.indent > 6:
                self.assign()
            else:
                self.random.choices(self.kinds, self.weights)[0]()

    def program(self):
        for make, most in ((self.make_struct, 4), (self.make_table, 3), (self.make_function, 3), (self.make_filler, 3),
                           (self.make_taker, 3)):
            for _ in range(self.random.randrange(most)):
                make()
        before = len(self.lines)
        self.make_kernel()
        neighbours = {"NEIGHBOUR(%s)" % o.type.element.name: None for o in self.exchanged}
        self.lines[before:before] = neighbours
        return PRELUDE + (FOLD_DOUBLE if DOUBLE in self.floats else "") + "\n".join(self.lines) + "\n"
