#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Decodes debug information and compares it with the source, or measures how much there is.

    debug_info.py check BUILD [FILE...]          tests/debug/*.cl: variables, types, scopes, lines, inlining, values;
                                                 and that -g does not change code
    debug_info.py measure BUILD [--options=...] FILE...    shares of instructions and variables, as a table
    debug_info.py validate BUILD VALIDATOR FILE...         each file with -g in both ABIs through a spirv-val

It reads only the text of `clc2spv --emit=asm`.
"""
import glob
import os
import pathlib
import re
import shlex
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, f"{HERE}/../support")
from kernel_files import options_of  # noqa: E402

SETS = ("OpenCL.DebugInfo.100", "NonSemantic.Shader.DebugInfo.100")
QUALIFIERS = {"ConstType": "const", "VolatileType": "volatile", "RestrictType": "restrict", "AtomicType": "atomic",
              "0": "const", "1": "volatile", "2": "restrict", "3": "atomic"}
# What has no place in the source: labels, declarations, and what stands before all code of a block.
PLACELESS = {"OpLabel", "OpFunction", "OpFunctionParameter", "OpFunctionEnd", "OpVariable", "OpPhi", "OpLine", "OpNoLine",
             "OpSelectionMerge", "OpLoopMerge"}
LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"|\S+')


class Module:
    """What a module says of its source."""

    def __init__(self, assembly):
        self.strings, self.constants, self.debug = {}, {}, {}
        self.code = []      # (opcode, function of the source or None, line or None, calls it is inlined at)
        self.placed = {}    # DebugLocalVariable -> how often it has a place or a value
        self.values = []    # (DebugLocalVariable, what computes its value, line or None)
        self.shape = []     # each instruction of functions that does something, without its ids
        self.definitions = {}
        self.function_set = None
        instructions = [self.split(text) for text in self.texts(assembly)]
        imports = {result for op, result, words in instructions
                   if op == "OpExtInstImport" and words[0].strip('"') in SETS}
        opcodes = {result: op for op, result, _ in instructions if result}
        scope = line = None
        in_code = False
        for op, result, words in instructions:
            in_code |= op == "OpFunction"
            if in_code and op not in ("OpLine", "OpNoLine") and not (op == "OpExtInst" and words[1] in imports):
                self.shape.append((op, words[2] if op == "OpExtInst" else len(words)))
            if op == "OpString":
                self.strings[result] = re.sub(r"\\(.)", r"\1", words[0][1:-1])
            elif op == "OpConstant":
                self.constants[result] = words[1]
            elif op == "OpLine":
                line = int(words[1])
            elif op in ("OpNoLine", "OpFunction"):
                line = None
            elif op == "OpLabel":
                scope = None
                line = None if imports else line
            elif op == "OpExtInst" and words[1] in imports:
                name, operands = words[2], words[3:]
                if name == "DebugScope":
                    scope = operands
                elif name == "DebugNoScope":
                    scope = None
                elif name == "DebugLine":
                    line = int(self.number(operands[1]))
                elif name == "DebugNoLine":
                    line = None
                elif name in ("DebugDeclare", "DebugValue"):
                    self.placed[operands[0]] = self.placed.get(operands[0], 0) + 1
                    if name == "DebugValue":
                        self.values.append((operands[0], opcodes.get(operands[1]), line))
                elif name == "DebugFunctionDefinition":
                    self.definitions[operands[0]] = operands[1]
                else:
                    self.debug[result] = (name, operands)
            elif op not in PLACELESS and op.startswith("Op") and self.in_function(op):
                self.code.append((op, scope, line))

    @staticmethod
    def texts(assembly):
        """An instruction each. Strings may have line feeds."""
        text = ""
        for line in assembly.splitlines(keepends=True):
            text += line
            if re.sub(r"\\.", "", text).count('"') % 2 == 0:
                if text.strip() and not text.lstrip().startswith(";"):
                    yield text
                text = ""

    @staticmethod
    def split(line):
        words = LITERAL.findall(line)
        if len(words) > 2 and words[1] == "=":
            return words[2], words[0], words[3:]
        return words[0], None, words[1:]

    @staticmethod
    def in_function(op):
        return op not in MODULE_LEVEL and not op.startswith(("OpType", "OpConstant", "OpSpecConstant"))

    def number(self, word):
        return self.constants.get(word, word)

    def type_text(self, id):
        if id not in self.debug:
            return "void"
        name, o = self.debug[id]
        if name in ("DebugTypeBasic", "DebugTypeComposite", "DebugTypeEnum"):
            return self.strings[o[0]]
        if name == "DebugTypedef":
            return self.strings[o[0]] + "=" + self.type_text(o[1])
        if name == "DebugTypePointer":
            return self.type_text(o[0]) + "*"
        if name == "DebugTypeQualifier":
            return QUALIFIERS[self.number(o[1])] + "-" + self.type_text(o[0])
        if name == "DebugTypeVector":
            return self.type_text(o[0]) + self.number(o[1])
        if name == "DebugTypeArray":
            return self.type_text(o[0]) + "".join(f"[{self.number(count)}]" for count in o[1:])
        return "void" if name == "DebugInfoNone" else name

    def scope_of(self, id):
        """The function, and the blocks between it and the scope."""
        depth = 0
        while self.debug[id][0] == "DebugLexicalBlock":
            depth += 1
            id = self.debug[id][1][3]
        name, operands = self.debug[id]
        return (self.strings[operands[0]] if name == "DebugFunction" else None), depth

    def variables(self):
        """(name, line) -> (type, function and depth, whether it has a place)"""
        found = {}
        for id, (name, o) in self.debug.items():
            if name == "DebugLocalVariable":
                function, depth = self.scope_of(o[5])
                found[self.strings[o[0]], int(self.number(o[3]))] = (self.type_text(o[1]), f"{function} {depth}",
                                                                      id in self.placed)
            elif name == "DebugGlobalVariable":
                function, depth = self.scope_of(o[5])
                where = "global" if function is None else f"{function} {depth}"
                variable = self.debug.get(o[7], ("", []))[0]
                found[self.strings[o[0]], int(self.number(o[3]))] = (self.type_text(o[1]), where,
                                                                      variable != "DebugInfoNone")
        return found

    def lines(self):
        return {line for _, scope, line in self.code if line}

    def valued(self):
        """(variable, line) -> what computes the values that it gets there"""
        found = {}
        for variable, opcode, line in self.values:
            found.setdefault((self.strings[self.debug[variable][1][0]], line), set()).add(opcode)
        return found

    def inlined(self):
        """(function, line of the call)"""
        found = set()
        for _, scope, _ in self.code:
            if scope is None or len(scope) < 2:
                continue
            function, at = self.scope_of(scope[0])[0], scope[1]
            while at:
                name, o = self.debug[at]
                assert name == "DebugInlinedAt", name
                found.add((function, int(self.number(o[0]))))
                function, at = self.scope_of(o[1])[0], o[2] if len(o) > 2 else None
        return found


MODULE_LEVEL = {"OpCapability", "OpExtension", "OpExtInstImport", "OpMemoryModel", "OpEntryPoint", "OpExecutionMode",
                "OpExecutionModeId", "OpSource", "OpSourceExtension", "OpName", "OpMemberName", "OpDecorate",
                "OpMemberDecorate", "OpModuleProcessed", "OpDecorateId", "OpUndef"}


def compile(build, file, *options):
    run = subprocess.run([f"{build}/clc2spv", file, "--emit=asm", "-o", "-", "-w", *options], capture_output=True,
                         encoding="utf-8", errors="replace")
    return (Module(run.stdout), "") if run.returncode == 0 else (None, run.stderr)


FORMS = {"OpenCL": ["--target=opencl2.0"], "Vulkan": [], "Vulkan, descriptors": ["--abi=descriptors"],
         "Vulkan 1.3, -O0": ["--target=vulkan1.3", "-O0"]}


def expectations(text):
    variables, code, copies, inlined, values = {}, set(), set(), set(), []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("//") or "//" not in line:
            continue
        for part in line.split("//", 1)[1].split(";"):
            words = part.split()
            if words[:1] == ["var"]:
                scope = 1 if words[-1] == "global" else 2
                variables[words[1], number] = (" ".join(words[2:-scope]), " ".join(words[-scope:]))
            elif words[:1] == ["code"]:
                code.add(number)
            elif words[:1] == ["copy"]:
                copies.add(number)
            elif words[:1] == ["inlined"]:
                inlined.add((words[1], number))
            elif words[:1] == ["lost"]:
                values.append((words[1], number, "OpUndef"))
            elif words[:1] == ["value"]:
                values.append((words[1], number, words[2]))
    return variables, code, copies, inlined, values


def annotated(build, file, text, code, variables):
    """What is wrong with `clc2spv --annotate`: lines of the source above their code, and values of variables."""
    run = subprocess.run([f"{build}/clc2spv", "--annotate", "-cl-std=CL2.0", file], capture_output=True, encoding="utf-8")
    if run.returncode:
        return [run.stderr]
    faults, rows, shown, printed = [], text.splitlines(), set(), run.stdout.splitlines()
    heading = re.compile(rf"; {re.escape(file)}:(\d+)( in .*)?$")
    for head, below in zip(printed, printed[1:]):
        if match := heading.match(head):
            line = int(match[1])
            shown.add(line)
            if below != ";     " + rows[line - 1].strip():
                faults.append(f"--annotate prints '{below}' below {head}")
    faults += [f"--annotate does not print line {line}" for line in sorted(code - shown)]
    valued = set(re.findall(r"^ +; (\w+) = ", run.stdout, re.MULTILINE))
    for name in {"in", "out", "count", "id", "sum", "i"} & {name for name, _ in variables}:
        if name not in valued:
            faults.append(f"--annotate tells no value of {name}")
    if not any(row.lstrip().startswith("OpStore") for row in printed):
        faults.append("--annotate prints no instructions")
    return faults


# Files of tests/exec: their calls are inlined or not by size, loops are unrolled, and arms only store.
SAME_CODE = ["address_constants", "arithmetic", "alignment"]


def same_code(build):
    """What -g changes in the code, which is nothing."""
    faults = []
    files = sorted(glob.glob(f"{HERE}/../debug/*.cl")) + [f"{HERE}/../exec/{name}.cl" for name in SAME_CODE]
    for file in files:
        for form, options in FORMS.items():
            own = ["-cl-std=CL2.0", *options_of(pathlib.Path(file))]
            plain, error = compile(build, file, *own, *options)
            described, _ = compile(build, file, "-g", *own, *options)
            if not plain or not described:
                faults.append(f"{os.path.basename(file)} for {form}: {error}")
            elif plain.shape != described.shape:
                at = next((i for i, (a, b) in enumerate(zip(plain.shape, described.shape)) if a != b), "the end")
                faults.append(f"{os.path.basename(file)} for {form}: -g changes the code at instruction {at}: "
                              f"{plain.shape[at:at + 3] if at != 'the end' else ''}")
    return faults


def check(build, files):
    faults = []
    for file in files or sorted(glob.glob(f"{HERE}/../debug/*.cl")):
        text = open(file, encoding="utf-8").read()
        variables, in_all, copies, inlined, values = expectations(text)
        faults += annotated(build, file, text, in_all, variables)
        # Those that SPIRV-Tools' linker or optimiser wrote are read again.
        for options in (["--create-library"], ["-g1", "--create-library"], ["-O2", "--abi=descriptors"]):
            if not compile(build, file, "-g", "-cl-std=CL2.0", *options)[0]:
                faults.append(f"{os.path.basename(file)} with {options}: {compile(build, file, '-g', *options)[1]}")
        for form, options in FORMS.items():
            code = in_all | copies if form == "OpenCL" else in_all

            def fault(what):
                faults.append(f"{os.path.basename(file)} for {form}: {what}")
            module, error = compile(build, file, "-g", "-cl-std=CL2.0", *options)
            if not module:
                fault(error)
                continue
            found = module.variables()
            for key, (type, scope) in variables.items():
                if key not in found:
                    fault(f"no variable {key}")
                elif found[key][:2] != (type, scope):
                    fault(f"variable {key} is {found[key][:2]}, not {(type, scope)}")
            for key in found.keys() - variables.keys():
                fault(f"variable {key} {found[key]} is not in the source")
            for line in sorted(code - module.lines()):
                fault(f"no instruction of line {line}: {text.splitlines()[line - 1].strip()}")
            rows = text.splitlines()
            for line in module.lines():
                if line > len(rows) or not rows[line - 1].split("//")[0].strip():
                    fault(f"an instruction of line {line}, where no code is")
            if form != "OpenCL":
                for call in inlined - module.inlined():
                    fault(f"{call} is not inlined there, but {module.inlined()}")
                valued = module.valued()
                for name, line, opcode in values:
                    if opcode not in valued.get((name, line), ()):
                        fault(f"{name} gets {valued.get((name, line))} on line {line}, not {opcode}")
            if text not in module.strings.values():
                fault("the text is not in the module")
            lines_only, _ = compile(build, file, "-gline-tables-only", "-cl-std=CL2.0", *options)
            if lines_only.variables() or not code <= lines_only.lines():
                fault("-gline-tables-only has variables, or not all lines")
            for mode, has_text, has_path in (("path", False, True), ("none", False, False)):
                hidden, _ = compile(build, file, "-g", f"--debug-source={mode}", "-cl-std=CL2.0", *options)
                if (text in hidden.strings.values()) != has_text or (file in hidden.strings.values()) != has_path:
                    fault(f"--debug-source={mode} is not obeyed")
    if not files:
        faults += same_code(build)
        bfloat16 = f"{HERE}/../exec/bfloat16.cl"
        if not (compiled := compile(build, bfloat16, "-g", "--create-library", *options_of(pathlib.Path(bfloat16))))[0]:
            faults.append(f"a library with bfloat16: {compiled[1]}")
    print("\n".join(faults) or "debug information is as in the source")
    return 1 if faults else 0


def measure(build, arguments):
    extra = [option for a in arguments if a.startswith("--options=") for option in shlex.split(a[10:])]
    files = [a for a in arguments if not a.startswith("--options=")]
    print(f"{'form':22} {'modules':>8} {'instructions':>13} {'with line':>10} {'with scope':>11} {'variables':>10}"
          f" {'with place':>11}")
    for form, options in FORMS.items():
        modules = code = lines = scopes = variables = placed = 0
        for file in files:
            module, _ = compile(build, file, "-g", *extra, *options_of(pathlib.Path(file)), *options)
            if not module:
                continue
            modules += 1
            code += len(module.code)
            lines += sum(1 for _, _, line in module.code if line)
            scopes += sum(1 for _, scope, _ in module.code if scope)
            found = module.variables()
            variables += len(found)
            placed += sum(1 for _, _, place in found.values() if place)
        print(f"{form:22} {modules:8} {code:13} {lines / max(code, 1):10.1%} {scopes / max(code, 1):11.1%}"
              f" {variables:10} {placed / max(variables, 1):11.1%}")
    return 0


def validate(build, validator, files):
    bad = count = 0
    for file in files:
        for form, options in FORMS.items():
            out = f"{os.environ.get('TMPDIR', '/tmp')}/debug_info.spv"
            target = "opencl2.0" if form == "OpenCL" else "vulkan1.3" if "1.3" in form else "vulkan1.2"
            layout = [] if form == "OpenCL" else ["--scalar-block-layout"]

            def judge(debug):
                """None if there is no module, else what the validator says."""
                run = subprocess.run([f"{build}/clc2spv", file, "-w", "-o", out, *options_of(pathlib.Path(file)),
                                      *options, debug], capture_output=True, text=True)
                if run.returncode:
                    return None
                run = subprocess.run([validator, "--target-env", target, *layout, out], capture_output=True, text=True)
                return f"{run.stdout}{run.stderr}".strip() if run.returncode else ""

            fault = judge("-g")
            count += fault is not None
            if fault and judge("-g0") == "":
                bad += 1
                print(f"{file} for {form}: {fault}")
    print(f"{count} modules, {bad} not valid")
    return 1 if bad or not count else 0


def main(arguments):
    if len(arguments) < 2:
        sys.exit(__doc__)
    mode, build, rest = arguments[0], arguments[1], arguments[2:]
    if mode == "check":
        return check(build, rest)
    if mode == "measure":
        return measure(build, rest)
    return validate(build, rest[0], rest[1:])


sys.exit(main(sys.argv[1:]))
