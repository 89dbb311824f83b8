#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""reduce.py FILE.cl [--build=FOLDER] [--options=VULKAN_BUILD_OPTIONS]: removes lines and whole {} blocks of a kernel on which
Vulkan and OpenCL differ, as long as they do, and writes FILE.reduced.cl. Look at what is left: a removed line may
have made its behaviour undefined (an endless loop counts as the same).
"""
import argparse
import pathlib
import sys

import compare


def block_end(lines, first):
    """One past the last line of the statement that begins at `first`: the line, or all of its {} block."""
    depth = 0
    for at in range(first, len(lines)):
        depth += lines[at].count("{") - lines[at].count("}")
        if depth <= 0:
            return at + 1
    return len(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--build", default="build")
    parser.add_argument("--options", default="-w -cl-std=CL1.2")
    arguments = parser.parse_args()
    programs = [str(pathlib.Path(arguments.build, "tests/differential", name).resolve())
                for name in ("execute_vulkan", "execute_opencl")]
    target = arguments.file.with_suffix(".reduced.cl")
    trial = arguments.file.with_suffix(".trial.cl")

    def differs(lines):
        trial.write_text("\n".join(lines) + "\n")
        ours = compare.execute(programs[0], [trial], arguments.options, 10)[trial]
        if not ours.startswith("digest"):
            return False
        judge = compare.execute(programs[1], [trial], "-cl-std=CL1.2", 10)[trial]
        return judge.startswith("digest") and judge != ours

    lines = arguments.file.read_text().splitlines()
    if not differs(lines):
        sys.exit("%s: no difference" % arguments.file)
    changed = True
    while changed:
        changed = False
        at = len(lines) - 1
        while at >= 0:
            end = block_end(lines, at)
            for shorter in (lines[:at] + lines[end:], lines[:at] + lines[at + 1:end - 1] + lines[end:]):
                if len(shorter) < len(lines) and differs(shorter):
                    lines, changed = shorter, True
                    target.write_text("\n".join(lines) + "\n")
                    break
            at -= 1
    trial.unlink()


if __name__ == "__main__":
    main()
