#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that no message beside a check asks a Result for an error: check_messages.py [FILE...], by default every test.

doctest's -s prints the messages of checks that pass as well. error() of a success throws, and the program's output with
-s then says that the test failed. why() of tests/support/why.h is for such messages.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDERS = ("builtins", "examples", "frontend", "library", "spirv", "tests", "tools", "vulkan", "web")
# A check's own condition, up to the comma, and then a message that asks what the condition tests.
ASKS = re.compile(r"\b\w+_MESSAGE\(\s*(?:static_cast<bool>\()?([\w.]+)\)?,[^;]*?\b\1\.error\(\)")


def faults(path):
    text = path.read_text(encoding="utf-8")
    for found in ASKS.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        yield f"{path}:{line}: the message asks '{found[1]}' for an error that a success does not have: use why()"


def main():
    files = [pathlib.Path(name) for name in sys.argv[1:]]
    files = files or sorted(path for folder in FOLDERS for end in ("*.cpp", "*.h") for path in (ROOT / folder).rglob(end))
    found = [fault for path in files for fault in faults(path)]
    print("\n".join(found) or f"{len(files)} files, no fault")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
