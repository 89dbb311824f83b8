# SPDX-License-Identifier: Apache-2.0
"""The kernel: what it is called with, tables, local memory and barriers, the hash of what it computed."""
from .types import *

GROUP = 16       # work-items in a group
SEGMENT = 128    # words of data for each work-item: 8 areas of 8 words, one element type each, and 64 words for a struct

PRELUDE = """#ifdef GENERIC
#define FOR_SPACES(F) F()
#define EITHER(f, T, c, a, b, x) f((c) ? (T *)(a) : (T *)(b), x)
#define KIND(SPACE, p) (to_global(p) ? 1 : to_local(p) ? 2 : 3)
#else
#define FOR_SPACES(F) F(global) F(local) F(private)
#define EITHER(f, T, c, a, b, x) ((c) ? f(a, x) : f(b, x))
#define KIND(SPACE, p) KIND_##SPACE
#define KIND_global 1
#define KIND_local 2
#define KIND_private 3
#endif
#ifdef PROGRAM_SCOPE
#define PROGRAM global
global uint program_scope[64 * 8];
#define scope program_scope
#define ARGUMENT unused
#else
#define PROGRAM constant
#define ARGUMENT scope
#endif
#define OVERLOAD __attribute__((overloadable))
#pragma OPENCL FP_CONTRACT OFF
typedef struct { uint4 a; char3 b; short c; long d; float e; uchar f[8]; } Given;
uint mix(uint h, uint v) { return (rotate(h, 5u) ^ v) * 0x9E3779B1u; }
uint OVERLOAD fold(uint h, uint v) { return mix(h, v); }
uint OVERLOAD fold(uint h, int v) { return mix(h, (uint)v); }
uint OVERLOAD fold(uint h, ulong v) { return mix(mix(h, (uint)v), (uint)(v >> 32)); }
uint OVERLOAD fold(uint h, long v) { return fold(h, (ulong)v); }
uint OVERLOAD fold(uint h, float v) { return mix(h, isnan(v) ? 7u : as_uint(v)); }
#define NEIGHBOUR(T) T OVERLOAD neighbour(local T *l, T value, uint lid, uint by) { \\
    barrier(CLK_LOCAL_MEM_FENCE); \\
    l[lid] = value; \\
    barrier(CLK_LOCAL_MEM_FENCE); \\
    return l[(lid + by) & 15]; \\
}
"""
FOLD_DOUBLE = "uint OVERLOAD fold(uint h, double v) { return fold(h, isnan(v) ? 7ul : as_ulong(v)); }\n"

GIVEN = [("a", vector(UINT, 4)), ("b", vector(BY_NAME["char"], 3)), ("c", BY_NAME["short"]), ("d", BY_NAME["long"]),
         ("e", FLOAT), ("f", Array(UCHAR, 8))]


