#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds the pass of the translator after which a kernel's result changes.

  tests/checks/find_pass.py [--build=build-ci] [--keep=PASS] COMMAND ...

COMMAND runs a kernel and shows its result: clrun with --print, or the runner's exec suite with one file. The result is
its standard output and its exit status. The command is run again and again with --disable-pass=PASS at its end, for passes that
`clc2spv --list-passes` calls optimization or precaution. Others are required: no module is right without them, so they
cannot be blamed in this way.

  1. All optimizations are left out. If that changes the result, a binary search finds the first pass that changes it: the
     result differs with all passes up to this one, but not with all passes before it.
  2. If it does not, the same is tried with the precautions left out too. These are the passes that avoid faults of drivers'
     compilers.
  3. If that changes nothing either, each pass is left out alone.

If nothing changes the result, the fault is in a required pass, the front end, the library of built-in functions or the
driver. --keep=PASS, which can be given several times, never leaves that pass out. Use it to look for a second faulty pass, or
when leaving the pass out changes the result for a known reason.

The exit status is 0 when a pass was found, 1 when none was, and 2 when the command cannot be judged.
"""
import argparse
import difflib
import os
import subprocess
import sys


class Unjudged(Exception):
    pass


class Bisector:
    def __init__(self, command, passes):
        self.command, self.passes = command, passes

    def result(self, left_out):
        """What the command says without those passes."""
        done = subprocess.run(self.command + ["--disable-pass=" + name for name in left_out],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, errors="replace")
        return done.stdout + f"exit status {done.returncode}\n"

    def find_first(self, candidates):
        """The pass after which the result changes, with the results before and after; None where none does."""
        before, after = self.result(candidates), self.result([])
        if before == after:
            return None
        absent, present = 0, len(candidates)  # with so many of them the result is `before`, and is not
        while present - absent > 1:
            middle = (absent + present) // 2
            result = self.result(candidates[middle:])
            if result == before:
                absent = middle
            else:
                present, after = middle, result
        return candidates[present - 1], before, after

    def find_alone(self, candidates):
        """The first pass that changes the result when it alone is left out."""
        after = self.result([])
        for name in candidates:
            before = self.result([name])
            if before != after:
                return name, before, after
        return None

    def find(self):
        if self.result([]) != self.result([]):
            raise Unjudged("the result differs from run to run")
        optimizations = [name for name, need in self.passes if need == "optimization"]
        optional = [name for name, _ in self.passes]
        return self.find_first(optimizations) or self.find_first(optional) or self.find_alone(optional)


def optional_passes(clc):
    """The names and needs of the passes that can be left out."""
    try:
        listed = subprocess.run([clc, "--list-passes"], stdout=subprocess.PIPE, check=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) else f"it ends with status {fault.returncode}"
        raise Unjudged(f"cannot run '{clc}': {reason}; --build names the build folder, from where this script runs") from None
    rows = [line.split() for line in listed.splitlines()]
    return [(row[1], row[2]) for row in rows if row[2] in ("optimization", "precaution")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build-ci", help="the build folder, for clc2spv (build-ci)")
    parser.add_argument("--keep", action="append", default=[], metavar="PASS", help="never leave this pass out")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    command = options.command[1:] if options.command[:1] == ["--"] else options.command
    if not command:
        parser.error("a command is missing")
    try:
        passes = optional_passes(os.path.join(options.build, "clc2spv"))
    except Unjudged as fault:
        print(f"find_pass.py: error: {fault}", file=sys.stderr)
        return 2
    for name in options.keep:
        if name not in [other for other, _ in passes]:
            parser.error(f"'{name}' is no optional pass")
    bisector = Bisector(command, [row for row in passes if row[0] not in options.keep])
    try:
        found = bisector.find()
    except (OSError, Unjudged) as fault:
        print(f"find_pass.py: error: {fault}", file=sys.stderr)
        return 2
    if not found:
        print("No optional pass changes the result: a required pass, the front end, the built-in functions or the driver "
              "makes it.")
        return 1
    name, before, after = found
    print(f"The result changes after {name} ({dict(passes)[name]}):")
    sys.stdout.writelines(difflib.unified_diff(before.splitlines(True), after.splitlines(True),
                                               f"before {name}", f"after {name}"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
