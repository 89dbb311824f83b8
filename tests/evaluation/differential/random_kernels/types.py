# SPDX-License-Identifier: Apache-2.0
"""The types of random kernels, and what is in scope."""

ROOM = 4         # elements that may be accessed from any pointer to scalars or vectors on
WIDTHS = (2, 3, 4, 8, 16)
READ_ONLY = ("constant", "PROGRAM")  # spaces; kernel.py says what PROGRAM is


class Scalar:
    def __init__(self, name, bits, signed, is_float=False):
        self.name, self.bits, self.signed, self.is_float = name, bits, signed, is_float
        self.element, self.width = self, 1

    @property
    def unsigned(self):
        return self if not self.signed else INTEGERS[INTEGERS.index(self) + 1]

    @property
    def signed_alike(self):
        """The signed integer of this size."""
        return INTEGERS[{8: 0, 16: 2, 32: 4, 64: 6}[self.bits]]


INTEGERS = [Scalar(("" if signed else "u") + name, bits, signed)
            for name, bits in (("char", 8), ("short", 16), ("int", 32), ("long", 64)) for signed in (True, False)]
FLOAT, DOUBLE = Scalar("float", 32, True, is_float=True), Scalar("double", 64, True, is_float=True)
BOOL = Scalar("bool", 8, False)
NUMBERS = INTEGERS + [FLOAT, DOUBLE]
BY_NAME = {t.name: t for t in NUMBERS}
UINT, INT, ULONG, UCHAR = BY_NAME["uint"], BY_NAME["int"], BY_NAME["ulong"], BY_NAME["uchar"]


class Vector:
    def __init__(self, element, width):
        self.element, self.width, self.is_float = element, width, element.is_float
        self.name, self.signed, self.bits = element.name + str(width), element.signed, element.bits

    @property
    def unsigned(self):
        return vector(self.element.unsigned, self.width)

    @property
    def signed_alike(self):
        return vector(self.element.signed_alike, self.width)


VECTORS = {(e.name, w): Vector(e, w) for e in NUMBERS for w in WIDTHS}


def vector(element, width):
    return element if width == 1 else VECTORS[element.name, width]


def size_bytes(type):
    if isinstance(type, Array):
        return type.length * size_bytes(type.element)
    if isinstance(type, Struct):  # with room for padding
        return sum(size_bytes(t) for _, t in type.fields) + max(alignment_bytes(t) for _, t in type.fields) * len(type.fields)
    return type.bits // 8 * (4 if type.width == 3 else type.width)


def alignment_bytes(type):
    if isinstance(type, Array):
        return alignment_bytes(type.element)
    return max(alignment_bytes(t) for _, t in type.fields) if isinstance(type, Struct) else size_bytes(type)


class Array:
    """`length` is a power of two, and at least 2 * ROOM unless the elements are structs or arrays."""

    def __init__(self, element, length):
        self.element, self.length = element, length


class Struct:
    def __init__(self, name, fields, packed=False, is_union=False):
        self.name, self.fields, self.packed, self.is_union = name, fields, packed, is_union


class Object:
    """A variable, parameter, member or element: `text` is an lvalue of `type` in `space`. Pointers may point into it
    unless a packed struct or a union is around it.
    """

    def __init__(self, text, type, space="private", constant=False, pointable=True, hashed=True):
        self.text, self.type, self.space, self.pointable, self.hashed = text, type, space, pointable, hashed
        self.constant = constant or space in READ_ONLY


class Pointer:
    """An expression of pointer type, which always points to ROOM elements of `element`, or to one struct. A fixed one is not
    assigned to, nor copied into other pointers.
    """

    def __init__(self, text, element, space, fixed=False):
        self.text, self.element, self.space, self.fixed = text, element, space, fixed

    @property
    def read_only(self):
        return self.space in READ_ONLY


class Function:
    """A function of values, structs too, without side effects."""

    def __init__(self, name, result, parameters):
        self.name, self.result, self.parameters = name, result, parameters


class Taker:
    """A function `element name(any space element *p, uint x)`, which stores through p: called by statements only, since
    the order of evaluation inside an expression is not defined."""

    def __init__(self, name, element):
        self.name, self.element = name, element


class Filler:
    """A function `void name(private T *, ..., uint x)`, which changes what its arguments point to."""

    def __init__(self, name, parameters):
        self.name, self.parameters = name, parameters
