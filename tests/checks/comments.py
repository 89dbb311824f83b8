#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the comments of the sources: comments.py [FILE...], by default every source file of the repository.

- No comment and no sentence in one begins with "Of".
- In the product's folders, lines with nothing but a comment have at most 120 characters.

docs/style.md says what a comment should be like; this checks what can be counted.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDERS = ("builtins", "cmake", "examples", "frontend", "spirv", "tests", "tools", "vulkan")
NARROW_FOLDERS = ("builtins", "cmake", "examples", "frontend", "spirv", "tools", "vulkan")
MARKS = {mark: sign for sign, marks in {
    r"//[/!]?<?": (".h", ".cpp", ".def", ".cl", ".inc", ".comp"), "#": (".py", ".sh", ".cmake")}.items() for mark in marks}
WIDTH = 120


def source_files():
    return sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in MARKS)


def faults(path):
    begins = re.compile(r"(?:^|\s)" + MARKS[path.suffix] + r"\s+(?:[^\"]*[.:;] )?Of ")
    whole_line = re.compile(r"\s*" + MARKS[path.suffix] + r"(?:\s|$)")
    is_narrow = path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in NARROW_FOLDERS
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if begins.search(line):
            yield f"{path}:{number}: a comment begins a sentence with 'Of': name the subject first"
        if is_narrow and len(line) > WIDTH and whole_line.match(line):
            yield f"{path}:{number}: a comment of {len(line)} characters, more than {WIDTH}"


def main():
    files = [pathlib.Path(name).resolve() for name in sys.argv[1:]] or source_files()
    found = [fault for path in files for fault in faults(path)]
    print("\n".join(found) or f"{len(files)} files, no fault")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
