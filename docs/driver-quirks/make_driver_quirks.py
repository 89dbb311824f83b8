#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes docs/driver-quirks.md from vulkan/driver_quirks.def and vulkan/drivers.def, within the prose of page.txt.

A line of page.txt stands for a table where it is {{quirks DRIVER}}, {{always compiler}}, {{always runtime}} or {{drivers}}.
It fails where a row names a file or a test that does not exist, where the file of an ALWAYS row does not name the row, and
where the page has no table of a driver that has quirks. --check writes nothing, and fails where the page is stale.
"""
import argparse
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs/driver-quirks.md"
PROSE = ROOT / "docs/driver-quirks/page.txt"
ROOMS = ("builtins", "frontend", "library", "spirv", "tests", "vulkan")
ELSEWHERE = {"Nobody": "", "Presets": "presets", "UnknownDrivers": "presets, unknown drivers",
             "UntestedDrivers": "presets, all that are not tested"}

Quirk = collections.namedtuple("Quirk", "name elsewhere processor fault answer tests drivers")
On = collections.namedtuple("On", "driver not_in first_seen last_seen fixed_in")
Always = collections.namedtuple("Always", "name fault file answer reason tests")
Driver = collections.namedtuple("Driver", "enumerator name id number form tested title")


class Fault(Exception):
    pass


def calls(path):
    """The macros that a .def file calls: each a name and its arguments, of which those that call macros are such pairs."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not re.match(r"\s*(//|#)", line)]
    tokens = re.findall(r'"(?:[^"\\]|\\.)*"|\w+|[(),]', "\n".join(lines))
    at = 0

    def call():
        nonlocal at
        name, arguments, texts = tokens[at], [], []
        at += 2
        while True:
            token = tokens[at]
            if token in ",)":
                if texts:
                    arguments.append("".join(texts))
                texts, at = [], at + 1
                if token == ")":
                    return name, arguments
            elif at + 1 < len(tokens) and tokens[at + 1] == "(":
                arguments.append(call())
            else:
                texts.append(token[1:-1].replace('\\"', '"') if token[0] == '"' else token)
                at += 1

    found = []
    while at < len(tokens):
        found.append(call())
    return found


def read_rows():
    quirks, always = [], []
    for name, arguments in calls(ROOT / "vulkan/driver_quirks.def"):
        if name == "ALWAYS":
            always.append(Always(*arguments))
        else:
            on = [On("AnyMesa", *versions) if macro == "ON_MESA" else On(*versions) for macro, versions in arguments[6:]]
            quirks.append(Quirk(*arguments[:6], on))
    return quirks, always, [Driver(*arguments) for _, arguments in calls(ROOT / "vulkan/drivers.def")]


class Files:
    """The repository's files, by the ends of their paths."""

    def __init__(self):
        self.paths = [path.relative_to(ROOT).as_posix() for room in ROOMS for path in sorted((ROOT / room).rglob("*"))
                      if path.is_file()]

    def find(self, end, row):
        found = [path for path in self.paths if path == end or path.endswith("/" + end)]
        if len(found) != 1:
            raise Fault(f"{row}: " + (f"no file '{end}'" if not found else f"'{end}' may be {' or '.join(found)}"))
        return found[0]

    def link(self, end, row):
        path = self.find(end, row)
        return f"[{path.rsplit('/', 1)[1]}](../{path})"

    def test(self, end, row):
        path = self.find(end, row)
        if not path.startswith("tests/") and not path.endswith("_test.cpp"):
            raise Fault(f"{row}: '{end}' is no test")
        return self.link(end, row)


def with_links(text, files, row):
    text = re.sub(r"`([\w./]+\.(?:cl|comp|cpp|def|h))`", lambda match: files.link(match[1], row), text)
    return text.replace("|", "\\|")


def tests_of(row, files):
    if not row.tests.split():
        raise Fault(f"{row.name}: a row names its test")
    return ", ".join(files.test(name, row.name) for name in row.tests.split())


def versions(on):
    text = on.first_seen + (f" to {on.last_seen}" if on.last_seen != on.first_seen else "")
    return text + (f", not in {on.not_in}" if on.not_in != "-" else "")


def quirk_table(driver, quirks, files):
    yield "| quirk | seen in | fixed in | others that are served | the driver | Caldera | tests |"
    yield "|---|---|---|---|---|---|---|"
    for quirk in quirks:
        for on in quirk.drivers:
            if on.driver != driver.enumerator and not (on.driver == "AnyMesa" and driver.form == "Mesa"):
                continue
            others = ELSEWHERE[quirk.elsewhere]
            if on.driver == "AnyMesa":
                others = "all of Mesa's; " + others
            yield "| " + " | ".join([f"`{quirk.name}`", versions(on), "" if on.fixed_in == "-" else on.fixed_in, others,
                                     with_links(quirk.fault, files, quirk.name),
                                     with_links(quirk.answer, files, quirk.name), tests_of(quirk, files)]) + " |"


def is_runtime(path):
    return path.startswith(("vulkan/runtime/", "vulkan/icd/"))


def always_table(room, rows, files):
    yield "| workaround | fault | what Caldera does, and where | why for every driver | tests |"
    yield "|---|---|---|---|---|"
    for row in rows:
        path = files.find(row.file, row.name)
        if is_runtime(path) != (room == "runtime"):
            continue
        if not re.search(rf"\b{row.name}\b", (ROOT / path).read_text(encoding="utf-8")):
            raise Fault(f"{row.name}: {path} does not name the row")
        yield "| " + " | ".join([f"`{row.name}`", with_links(row.fault, files, row.name),
                                 f"{with_links(row.answer, files, row.name)} ({files.link(row.file, row.name)})",
                                 with_links(row.reason, files, row.name), tests_of(row, files)]) + " |"


def driver_table(drivers):
    yield "| `--driver=` | driver | `VkDriverId` | tested |"
    yield "|---|---|---|---|"
    for driver in drivers:
        yield f"| `{driver.name}` | {driver.title} | `{driver.id}` | {'yes' if driver.tested == 'Tested' else ''} |"


def make_page():
    quirks, always, drivers = read_rows()
    files = Files()
    by_name = {driver.enumerator: driver for driver in drivers}
    without_table = {on.driver for quirk in quirks for on in quirk.drivers} - {"AnyMesa"}
    for name in sorted(without_table - set(by_name)):
        raise Fault(f"no driver '{name}' in drivers.def")
    lines = []
    for line in PROSE.read_text(encoding="utf-8").splitlines():
        mark = re.fullmatch(r"\{\{(\w+)(?: (\w+))?\}\}", line)
        if not mark:
            lines.append(line)
        elif mark[1] == "quirks":
            lines += quirk_table(by_name[mark[2]], quirks, files)
            without_table.discard(mark[2])
        elif mark[1] == "always":
            lines += always_table(mark[2], always, files)
        else:
            lines += driver_table(drivers)
    if without_table:
        raise Fault(f"page.txt has no table of {', '.join(sorted(without_table))}")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; fail where the page is stale")
    check = parser.parse_args().check
    try:
        page = make_page()
    except Fault as fault:
        print(f"vulkan/driver_quirks.def: {fault}", file=sys.stderr)
        return 1
    if not check:
        PAGE.write_text(page, encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page:
        print("docs/driver-quirks.md is stale: run docs/driver-quirks/make_driver_quirks.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
