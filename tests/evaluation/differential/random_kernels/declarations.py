# SPDX-License-Identifier: Apache-2.0
"""Types that kernels define, variables, and pointers to them."""
from .types import *


class Declarations:
    def value_type(self):
        if self.chance(0.05):
            return BOOL
        element = self.element()
        return vector(element, self.pick(WIDTHS)) if self.chance(0.4) else element

    def make_struct(self):
        name = self.new("S")
        is_union = self.chance(0.25)
        packed = not is_union and self.chance(0.3)
        fields = []
        for _ in range(self.random.randrange(2, 5)):
            field = self.new("m")
            kind = self.random.random()
            whole = [s for s in self.structs if not s.is_union]
            if is_union:  # equal in size, so that every byte that is read has been written
                fields.append((field, self.pick([ULONG, BY_NAME["long"], vector(UINT, 2), vector(BY_NAME["short"], 4),
                                                 vector(UCHAR, 8), vector(INT, 2), Array(UCHAR, 2 * ROOM)])))
            elif kind < 0.2:
                fields.append((field, Array(self.element(), 2 * ROOM)))
            elif kind < 0.3 and whole:
                fields.append((field, self.pick(whole)))
            elif kind < 0.35 and whole:
                fields.append((field, Array(self.pick(whole), 2)))
            else:
                fields.append((field, self.value_type()))
        struct = Struct(name, fields, packed, is_union)
        self.structs.append(struct)
        self.line("typedef %s %s{" % ("union" if is_union else "struct", "__attribute__((packed)) " if packed else ""))
        for field, type in fields:
            self.line("    %s;" % self.declarator(type, field))
        self.line("} %s;" % name)

    def declarator(self, type, name):
        lengths = ""
        while isinstance(type, Array):
            lengths, type = lengths + "[%d]" % type.length, type.element
        return "%s %s%s" % (type.name, name, lengths)

    def initializer(self, type, depth=1):
        """What may stand behind = for a type; a constant expression where depth is None."""
        if isinstance(type, Array):
            many = isinstance(type.element, Array) or self.chance(0.4)
            count = type.length if many else self.random.randrange(1, type.length + 1)
            return "{%s}" % ", ".join(self.initializer(type.element, depth and 1) for _ in range(count))
        if isinstance(type, Struct):
            if type.is_union:
                return "{%s}" % self.initializer(type.fields[0][1], depth)
            return "{%s}" % ", ".join(self.initializer(t, depth and 1) for _, t in type.fields)
        return self.literal(type) if depth is None else self.expression(type, depth)

    def random_type(self):
        kind = self.random.random()
        if kind < 0.15 and self.structs:
            return self.pick(self.structs)
        if kind < 0.2 and self.structs:
            return Array(self.pick(self.structs), self.pick([2, 4]))
        if kind < 0.25:
            return Array(Array(self.element(), 8), self.pick([2, 4]))
        if kind < 0.45:
            return Array(self.element() if self.chance(0.7) else self.value_type(), self.pick([8, 16]))
        return self.value_type()

    def declare(self, type=None):
        type = type or self.random_type()
        name = self.new("v")
        self.line("%s = %s;" % (self.declarator(type, name), self.initializer(type)))
        self.add(name, type)

    def add(self, name, type, space="private", pointable=True, hashed=True):
        """The object, its members, and one of each array's elements that have members, are in scope."""
        self.objects.append(Object(name, type, space, pointable=pointable, hashed=hashed and not isinstance(type, Struct)))
        if isinstance(type, Struct):
            for field, inner in type.fields:
                self.add("%s.%s" % (name, field), inner, space, pointable and not type.packed and not type.is_union, hashed)
        elif isinstance(type, Array) and isinstance(type.element, (Struct, Array)):
            self.add("%s[%s]" % (name, self.element_index(type.length)), type.element, space, pointable, hashed=False)

    def element_index(self, length):
        """An index that stays what it is as long as it is in scope, but is not known when the kernel is compiled."""
        fixed = [o.text for o in self.objects if o.type is UINT and o.constant and o.space == "private"]
        if not fixed or self.chance(0.3):
            return str(self.random.randrange(length))
        return "%s & %d" % (self.pick(fixed), length - 1)

    # ---- pointers ----

    def sources(self, element, space):
        """Expressions of pointers with ROOM elements of this type in this space."""
        found = [p.text for p in self.pointers if p.element is element and p.space == space and not p.fixed]
        for o in self.objects:
            if o.space != space or not o.pointable:
                continue
            if isinstance(o.type, Array) and o.type.element is element:
                if isinstance(element, Struct):
                    found.append("&%s[%s]" % (o.text, self.index(o.type.length, 1)))
                else:
                    found.append(self.pick(["&%s[%s]", "(%s + %s)"]) % (o.text, self.index(o.type.length - ROOM, 1)))
            elif isinstance(element, Struct) and o.type is element:
                found.append("&" + o.text)
        return found

    def pointees(self):
        """(element, space) of what a new pointer may point to."""
        for o in self.objects:
            if not o.pointable or (o.constant and o.space not in READ_ONLY):
                continue
            if isinstance(o.type, Array) and not isinstance(o.type.element, Array):
                yield o.type.element, o.space
            elif isinstance(o.type, Struct):
                yield o.type, o.space
        for p in self.pointers:
            if not p.fixed:
                yield p.element, p.space

    def declare_pointer(self):
        found = list(self.pointees())
        if not found:
            return self.declare(Array(self.element(), 8))
        element, space = self.pick(found)
        found = self.sources(element, space)
        value = self.pick(found)
        if self.chance(0.4):
            value = "(%s ? %s : %s)" % (self.condition(1), value, self.pick(found))
        if self.chance(0.15):
            value = "(%s %s *)%s(%s)" % (space, element.name, self.pick(["(ulong)", "(size_t)", "(%s void *)" % space,
                                                                         "(%s uchar *)" % space]), value)
        name, kind = self.new("p"), self.random.random()
        if kind < 0.12:
            length = self.pick([2, 4])
            values = [value] + [self.pick(found) for _ in range(length - 1)]
            self.line("%s %s *%s[%d] = {%s};" % (space, element.name, name, length, ", ".join(values)))
            name = "%s[%s]" % (name, self.index(length, 1))
        elif kind < 0.22:
            return self.declare_holder(name, element, space, value)
        elif kind < 0.3:
            return self.null_pointer(name, element, space, value)
        else:
            self.line("%s %s *%s = %s;" % (space, element.name, name, value))
            if self.chance(0.2):
                level = self.new("pp")
                self.line("%s %s **%s = &%s;" % (space, element.name, level, name))
                self.point("(*%s)" % level, element, space)
        self.point(name, element, space)

    def point(self, text, element, space):
        self.pointers.append(Pointer(text, element, space))
        if isinstance(element, Struct):
            for field, inner in element.fields:
                self.add("%s->%s" % (text, field), inner, space, not element.packed and not element.is_union, hashed=False)

    def declare_holder(self, name, element, space, value):
        """A struct with a pointer in it, a copy of it and a pointer to the copy."""
        found = self.sources(element, space)
        tag, copy, to = self.new("H"), self.new("h"), self.new("hp")
        self.line("struct %s { uint n; %s %s *p, *q[2]; } %s = {%s, %s, {%s, %s}};" % (
            tag, space, element.name, name, self.expression(UINT, 1), value, self.pick(found), self.pick(found)))
        self.line("struct %s %s = %s;" % (tag, copy, name))
        self.line("private struct %s *%s = %s ? &%s : &%s;" % (tag, to, self.condition(1), name, copy))
        self.line("%s->p = %s->q[%s];" % (to, to, self.index(2, 1)))
        self.point("%s.p" % self.pick([name, copy]), element, space)
        self.point("%s->q[%s]" % (to, self.index(2, 0)), element, space)
        self.objects.append(Object("%s->n" % to, UINT, hashed=False))

    def null_pointer(self, name, element, space, value):
        """A pointer that may be null, used where it is not."""
        self.line("%s %s *%s = %s ? %s : 0;" % (space, element.name, name, self.condition(1), value))
        def write():
            self.pointers.append(Pointer(name, element, space, fixed=True))
            self.statements(2)
        self.block(self.pick(["if (%s)", "if (%s != 0)", "if (!(0 == %s))"]) % name, write)

    def move_pointer(self):
        """A pointer goes elsewhere."""
        for p in self.random.sample(self.pointers, len(self.pointers)):
            found = [] if p.fixed else self.sources(p.element, p.space)
            if found:
                return self.line("%s = %s;" % (p.text, self.pick(found)))
        self.declare_pointer()