class Kernel:
    # ---- program scope ----

    def make_table(self):
        """A table of constants, and perhaps pointers into it: in the constant space, or in global memory of the program."""
        space, name = self.pick(["constant", "PROGRAM"]), self.new("t")
        kind = self.random.random()
        if kind < 0.25 and self.structs:
            type = Array(self.pick(self.structs), self.pick([2, 4]))
        elif kind < 0.35 and self.structs:
            type = self.pick(self.structs)
        elif kind < 0.5:
            type = self.value_type()
        else:
            type = Array(self.value_type(), self.pick([8, 16, 32]))
        self.line("%s %s = %s;" % (space, self.declarator(type, name), self.initializer(type, None)))
        self.add(name, type, space)
        if isinstance(type, Array) and isinstance(type.element, (Scalar, Vector)) and self.chance(0.4):
            pointers, count = self.new("t"), self.pick([2, 4])
            self.line("%s %s *%s %s[%d] = {%s};" % (space, type.element.name, space, pointers, count, ", ".join(
                self.pick(["&%s[%d]", "%s + %d"]) % (name, self.random.randrange(type.length - ROOM + 1)) for _ in range(count))))
            self.tables_of_pointers.append((pointers, type.element, space, count))

    # ---- local memory ----

    def exchange(self, local):
        """Work-items of a group read what their neighbours wrote; where all of them come."""
        element, name = local.type.element, self.new("v")
        value, by = self.expression(element), self.random.randrange(GROUP)
        if self.chance(0.4):
            self.line("%s %s = neighbour(%s, %s, lid, %d);" % (element.name, name, local.text, value, by))
        else:
            self.line("barrier(CLK_LOCAL_MEM_FENCE);")
            self.line("%s[lid] = %s;" % (local.text, value))
            self.line("barrier(CLK_LOCAL_MEM_FENCE);")
            self.line("%s %s = %s[(lid + %d) & %d];" % (element.name, name, local.text, by, GROUP - 1))
        self.objects.append(Object(name, element))

    def count(self):
        """Work-items of a group add to one local counter."""
        name = self.new("v")
        self.line("barrier(CLK_LOCAL_MEM_FENCE);")
        self.line("if (lid == 0) counter = %d;" % self.random.randrange(100))
        self.line("barrier(CLK_LOCAL_MEM_FENCE);")
        self.block("if %s" % self.condition(), lambda: self.line(
            "atomic_%s(&counter, %s);" % (self.pick(["add", "xor", "max", "min", "or"]), self.expression(UINT, 1))))
        self.line("barrier(CLK_LOCAL_MEM_FENCE);")
        self.line("uint %s = counter;" % name)
        self.objects.append(Object(name, UINT))

    def meet(self):
        """An exchange, perhaps in control flow that is the same for all work-items."""
        act = lambda: self.count() if not self.exchanged or self.chance(0.25) else self.exchange(self.pick(self.exchanged))
        kind = self.random.random()
        def write():
            outer, self.leave, self.exits = (self.leave, self.exits), [], []
            self.statements(1)
            act()
            self.statements(1)
            self.leave, self.exits = outer
        if kind < 0.2:
            i = self.new("i")
            self.block("for (uint %s = 0; %s < (%s & 3); %s++)" % (i, i, self.pick(["table[5]", "(uint)get_group_id(0)", "7"]), i), write)
        elif kind < 0.3:
            self.block("if (%s & %d)" % (self.pick(["table[3]", "(uint)get_group_id(0)"]), 1 << self.random.randrange(8)), write)
        else:
            act()

    def declare_local(self):
        for _ in range(self.random.randrange(0, 3)):
            element, name = self.pick([self.value_type(), self.value_type(), *self.structs[:1]]), self.new("l")
            self.line("local %s %s[%d];" % (element.name, name, GROUP))
            self.exchanged.append(Object(name, Array(element, GROUP), "local"))
        self.line("local uint counter;")
        if self.chance(0.5):  # each work-item has a row of its own
            element, name, row = self.element(), self.new("l"), self.new("r")
            self.line("local %s %s[%d][8];" % (element.name, name, GROUP))
            self.line("local %s *%s = %s[lid];" % (element.name, row, name))
            self.line("for (uint i = 0; i < 8; i++) %s[i] = (%s)(i * gid);" % (row, element.name))
            self.pointers.append(Pointer(row, element, "local"))
        if self.structs and self.chance(0.3):
            type, name, mine = self.pick(self.structs), self.new("l"), self.new("r")
            self.line("local %s %s[%d];" % (type.name, name, GROUP))
            self.line("local %s *%s = %s + lid;" % (type.name, mine, name))
            self.line("*%s = (%s)%s;" % (mine, type.name, self.initializer(type)))
            self.point(mine, type, "local")
        if self.chance(0.4):
            self.line("local ulong *mine = dynamic + lid * 8;")
            self.line("for (uint i = 0; i < 8; i++) mine[i] = i + gid;")
            self.pointers.append(Pointer("mine", ULONG, "local"))

    # ---- the kernel ----

    def declare_areas(self):
        areas = self.random.sample(self.scalars, min(3, len(self.scalars)))
        areas += [vector(self.pick([t for t in INTEGERS if t.bits == bits]), width) for bits, width in self.random.sample(
            [(8, 2), (8, 4), (8, 8), (16, 2), (16, 4), (32, 2)], 2)]
        for slot, element in enumerate(areas):  # 8 words each: at least 4 elements, so ROOM of 64-bit ones is exact
            name = self.new("q")
            self.line("global %s *%s = (global %s *)(data + gid * %d + %d);" % (element.name, name, element.name, SEGMENT, slot * 8))
            if element.is_float:  # no denormals and no NaNs: devices differ in these
                self.line("for (uint i = 0; i < %d; i++) %s[i] = (%s)(i + gid);" % (256 // element.bits, name, element.name))
            self.pointers.append(Pointer(name, element, "global"))
        fitting = [s for s in self.structs if size_bytes(s) <= (SEGMENT - 64) * 4]
        if fitting and self.chance(0.4):
            self.shared_struct, name = self.pick(fitting), self.new("q")
            self.line("global %s *%s = (global %s *)(data + gid * %d + 64);" % (
                self.shared_struct.name, name, self.shared_struct.name, SEGMENT))
            self.line("*%s = (%s)%s;" % (name, self.shared_struct.name, self.initializer(self.shared_struct)))
            self.point(name, self.shared_struct, "global")
            self.objects.append(Object("(*%s)" % name, self.shared_struct, "global"))

    def make_kernel(self):
        def write():
            self.line("const uint gid = get_global_id(0), lid = get_local_id(0);")
            self.objects.append(Object("gid", UINT, constant=True))
            self.objects.append(Object("lid", UINT, constant=True))
            self.line("constant uint *near = table + (gid & 7);")
            self.pointers.append(Pointer("near", UINT, "constant"))
            for field, type in self.random.sample(GIVEN, 2):
                self.objects.append(Object("given." + field, type))
            for name, element, space, count in self.tables_of_pointers:
                pointer = self.new("p")
                self.line("%s %s *%s = %s[%s];" % (space, element.name, pointer, name, self.index(count, 0)))
                self.pointers.append(Pointer(pointer, element, space))
            self.declare_areas()
            self.line("global uint *scoped = scope + gid * 8;")
            self.pointers.append(Pointer("scoped", UINT, "global"))
            self.declare_local()
            for _ in range(self.random.randrange(1, 4)):
                self.declare()
            self.declare_pointer()
            for part in range(self.parts):
                self.budget = self.part_budget
                self.statements(self.random.randrange(3, 7))
                if self.chance(0.4):
                    self.meet()
            self.hash_all()
        self.block("kernel __attribute__((reqd_work_group_size(%d, 1, 1))) void test(global uint *out, global uint *data, "
                   "constant uint *table, global uint *ARGUMENT, local ulong *dynamic, Given given)" % GROUP, write)

    def hash_all(self):
        self.line("uint h = gid;")
        hashed = [o for o in self.objects if o.hashed and o.space not in READ_ONLY]
        self.random.shuffle(hashed)
        for at, o in enumerate(hashed):
            if at == len(hashed) // 2:
                self.line("out[gid * 2] = h;")
            if not isinstance(o.type, Struct):
                self.hash(o.text, o.type)
        if self.shared_struct:  # its padding is nobody's
            self.line("for (uint i = 64; i < %d; i++) data[gid * %d + i] = 0;" % (SEGMENT, SEGMENT))
        self.line("out[gid * 2 + 1] = h;")

    def hash(self, text, type, level=0):
        if isinstance(type, Scalar):
            self.line("h = fold(h, %s);" % (text if type.bits >= 32 else "(uint)(%s)" % text))
        elif isinstance(type, Vector) and type.width > 3 and not type.is_float:
            words = "uint" if type.bits < 64 else "ulong"
            count = type.bits * type.width // {"uint": 32, "ulong": 64}[words]
            parts = "as_%s%s(%s)" % (words, count if count > 1 else "", text)
            while count > 4:
                half = self.new("x")
                self.line("%s%d %s = %s;" % (words, count, half, parts))
                count //= 2
                parts = "(%s.lo * %du ^ %s.hi)" % (half, 0x9E3779B1, half)
            last = self.new("x")
            self.line("%s%s %s = %s;" % (words, count if count > 1 else "", last, parts))
            for lane in range(count):
                self.line("h = fold(h, %s%s);" % (last, ".s%x" % lane if count > 1 else ""))
        elif isinstance(type, Vector):
            for lane in range(type.width):
                self.hash("(%s).s%x" % (text, lane), type.element)
        elif isinstance(type, Struct):
            for field, inner in type.fields:
                self.hash("%s.%s" % (text, field), inner, level)
        else:
            i = "ijk"[level]
            self.block("for (uint %s = 0; %s < %d; %s++)" % (i, i, type.length, i),
                       lambda: self.hash("%s[%s]" % (text, i), type.element, level + 1))
