#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks include/caldera. Each declaration that a program can use has a comment that Doxygen reads, and each file says
what it is (@file). The headers include nothing but the standard library and each other, and caldera.h includes all of
them. Where Doxygen is installed, it warns of nothing (docs/Doxyfile).

The headers are written one declaration a statement, so lines are enough to find them."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "include" / "caldera"
UNDOCUMENTED = re.compile(r"(friend|static_assert|extern|using enum|typedef|_Static_assert)\b|(struct|class) \w+;|namespace\b")


class Scope:
    def __init__(self, kind, is_public):
        self.kind, self.is_public = kind, is_public


def opened(statement):
    """The scope that a statement opens, None where it is whole."""
    if not statement.endswith("{"):
        return None
    head = re.match(r"(?:template <.*?> )?(namespace|class|struct|enum)\b", statement)
    return Scope(head[1], head[1] != "class") if head else Scope("body", False)


def is_whole(statement, scope):
    code = re.sub(r'"[^"]*"', "", re.sub(r"//.*", "", statement)).strip()
    if code.count("(") != code.count(")"):
        return False
    if scope.kind == "enum":
        return code.endswith((",", "}"))
    return code.endswith((";", "{", "}"))


def faults(path):
    found, scopes = [], [Scope("namespace", True)]
    lines = path.read_text(encoding="utf-8").splitlines()
    at, previous = 0, ""
    while at < len(lines):
        line = lines[at].strip()
        if line == "" or line.startswith(("//", "#")):
            while line.startswith("#") and lines[at].endswith("\\"):
                at += 1
            previous, at = line, at + 1
            continue
        if re.fullmatch(r"(public|protected|private):", line):
            scopes[-1].is_public = line == "public:"
            previous, at = line, at + 1
            continue
        if line.startswith("}"):
            scopes.pop()
            previous, at = line, at + 1
            continue
        first, statement, inline = at, line, "///<" in line
        while not is_whole(statement, scopes[-1]):
            at += 1
            inline |= "///<" in lines[at]
            statement = re.sub(r"\s*//.*", "", statement) + " " + lines[at].strip()
        statement = re.sub(r"\s*//.*", "", statement)
        visible = all(scope.is_public for scope in scopes)
        if visible and not UNDOCUMENTED.match(statement) and not inline and not previous.startswith("///"):
            found.append(f"{path.name}:{first + 1}: no comment: {statement}")
        scope = opened(statement)
        if scope:
            scopes.append(scope)
        previous, at = "", at + 1
    for number, line in enumerate(lines, 1):
        if line.startswith("#include") and not re.match(r'#include ("caldera/\w+\.(?:h|def)"|<[a-z_0-9]+>|<stdint\.h>)$', line):
            found.append(f"{path.name}:{number}: {line}")
    if "/// @file" not in lines:
        found.append(f"{path.name}: no @file")
    return found


def doxygen_warnings():
    doxygen = shutil.which("doxygen")
    if doxygen is None:
        print("doxygen is not installed")
        return []
    with tempfile.TemporaryDirectory() as folder:
        settings = (ROOT / "docs" / "Doxyfile").read_text(encoding="utf-8") + f"OUTPUT_DIRECTORY = {folder}\n"
        run = subprocess.run([doxygen, "-"], input=settings, cwd=ROOT, capture_output=True, text=True, check=False)
    lines = [line for line in run.stderr.splitlines() if line]
    return lines if lines or run.returncode == 0 else [f"doxygen ended with {run.returncode}"]


def main():
    headers = sorted(FOLDER.glob("*.h"))
    all_faults = [fault for path in headers for fault in faults(path)]
    all_faults += doxygen_warnings()
    everything = (FOLDER / "caldera.h").read_text(encoding="utf-8")
    included = {"caldera.h", "api.h", "device_abi.h"}  # the latter two by others
    all_faults += [f"caldera.h: not {path.name}" for path in headers
                   if path.name not in included and f'#include "caldera/{path.name}"' not in everything]
    for fault in all_faults:
        print(fault)
    print(f"{len(headers)} headers, {len(all_faults)} faults")
    return 1 if all_faults or not headers else 0


if __name__ == "__main__":
    sys.exit(main())
