#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""same_modules.py [--any-order] CLC2SPV OTHER...: two builds of clc2spv say and write the same, byte by byte, for every
kernel of tests/golden, tests/exec and tests/diag. OTHER is a command, such as `wine64 clc2spv.exe`.

With --any-order only the instructions have to be the same, and not their order: g++ evaluates the arguments of a call
from the last to the first, and clang from the first to the last, so that independent instructions may change places."""
import collections
import pathlib
import struct
import subprocess
import sys
import tempfile

tests = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(tests / "support"))
from kernel_files import options_of  # noqa: E402

# The files of one folder with the same options are one command: an emulator takes long to start.
groups = collections.defaultdict(list)
for suite in ("golden", "exec", "diag"):
    for file in sorted(p for p in (tests / suite).rglob("*") if p.suffix in (".cl", ".spvasm")):
        options = [f"-I{tests / suite}"] + options_of(file)
        if not any(option.startswith("--target=") for option in options):
            options.append("--target=vulkan1.2")
        groups[(suite, file.parent, tuple(options))].append(file)


any_order = "--any-order" in sys.argv
commands = [word for word in sys.argv[1:] if word != "--any-order"]


def content(path):
    """The file; with --any-order, how often a module has each opcode with its number of words."""
    data = path.read_bytes()
    if not any_order or path.suffix != ".spv":
        return data
    words = struct.unpack(f"<{len(data) // 4}I", data)
    counts, at = collections.Counter(), 5  # behind the header
    while at < len(words):
        counts[words[at]] += 1
        at += words[at] >> 16
    return b"%d bytes: %r" % (len(data), sorted(counts.items()))


def run(command, options, files):
    """What the compiler prints, and the files that it makes by name."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([*command, *options, *files, "-o", folder + "/"], capture_output=True, check=False)
        said = (done.stdout + done.stderr).replace(folder.encode(), b"OUT")
        return done.returncode, said, {p.name: content(p) for p in pathlib.Path(folder).iterdir()}


failed = modules = 0
for (_, folder, options), files in groups.items():
    one, other = (run(c, options, map(str, files)) for c in (commands[:1], commands[1:]))
    modules += len(one[2])
    if one == other:
        continue
    failed += 1
    print(f"FAILED: {folder.relative_to(tests)} {' '.join(options[1:])}: exit {one[0]} and {other[0]}")
    for name in sorted(one[2].keys() | other[2].keys()):
        if one[2].get(name) != other[2].get(name):
            print(f"  {name}: {len(one[2].get(name, b''))} and {len(other[2].get(name, b''))} bytes")
    if one[1] != other[1]:
        for here, there in zip(one[1].splitlines() + [b""], other[1].splitlines() + [b""]):
            if here != there:
                print(f"  {here!r}\n  {there!r}")
                break
print(f"{modules} modules of {sum(map(len, groups.values()))} files in {len(groups)} runs")
sys.exit(failed != 0 or modules < 250)
