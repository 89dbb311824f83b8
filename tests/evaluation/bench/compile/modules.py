#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""modules.py SHAPE INSTRUCTIONS FILE: a valid OpenCL SPIR-V module of about so many instructions, which has much of one
thing that no source gives in that form. linearity.py --modules translates each shape in two sizes. Nothing is random.
"""
import array
import sys

SHAPES = {}


def shape(make):
    SHAPES[make.__name__] = make
    return make


class Module:
    """Types %void, %bool, %u32 and a kernel with one global uint pointer; shapes append code."""

    def __init__(self):
        self.bound = 1
        self.head, self.entries, self.types, self.code = (array.array("I") for _ in range(4))
        for capability in (6, 4, 11):  # Kernel, Addresses, Int64
            self.put(self.head, 17, capability)
        self.put(self.head, 14, 2, 2)  # Physical64 OpenCL
        self.void, self.bool, self.u32 = self.ids(3)
        self.put(self.types, 19, self.void)
        self.put(self.types, 20, self.bool)
        self.put(self.types, 21, self.u32, 32, 0)
        self.pointer, self.kernel_type, self.function_type, self.zero, self.one = self.ids(5)
        self.put(self.types, 32, self.pointer, 5, self.u32)  # CrossWorkgroup
        self.put(self.types, 33, self.kernel_type, self.void, self.pointer, self.u32)
        self.put(self.types, 33, self.function_type, self.u32, self.u32)
        self.put(self.types, 43, self.u32, self.zero, 0)
        self.put(self.types, 43, self.u32, self.one, 1)

    def ids(self, count):
        self.bound += count
        return range(self.bound - count, self.bound)

    def id(self):
        self.bound += 1
        return self.bound - 1

    @staticmethod
    def put(section, op, *words):
        section.append((len(words) + 1) << 16 | op)
        section.extend(words)

    def emit(self, op, *words):
        self.put(self.code, op, *words)

    def value(self, op, type_id, *words):
        result = self.id()
        self.emit(op, type_id, result, *words)
        return result

    def label(self, label=None):
        label = label or self.id()
        self.emit(248, label)
        return label

    def add(self, a, b):
        return self.value(128, self.u32, a, b)

    def less(self, a, b):
        return self.value(176, self.bool, a, b)

    def begin_kernel(self, name):
        """(pointer argument, uint argument) after the entry block's label."""
        function = self.id()
        raw = name.encode() + b"\0" * (4 - len(name) % 4)
        text = [int.from_bytes(raw[i:i + 4], "little") for i in range(0, len(raw), 4)]
        self.put(self.entries, 15, 6, function, *text)
        self.emit(54, self.void, function, 0, self.kernel_type)
        arguments = self.id(), self.id()
        self.emit(55, self.pointer, arguments[0])
        self.emit(55, self.u32, arguments[1])
        self.label()
        return arguments

    def end_kernel(self, pointer, value):
        self.emit(62, pointer, value, 2, 4)  # OpStore Aligned 4
        self.emit(253)
        self.emit(56)

    def words(self):
        return array.array("I", [0x07230203, 0x10000, 0, self.bound, 0]) + self.head + self.entries + self.types + self.code


