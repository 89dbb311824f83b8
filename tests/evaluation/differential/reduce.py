#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""reduce.py FILE.cl [--build=FOLDER] [--options=BUILD_OPTIONS] [--vulkan=EXECUTE_VULKAN_OPTIONS] [--against=EXECUTE_VULKAN_OPTIONS]
[--clang=FORM,LEVEL] [--judge=opencl] [--crash]: makes a kernel smaller.

Vulkan and the judge (execute_host, which is told to trap undefined behaviour) give different results for the kernel, and must
do so at each step. The script removes lines and whole {} blocks, then replaces each parenthesised expression by 1 or by a part
of it, and writes FILE.reduced.cl. Check that the result is well defined: some undefined behaviour is not trapped.

With --clang=1.2,-O2 and similar (see compare.py), the kernel goes through clang and llvm-spirv on the side under suspicion.
With --against (which may be empty: the default translation), two translations for the Vulkan device are compared. The judge
is asked only about the kernels on which they differ, and has to agree with the second.
With --judge=opencl the system's OpenCL is the judge, for a machine without clang. It traps nothing, so use --against too.
With --crash, Vulkan crashes instead of giving a different result.
"""
import argparse
import itertools
import pathlib
import re
import sys

import compare

# These lines stay: without them, variables would be read uninitialised, or work-items would race because they have no ids.
STAYS = re.compile(r" *for \(uint i = 0; .*\[i\] = | *\*r\d+ = \(|.*get_local_id\(")
UNDEFINED = "alignment,array-bounds,bool,float-cast-overflow,integer-divide-by-zero,null,pointer-overflow,signed-integer-overflow"
TRAPS = "-O0 -Werror=return-type -fsanitize=%s -fsanitize-trap=%s" % (UNDEFINED, UNDEFINED)
FILLED = TRAPS + " -ftrivial-auto-var-init=pattern"  # a kernel that reads what it never wrote has another digest now
BATCH = 12  # candidates a process: opening a device costs more than a small kernel


def block_end(lines, first):
    """One past the last line of the statement that begins at `first`: the line, or all of its {} block."""
    depth = 0
    for at in range(first, len(lines)):
        depth += lines[at].count("{") - lines[at].count("}")
        if depth <= 0:
            return at + 1
    return len(lines)


def without_parts(lines):
    """Each list of lines without a half, a quarter and so on that has whole {} blocks only."""
    size = len(lines) // 2
    while size >= 4:
        for first in range(0, len(lines), size // 2):
            depths = list(itertools.accumulate(line.count("{") - line.count("}") for line in lines[first:first + size]))
            if depths and min(depths) == depths[-1] == 0:
                yield lines[:first] + lines[first + size:]
        size //= 2


def without_lines(lines):
    """Each smaller list of lines, the ends of the kernel first."""
    for at in range(len(lines) - 1, -1, -1):
        if STAYS.match(lines[at]):
            continue
        end = block_end(lines, at)
        if end > at + 1:
            yield lines[:at] + lines[end:]
            yield lines[:at] + lines[at + 1:end - 1] + lines[end:]
        yield lines[:at] + lines[at + 1:]


def groups(text):
    """The (first, end) of each parenthesised part, the outer ones first."""
    open_at, found = [], []
    for at, character in enumerate(text):
        if character == "(":
            open_at.append(at)
        elif character == ")" and open_at:
            found.append((open_at.pop(), at + 1))
    return sorted(found, key=lambda part: part[0] - part[1])


def shorter_expressions(lines):
    """Each list of lines with one parenthesised expression, with the name it is called by, replaced by less."""
    for at in range(len(lines) - 1, -1, -1):
        text = lines[at]
        if STAYS.match(text):
            continue
        found = groups(text)
        for first, end in found:
            name = first
            while name > 0 and (text[name - 1].isalnum() or text[name - 1] in "_."):
                name -= 1
            inner = [text[a:b] for a, b in found if first < a and b < end][:4]
            for less in ["1", *inner, ""]:
                if len(less) < end - name:
                    yield lines[:at] + [text[:name] + less + text[end:]] + lines[at + 1:]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--build", default="build")
    parser.add_argument("--options", default="-w -cl-std=CL1.2")
    parser.add_argument("--clang", type=lambda text: text.split(","), help="FORM,LEVEL")
    parser.add_argument("--judge", choices=["host", "opencl"], default="host")
    parser.add_argument("--crash", action="store_true")
    parser.add_argument("--vulkan", default="", help="options of execute_vulkan for the side that is wrong")
    parser.add_argument("--against", help="options of execute_vulkan for the side that is right")
    arguments = parser.parse_args()
    tests = pathlib.Path(arguments.build, "tests/evaluation/differential").resolve()
    vulkan = str(tests / "execute_vulkan")
    doubted = [vulkan, *arguments.vulkan.split()]
    against = None if arguments.against is None else [vulkan, *arguments.against.split()]
    target = arguments.file.with_suffix(".reduced.cl")

    def first_that_differs(candidates):
        """The first of up to BATCH candidates on which the two sides differ, or None."""
        paths = []
        for number, lines in enumerate(candidates):
            paths.append(arguments.file.with_suffix(".trial%d.cl" % number))
            paths[-1].write_text("\n".join(lines) + "\n")
        if arguments.clang:
            words = {path: compare.translate_with_clang(path, *arguments.clang) for path in paths}
            verdicts = compare.execute(doubted, [word for word in words.values() if word], "", 10)
            ours = {path: verdicts[word] if word else "" for path, word in words.items()}
        else:
            ours = compare.execute(doubted, paths, arguments.options, 10)
        suspects = [path for path in paths if ours[path].startswith("died" if arguments.crash else "digest")]
        if against:
            other = compare.execute(against, suspects, arguments.options, 10)
            suspects = [path for path in suspects if other[path].startswith("digest") and other[path] != ours[path]]
        judge, traps = [str(tests / ("execute_" + arguments.judge))], arguments.judge == "host"
        judged = compare.execute(judge, suspects, TRAPS if traps else compare.FORMS["1.2"], 10)
        for path in suspects:
            right = judged[path]
            if right.startswith("digest") and right != ours[path] and (not against or right == other[path]):
                if not traps or compare.execute(judge, [path], FILLED, 10)[path] == right:
                    return candidates[paths.index(path)]
        return None

    lines = first_that_differs([arguments.file.read_text().splitlines()])
    if not lines:
        sys.exit("%s: no difference" % arguments.file)
    changed = True
    while changed:
        changed = False
        for way in (without_parts, without_lines, shorter_expressions):
            candidates, skipped = list(way(lines)), 0
            while skipped < len(candidates):
                batch = candidates[skipped:skipped + BATCH]
                smaller = first_that_differs(batch)
                if smaller is None:
                    skipped += len(batch)
                    continue
                # Go on where this one stood: what came before it has been tried.
                skipped += batch.index(smaller)
                lines, changed = smaller, True
                target.write_text("\n".join(lines) + "\n")
                candidates = list(way(lines))
                skipped = min(skipped, len(candidates))
    for path in arguments.file.parent.glob(arguments.file.stem + ".trial*"):
        path.unlink()


if __name__ == "__main__":
    main()
