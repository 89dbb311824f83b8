#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that no script stands beside a module with the name of one of Python's own.

Python looks for modules in the script's folder first: beside a bisect.py, `import tempfile` fails, because that imports
bisect. It fails only where nothing has imported Python's bisect at the start.
"""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDERS = ("builtins", "cmake", "docs", "examples", "tests", "vulkan")


def is_script(path):
    return path.read_text(encoding="utf-8").startswith("#!")


def faults(root):
    for folder in sorted({path.parent for name in FOLDERS for path in (root / name).rglob("*.py") if is_script(path)}):
        for path in sorted(folder.glob("*.py")):
            if path.stem in sys.stdlib_module_names:
                yield f"{path.relative_to(root)}: Python has a module of this name, and scripts in this folder get ours"


def main():
    found = list(faults(ROOT))
    print("\n".join(found) or "no fault")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