@shape
def block(module, size):
    """One block."""
    out, n = module.begin_kernel("k")
    x = n
    for i in range(size // 4):
        x = module.add(module.value(132, module.u32, x, n), module.value(61, module.u32, out, 2, 4))
        module.emit(62, out, x, 2, 4)
    module.end_kernel(out, x)


@shape
def chain(module, size):
    """Blocks one after the other."""
    out, x = module.begin_kernel("k")
    for i in range(size // 3):
        x = module.add(x, module.one)
        after = module.id()
        module.emit(249, after)
        module.label(after)
    module.end_kernel(out, x)


@shape
def selections(module, size):
    """Selections one after the other, without merge instructions, each with a phi."""
    out, x = module.begin_kernel("k")
    here = module.bound - 1
    for i in range(size // 8):
        arm, after = module.id(), module.id()
        module.emit(250, module.less(x, module.one), arm, after)
        module.label(arm)
        y = module.add(x, module.one)
        module.emit(249, after)
        module.label(after)
        x = module.value(245, module.u32, x, here, y, arm)
        here = after
    module.end_kernel(out, x)


@shape
def nested_loops(module, size):
    """Loops in loops, 60 deep, without merge instructions."""
    out, n = module.begin_kernel("k")
    for i in range(size // 360):
        heads, exits = module.ids(60), module.ids(60)
        for head in heads:
            module.emit(249, head)
            module.label(head)
            module.value(61, module.u32, out, 2, 4)
        for depth in reversed(range(60)):
            module.emit(250, module.less(module.value(61, module.u32, out, 2, 4), n), heads[depth], exits[depth])
            module.label(exits[depth])
    module.end_kernel(out, n)


@shape
def phis(module, size):
    """One loop that all values go around."""
    out, n = module.begin_kernel("k")
    entry, head, body, after = module.bound - 1, module.id(), module.id(), module.id()
    count = size // 2
    results, nexts = module.ids(count), module.ids(count)
    module.emit(249, head)
    module.label(head)
    for i in range(count):
        module.emit(245, module.u32, results[i], n, entry, nexts[i], body)
    module.emit(250, module.less(results[0], n), body, after)
    module.label(body)
    for i in range(count):
        module.emit(128, module.u32, nexts[i], results[i], results[(i + 1) % count])
    module.emit(249, head)
    module.label(after)
    module.end_kernel(out, results[count - 1])


@shape
def functions(module, size):
    """Functions that the kernel calls, twice each."""
    names = module.ids(size // 20)
    for name in names:
        x = module.id()
        module.emit(54, module.u32, name, 0, module.function_type)
        module.emit(55, module.u32, x)
        module.label()
        for _ in range(13):
            x = module.value(132, module.u32, x, module.add(x, module.one)) if _ % 2 else module.add(x, x)
        module.emit(254, x)
        module.emit(56)
    out, x = module.begin_kernel("k")
    for name in names:
        x = module.value(57, module.u32, name, module.value(57, module.u32, name, x))
    module.end_kernel(out, x)


@shape
def kernels(module, size):
    """Kernels."""
    for i in range(size // 20):
        out, x = module.begin_kernel("k%d" % i)
        for _ in range(13):
            x = module.add(module.value(132, module.u32, x, x), module.one) if _ % 2 else module.add(x, x)
        module.end_kernel(out, x)


@shape
def switch(module, size):
    """Switches of 10,000 cases."""
    out, x = module.begin_kernel("k")
    for first in range(0, size // 4, 10000):
        labels, after = module.ids(min(10000, size // 4 - first)), module.id()
        cases = [word for i, label in enumerate(labels) for word in (i, label)]
        module.emit(251, x, after, *cases)
        for label in labels:
            module.label(label)
            module.emit(62, out, module.add(x, module.one), 2, 4)
            module.emit(249, after)
        module.label(after)
    module.end_kernel(out, x)


@shape
def constants(module, size):
    """Constants, used once each."""
    out, x = module.begin_kernel("k")
    for i in range(size // 2):
        constant = module.id()
        module.put(module.types, 43, module.u32, constant, i + 2)
        x = module.add(x, constant) if i % 2 else module.value(132, module.u32, x, constant)
    module.end_kernel(out, x)


def write(name, size, path):
    module = Module()
    SHAPES[name](module, size)
    with open(path, "wb") as out:
        module.words().tofile(out)


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in SHAPES:
        sys.exit("%s\nshapes:\n%s" % (__doc__.strip(), "\n".join("  %-18s %s" % (name, make.__doc__)
                                                                  for name, make in SHAPES.items())))
    write(sys.argv[1], int(sys.argv[2]), sys.argv[3])
