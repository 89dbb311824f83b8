# SPDX-License-Identifier: Apache-2.0
"""Statements without jumps."""
from .types import *


class Statements:
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
        elif o.type is not BOOL and not o.type.is_float and kind < 0.6:
            operator = self.pick(["^=", "&=", "|=", "<<=", ">>="] + (["+=", "-=", "*="] if not o.type.signed and o.type.bits >= 32 else []))
            self.line("%s %s %s;" % (o.text, operator, self.expression(o.type)))
        elif o.type is not BOOL and isinstance(o.type, Scalar) and not o.type.signed and kind < 0.7:
            other = self.pick([t for t in targets if t is not o] or [o])
            if kind < 0.65 and other.type is o.type and other is not o and o.hashed and other.hashed and o.pointable:
                self.line("%s = %s;" % (other.text, self.pick(["%s++", "--%s"]) % o.text))
            else:
                self.line(self.pick(["%s++;", "--%s;"]) % o.text)
        else:
            self.line("%s = %s;" % (o.text, self.expression(o.type)))

    def store(self):
        arrays = [o for o in self.objects if isinstance(o.type, Array) and isinstance(o.type.element, (Scalar, Vector))
                  and not o.constant]
        mine = [p for p in self.pointers if not p.read_only]
        if not arrays and not mine:
            return self.declare_pointer()
        target = self.pick(arrays + mine * 2)
        if isinstance(target, Object):
            element, text = target.type.element, "%s[%s]" % (target.text, self.index(target.type.length))
        else:
            return self.store_through(target)
        self.line("%s = %s;" % (text, self.expression(element)))

    def store_through(self, target):
        element, space = target.element, target.space
        if isinstance(element, Struct):
            return self.line("*%s = %s;" % (target.text, self.expression(element, 1)))
        if isinstance(element, Scalar) and element is not BOOL and self.chance(0.25):
            width = self.pick([2, 3, 4])
            return self.line("vstore%d(%s, 0, %s);" % (width, self.expression(vector(element, width)), target.text))
        if not element.is_float and element is not BOOL and self.chance(0.25):
            byte = self.index(ROOM * size_bytes(element))
            if isinstance(element, Vector) and element.width == 3:
                byte = "0"
            return self.line("((%s uchar *)%s)[%s] ^= %s;" % (space, target.text, byte, self.expression(UCHAR)))
        if element in (UINT, INT) and space in ("global", "local") and self.chance(0.3):
            return self.atomic(target)
        self.line("%s = %s;" % (self.through(target), self.expression(element)))

    def atomic(self, target):
        """On memory of which other work-items know nothing, so that the old value is known too."""
        name, element = self.new("v"), target.element
        function = self.pick(["add", "sub", "xchg", "min", "max", "and", "or", "xor", "inc", "dec", "cmpxchg"])
        operands = {"inc": 0, "dec": 0, "cmpxchg": 2}.get(function, 1)
        self.line("%s %s = atomic_%s(%s);" % (element.name, name, function, ", ".join(
            [target.text] + [self.expression(element, 1) for _ in range(operands)])))
        self.objects.append(Object(name, element))

    def copy_struct(self):
        objects = [o for o in self.objects if isinstance(o.type, Struct) and not o.constant]
        if not objects:
            return self.declare(self.pick(self.structs)) if self.structs else self.assign()
        a = self.pick(objects)
        if self.chance(0.4):
            self.line("%s = %s ? %s : %s;" % (a.text, self.condition(1), a.text, self.expression(a.type, 0)))
        else:
            self.line("%s = %s;" % (a.text, self.expression(a.type, 1)))

    def take(self):
        """Calls a function that takes a pointer to any space."""
        pairs = [(t, p) for t in self.takers for p in self.pointers
                 if p.element is t.element and not p.fixed and not p.read_only]
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

    def fill(self):
        """Calls a function with addresses of private objects, which may be the same."""
        def places(type):
            return ["&" + o.text for o in self.objects
                    if o.type is type and o.space == "private" and o.pointable and not o.constant]
        ready = [f for f in self.fillers if all(places(t) for t in f.parameters)]
        if not ready:
            return self.declare(self.pick(self.pick(self.fillers).parameters)) if self.fillers else self.assign()
        filler = self.pick(ready)
        self.line("%s(%s, %s);" % (filler.name, ", ".join(self.pick(places(t)) for t in filler.parameters),
                                   self.expression(UINT, 1)))
