#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""OpenCL C that calls every overload of builtins.tsv, a function and a line each.

calls.py --print [PATTERN]     the text; PATTERN chooses rows by regular expression
calls.py CLC2SPV [PATTERN]     compiles the text with -c --validate, as OpenCL C 2.0 and 3.0, and names what fails
"""
import itertools
import os
import re
import subprocess
import sys
import tempfile

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "builtins.tsv")
PROLOGUE = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
UNSIGNED = {"half": "ushort", "float": "uint", "double": "ulong"}


def derive(value, how):
    """The type that {T.how} stands for."""
    element = value.rstrip("0123456789")
    count = value[len(element):]
    if how == "scalar":
        return element
    bits = UNSIGNED.get(element) or (element if element.startswith("u") else "u" + element)
    return (bits if how == "unsigned" else bits[1:]) + count


def expand(text, binding):
    def value(match):
        name, _, how = match.group(1).partition(".")
        if how:
            return derive(binding[name], how)
        return "" if name in "nm" and binding[name] == "1" else binding[name]
    return re.sub(r"\{(\w+(?:\.\w+)?)\}", value, text)


def split(params):
    """At the commas outside of brackets and strings."""
    return [p.strip() for p in re.findall(r'(?:"[^"]*"|\([^()]*\)|\{[^{}]*\}|[^,"(){}])+', params)]


def function(index, declaration):
    """The text of the function that makes the call."""
    if " =" in declaration and "(" not in declaration:
        result, value = declaration.split(" =")
        return f"{result} f{index}(void) {{ return {value}; }}"
    result, name, params = re.match(r"^(.*?)(\w+)\((.*)\)$", declaration).groups()
    args, own = [], []
    for i, param in enumerate(split(params)):
        own += [] if param.startswith("=") else [f"{param} a{i}"]
        args.append(param[1:] if param.startswith("=") else f"a{i}")
    returns = "" if result.strip() == "void" else "return "
    return f"{result.strip()} f{index}({', '.join(own) or 'void'}) {{ {returns}{name}({', '.join(args)}); }}"


def calls(pattern="."):
    """(row, function) for each overload of each row."""
    typesets, index = {}, 0
    with open(TABLE, encoding="utf-8") as table:
        rows = [line.rstrip("\n").split("\t") for line in table if not line.startswith("#")]
    for section, declaration, variables in rows:
        if section == "typeset":
            typesets[declaration] = variables.split(",")
            continue
        if not re.search(pattern, section + " " + declaration + " " + variables):
            continue
        names, values = [], []
        for variable in [] if variables == "-" else variables.split("; "):
            name, text = variable.split("=")
            names.append(name)
            values.append([v for part in text.split("|") for v in typesets.get(part, part.split(","))])
        for choice in itertools.product(*values):
            yield f"{section} {declaration}", function(index, expand(declaration, dict(zip(names, choice))))
            index += 1


def check(compiler, standard, pattern):
    """Compiles all calls; returns how many there are, and the faults as (row, function, message)."""
    made = list(calls(pattern))
    with tempfile.TemporaryDirectory() as folder:
        source, output = os.path.join(folder, "calls.cl"), os.path.join(folder, "calls.spv")
        with open(source, "w", encoding="utf-8") as file:
            file.write(PROLOGUE + "\n".join(text for _, text in made) + "\n")
        run = subprocess.run([compiler, "-c", "--validate", f"-cl-std={standard}", "--target=opencl2.2", "-w",
                              "-ferror-limit=0", source, "-o", output], capture_output=True, text=True, check=False)
    faults = {}
    for line, message in re.findall(r"calls\.cl:(\d+):\d+: (?:fatal )?error: (.*)", run.stderr):
        faults.setdefault(int(line) - 1 - PROLOGUE.count("\n"), message)
    if run.returncode != 0 and not faults:
        return len(made), [("", "", run.stderr.strip())]
    return len(made), [(*made[i], message) for i, message in sorted(faults.items())]


def main():
    if len(sys.argv) > 1 and sys.argv[1] == "--print":
        print(PROLOGUE + "\n".join(text for _, text in calls(*sys.argv[2:3])))
        return 0
    failed = False
    for standard in ("CL2.0", "CL3.0"):
        count, faults = check(sys.argv[1], standard, *(sys.argv[2:3] or ["."]))
        print(f"{standard}: {count} calls, {len(faults)} refused")
        for row, text, message in faults:
            print(f"  {row}\n    {text}\n    {message}")
        failed |= bool(faults)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
