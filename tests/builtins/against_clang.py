#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what clc2spv makes of built-in calls with what clang 15 and llvm-spirv 15 make of them.

against_clang.py CLC2SPV [--std=CL2.0] [--header] [-v] [PATTERN]

The calls are those of calls.py, or with --header one for each declaration of clang's own opencl-c.h. PATTERN, a regular
expression, chooses rows or names. -v shows both texts of the first call of each name that differs. EQUAL_MEANING says
which differences are intended. Needs clang-15, opt-15, llvm-spirv-15 and spirv-dis; no part of ctest.
"""
import collections
import os
import re
import subprocess
import sys
import tempfile

import calls

EQUAL_MEANING = [
    (r"^atom(ic)?_(add|sub|xchg|inc|dec|cmpxchg|min|max|and|or|xor)$",
     "atomics of OpenCL C 1.x act in the whole device; llvm-spirv says work-group"),
    (r"^get_(global|local|enqueued_local|num|group)_\w+$", "an index above 2 has a defined result"),
    (r"^get_fence$", "no OpBitcast of the pointer"),
    (r"^popcount$", "OpenCL.std popcount instead of OpBitCount"),
    (r"^select$", "OpSelect instead of OpenCL.std select"),
    (r"^upsample$", "llvm-spirv takes u_upsample for a signed high half too; the bits are the same"),
    (r"^dot_(acc_sat_)?4x8packed_", "the packed instructions; llvm-spirv 15 leaves calls"),
    (r"^intel_sub_group_(broadcast|reduce|scan)", "the instructions of cl_khr_subgroups; llvm-spirv 15 leaves calls"),
    (r"^[df]\w+ f\d+\(void\) { return (HUGE_VALF?|INFINITY|NAN);",
     "infinities and NaN are bits that OpBitcast makes a number"),
    (r"^(max|min)$",
     "fmax_common and fmin_common, which the environment specification names; llvm-spirv takes fmax, fmin"),
    (r"^(read|write)_imageu?i$",
     "llvm-spirv adds the image operands SignExtend and ZeroExtend, which SPIR-V has from 1.4 on"),
    (r"^convert_", "narrowing by OpUConvert or OpSConvert alike; no saturation where nothing can saturate"),
    (r"^work_group_broadcast$", "the vector of local ids is built otherwise"),
]
# These make llvm-spirv 15 fail: half atomics, compare-and-exchange of floating types, to_global and its siblings on several
# types, the code that opt makes of blocks, pipes and ndrange_t, and null handles.
UNTRANSLATABLE = re.compile(r"atomic_half\b.*fetch_(add|sub)|atomic_(float|double)\b.*compare_exchange|"
                            r"\bto_(global|local|private)\(|\^|ndrange_|CLK_NULL|pipe|printf")
CLANG = ["clang-15", "-cc1", "-triple", "spir64-unknown-unknown", "-finclude-default-header", "-no-opaque-pointers",
         "-w"]
QUALIFIERS = ("const|volatile|restrict|__restrict|unsigned|pipe|"
              + "|".join(f"{p}{w}" for p in ("", "__") for w in (
                  "global", "local", "constant", "private", "generic", "read_only", "write_only", "read_write")))
CONSTANTS = [("memory_order", "memory_order_acq_rel"), ("memory_scope", "memory_scope_work_group"),
             ("cl_mem_fence_flags", "CLK_LOCAL_MEM_FENCE")]


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)


# ---- Calls of everything that clang's header declares ----

def without_attributes(text):
    out, at = "", 0
    while (begin := text.find("__attribute__", at)) >= 0:
        out, depth, end = out + text[at:begin], 0, text.index("(", begin)
        while True:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
            if depth == 0:
                break
        at = end
    return out + text[at:]


def parameter(text, name, index, clusters):
    """A parameter of a declaration as calls.py writes it: its type, or "=x" where only a constant makes sense."""
    array = re.search(r"\[\d*\]$", text)
    words = re.findall(r"\w+|\*", text[:array.start()] if array else text)
    types = [w for w in words if w != "*" and not re.fullmatch(QUALIFIERS, w)]
    if words[-1] != "*" and re.fullmatch(r"\w+", words[-1]) and (len(types) > 1 or words[-2:-1] == ["*"]):
        words.pop()
    for constant_type, value in CONSTANTS:
        if constant_type in words:
            if constant_type == "memory_order" and "load" in name:
                value = "memory_order_acquire"
            elif constant_type == "memory_order" and "compare" not in name and "fence" not in name:
                value = "memory_order_release"
            elif constant_type == "memory_order" and index == 4:
                value = "memory_order_relaxed"
            return "=" + value
    if clusters and "clustered" in name:
        return "=4"
    return " ".join(w for w in words if w != "restrict") + (" *" if array else "")


def header_calls(standard, pattern):
    with tempfile.NamedTemporaryFile(suffix=".cl") as empty:
        text = run(*CLANG, f"-cl-std={standard}", "-E", "-P", empty.name).stdout
    index = 0
    for declaration in re.sub(r"^#.*$", "", text, flags=re.M).split(";"):
        match = re.match(r"^(.*?)\b(\w+) ?\((.*)\)$", " ".join(without_attributes(declaration).split()))
        if "overloadable" not in declaration or not match or not re.search(pattern, match.group(2)):
            continue
        result, name, params = match.groups()
        params = [] if params.strip() in ("", "void") else params.split(",")
        params = [parameter(p.strip(), name, i, i == len(params) - 1) for i, p in enumerate(params)]
        yield name, calls.function(index, f"{result} {name}({', '.join(params)})")
        index += 1


# ---- The text of a function without what does not matter: ids, variables, how vectors of three are stored ----

class Listing:
    def __init__(self, path):
        self.defs, self.names, self.notes, self.memo = {}, {}, collections.defaultdict(list), {}
        self.functions, body = {}, None
        for line in run("spirv-dis", "--raw-id", "--no-color", path).stdout.splitlines():
            match = re.match(r"^\s*(?:(%\w+) = )?(Op\w+)(.*)$", line)
            if not match:
                continue
            result, op, operands = match[1], match[2], re.findall(r'"(?:[^"\\]|\\.)*"|\S+', match[3])
            if op == "OpName":
                self.names.setdefault(operands[0], operands[1].strip('"'))
            elif op == "OpDecorate":
                self.decorate(operands)
            elif op == "OpFunction":
                body = self.functions[result] = []
            elif op == "OpFunctionEnd":
                body = None
            elif body is not None:
                body.append((result, op, operands))
            elif result:
                self.defs[result] = (op, operands)

    def decorate(self, operands):
        target, what = operands[0], operands[1]
        if what == "LinkageAttributes":
            self.names[target] = operands[2].strip('"')
        elif what == "BuiltIn":
            self.names[target] = "BuiltIn " + operands[2]
        elif what in ("SaturatedConversion", "FPRoundingMode", "FPFastMathMode"):
            self.notes[target].append(" ".join(operands[1:]))

    def value(self, word):
        """A global id spelled out: types and constants by their structure."""
        if not word.startswith("%"):
            return word
        if word not in self.memo:
            self.memo[word] = self.spell(word)
        return self.memo[word]

    def spell(self, word):
        op, operands = self.defs.get(word, ("", []))
        if not op or op == "OpVariable":
            return "@" + self.names.get(word, "?")
        parts = [self.value(o) for o in operands]
        if op == "OpTypePointer":
            return f"{parts[1]} {operands[0]} *"
        if op in ("OpTypeInt", "OpTypeFloat"):
            return op[6].lower() + operands[0]
        if op == "OpConstant":
            return f"{parts[0]}:{operands[1]}"
        if op == "OpConstantNull" or (op == "OpConstantComposite" and all(p.endswith(":0") for p in parts[1:])):
            is_number = parts[0][0] in "if" and parts[0][1:].isdigit()
            return parts[0] + ":0" if is_number else "zero " + parts[0]
        return op[2:] + "(" + ", ".join(parts) + ")"

    def bodies(self):
        """name -> lines"""
        out = {}
        for function, body in self.functions.items():
            if any(op == "OpLabel" for _, op, _ in body):
                name = re.sub(r"^_Z\d+(f\d+).*", r"\1", self.names.get(function, ""))
                out[name] = self.body(body)
        return out

    def body(self, body):
        local, stored, lines = {}, {}, []

        def text(word):
            return local.get(word) or self.value(word)

        for result, op, operands in body:
            if op == "OpFunctionParameter":
                local[result] = f"a{len(local)}"
            elif op == "OpVariable":
                stored[result] = "undefined"
            elif op == "OpStore" and operands[0] in stored:
                stored[operands[0]] = text(operands[1])
            elif op == "OpLoad" and operands[1] in stored:
                local[result] = stored[operands[1]]
            elif op == "OpVectorShuffle" and operands[3:] == ["0", "1", "2", "4294967295"]:
                local[result] = f"wide({text(operands[1])})"
            elif op == "OpVectorShuffle" and operands[3:] == ["0", "1", "2"] and text(operands[1]).startswith("wide("):
                local[result] = text(operands[1])[5:-1]
            elif op != "OpLabel":
                words = ["localvar" if o in stored else text(o) for o in operands]
                if op == "OpVectorShuffle" and (words[2] == words[1] or words[2].startswith("Undef")):
                    words[2] = "_"  # of the first vector alone
                if result:
                    local[result] = f"v{len(lines)}"
                lines.append(" ".join([op, *words, *sorted(self.notes[result])]))
        return lines


# ---- The comparison ----

def refused(log):
    lines = re.findall(r"calls\.cl:(\d+):\d+: (?:fatal )?error", log)
    return {int(line) - 1 - calls.PROLOGUE.count("\n") for line in lines}


def compile_both(compiler, standard, texts, folder):
    """Both listings of the functions that both accept, and which functions each refuses."""
    source, bitcode, theirs, ours = (os.path.join(folder, f) for f in ("calls.cl", "calls.bc", "clang.spv", "ours.spv"))
    clang = [*CLANG, f"-cl-std={standard}", "-ferror-limit", "0", "-O0", "-disable-O0-optnone", "-disable-llvm-passes",
             "-emit-llvm-bc", source, "-o", bitcode]
    own = [compiler, "-c", f"-cl-std={standard}", "--target=opencl2.2", "-w", "-ferror-limit=0", source, "-o", ours]

    def write(left_out):
        with open(source, "w", encoding="utf-8") as file:
            file.write(calls.PROLOGUE + "\n".join("" if i in left_out else t for i, t in enumerate(texts)) + "\n")

    write(set())
    by_clang, by_us = refused(run(*clang).stderr), set()
    write(by_clang)
    while new := refused(run(*own).stderr) - by_us:  # the emitter speaks only when the checker is content
        by_us |= new
        write(by_clang | by_us)
    write(by_clang | by_us | {i for i, t in enumerate(texts) if UNTRANSLATABLE.search(t)})
    for command in (clang, own, ["opt-15", "-opaque-pointers=0", "-passes=sroa", bitcode, "-o", bitcode],
                    ["llvm-spirv-15", "--spirv-ext=+all", bitcode, "-o", theirs],
                    ["llvm-spirv-15", "-r", "--spirv-target-env=CL2.0", "--spirv-ext=+all", ours, "-o", bitcode]):
        step = run(*command)
        if step.returncode != 0:
            sys.exit(f"{command[0]} exits with {step.returncode}:\n{step.stderr[:2000]}")
    return Listing(theirs).bodies(), Listing(ours).bodies(), by_clang, by_us


def main():
    words = sys.argv[1:]
    flags = [w for w in words if w.startswith("-")]
    compiler, *pattern = [w for w in words if not w.startswith("-")]
    standard = next((f[6:] for f in flags if f.startswith("--std=")), "CL2.0")
    pattern = (pattern or ["."])[0]
    made = list(header_calls(standard, pattern) if "--header" in flags else calls.calls(pattern))
    with tempfile.TemporaryDirectory() as folder:
        theirs, ours, by_clang, by_us = compile_both(compiler, standard, [text for _, text in made], folder)

    differing, meant, same, untried = collections.defaultdict(list), collections.Counter(), 0, 0
    for i, (_, text) in enumerate(made):
        key = f"f{i}"
        name = (re.search(r"(?:return|\{) (\w+)\(", text) or [None, text])[1]
        if i in by_us and i not in by_clang:
            differing[f"refused: {name}"].append(i)
        elif i in by_clang or key not in theirs:
            untried += 1
        elif theirs[key] == ours.get(key):
            same += 1
        elif why := next((why for names, why in EQUAL_MEANING if re.match(names, name)), None):
            meant[why] += 1
        else:
            differing[name].append(i)
    print(f"{standard}: {len(made)} calls: {same} alike, {sum(meant.values())} alike in meaning, "
          f"{sum(map(len, differing.values()))} differ, {untried} that clang or llvm-spirv cannot")
    for why, count in meant.most_common():
        print(f"  {count:5} {why}")
    for name, which in sorted(differing.items()):
        print(f"  DIFFER {len(which)} {name}: {made[which[0]][1]}")
        if "-v" in flags:
            print("    clang:", *theirs.get(f"f{which[0]}", []), sep="\n      ")
            print("    ours:", *ours.get(f"f{which[0]}", []), sep="\n      ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
