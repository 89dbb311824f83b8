#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes docs/language.md: the rules of rules.txt, each with links to the tests that name its id.

A test names a rule by its id in a comment or a title, `1.5.5-3`. It names several as `1.5.5-1 to 1.5.5-3`,
`1.5.5-1 to -3` or `1.5.5-1, -3`. Tests are the files under tests/ and each *_test.cpp beside the code.
"""
import argparse
import collections
import os
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RULES = ROOT / "docs/language/rules.txt"
PAGE = ROOT / "docs/language.md"
ROOMS_WITH_UNIT_TESTS = ("builtins", "frontend", "spirv", "tools", "vulkan")
TEST_ENDINGS = {".c", ".cl", ".comp", ".cpp", ".def", ".h", ".py", ".sh", ".spvasm"}
WIDTH = 118

INTRODUCTION = """\
# The language, rule by rule

<!-- Made by docs/language/make_language.py from docs/language/rules.txt and the tests. Do not edit. -->

This page lists what the OpenCL C 2.0 specification asks of a compiler, and which tests show each rule. Each rule
has an id: the section's number and a number within it. A test names the ids that it is about.

{named} of the {all} rules are named by a test. [Which rules no test names](#rules-that-no-test-names) stands at
the end. Many of these say what is undefined, or speak of the host.

## How to read it

- The section numbers are those of the separate document "The OpenCL C 2.0 Specification". Add 5 to the first
  number for the specification that is one book: 1.13.2 is its 6.13.2, and 2.4 is its 7.4.
- `seed000` and `seed002` are two texts of their own: the work-group scan functions and `cl_khr_subgroups`.
- `A`, `B` and `C` collect the host API and the extensions that the texts name, and what they imply.
- A letter in brackets says what a rule is about: `L` what the parser accepts, `S` what the checker rejects,
  `C` generated code and behaviour, `B` a built-in, `N` accuracy, `H` the host.
- `{{X}}` marks a contradiction or a gap in the text: the rule says which reading Caldera takes.
- `{{W}}` marks text that the published specification strikes through.
- `{{R}}` marks what the text lacks and other documents supply.
- `{{ID}}` marks what the specification leaves to the implementation.

After a change of tests or rules, `docs/language/make_language.py` writes this page anew. The test `docs` fails
while the page is stale.
"""

Rule = collections.namedtuple("Rule", "id kinds text")
PREFIX = r"(?:seed\d{3}|[1-4](?:\.\d+)*F?|[ABC])"
NAMED = re.compile(rf"(?<![\w.+*/-])({PREFIX})-(\d+)((?:(?:,? (?:to|and|\.\.\.)|,) (?:{PREFIX})?-\d+)*)(?![\w.]*\w)")
FURTHER = re.compile(rf"(,? to|,? and|,? \.\.\.|,) ({PREFIX})?-(\d+)")


def read_rules():
    """Sections in order, each a heading and its rules."""
    sections = []
    for line in RULES.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            sections.append((line[3:], []))
        elif line.startswith("- "):
            name, kinds, text = re.fullmatch(r"- (\S+) ((?:\[\w\])+) (.*)", line).groups()
            sections[-1][1].append(Rule(name, re.findall(r"\w", kinds), text))
        elif line.startswith("  "):
            rules = sections[-1][1]
            rules[-1] = rules[-1]._replace(text=rules[-1].text + " " + line.strip())
    return sections


def test_files():
    for folder in ("tests", *ROOMS_WITH_UNIT_TESTS):
        for at, folders, names in os.walk(ROOT / folder):
            folders.sort()
            for name in sorted(names):
                path = pathlib.Path(at, name)
                if path.suffix in TEST_ENDINGS and (folder == "tests" or name.endswith("_test.cpp")):
                    yield path


def ids_in(text):
    """Each id that the text names, with those between the two ends of a range."""
    for match in NAMED.finditer(text):
        prefix, last = match[1], int(match[2])
        yield f"{prefix}-{last}"
        for joint, other, number in FURTHER.findall(match[3]):
            if "," in joint and "to" not in joint or "and" in joint:
                prefix, first = other or prefix, int(number)
            else:
                first = last + 1
            last = int(number)
            for i in range(first, last + 1):
                yield f"{prefix}-{i}"


def tests_by_id(known):
    """Which tests name each rule, and what they name that is none: 1.2.3-4 and its like, which nothing else is written as."""
    found, unknown = collections.defaultdict(list), []
    for path in test_files():
        names = set(ids_in(path.read_text(encoding="utf-8", errors="replace")))
        for name in names & known:
            found[name].append(path)
        unknown += [(path, name) for name in sorted(names - known) if re.match(r"seed|\d+\.\d+\.\d", name)]
    return found, unknown


def escaped(text):
    """Markdown's own signs stand for themselves, outside of `code`."""
    parts = re.split(r"(`[^`]*`)", text)
    parts[::2] = [re.sub(r"([*<\[\]|]|(?<!\w)_|_(?!\w))", r"\\\1", part) for part in parts[::2]]
    return "".join(parts)


def wrapped(text, indent):
    lines = textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent, break_long_words=False,
                          break_on_hyphens=False)
    return [re.sub(r"^( *)([-+#] )", r"\1\\\2", line) for line in lines]  # else it would begin a list


def link(path):
    path = path.relative_to(ROOT).as_posix()
    name = path.removeprefix("tests/")
    if len(name) + len(path) > WIDTH - 11:
        name = f"{name.split('/')[0]}/…/{name.split('/')[-1]}"
    return f"[{name}](../{path})"


def lines_of(rule, tests):
    kinds = " ".join(f"`{kind}`" for kind in rule.kinds)
    first = wrapped(f'<a id="{rule.id}"></a>**{rule.id}** {kinds} {escaped(rule.text)}', "  ")
    yield "- " + first[0][2:]
    yield from first[1:]
    if tests:
        yield from wrapped("Tests: " + ", ".join(link(path) for path in tests), "  ")


def make_page():
    sections = read_rules()
    rules = [rule for _, of_section in sections for rule in of_section]
    found, unknown = tests_by_id({rule.id for rule in rules})
    named = sum(rule.id in found for rule in rules)
    lines = INTRODUCTION.format(named=f"{named:,}", all=f"{len(rules):,}").splitlines()
    for heading, of_section in sections:
        lines += ["", f"## {heading}", ""]
        for rule in of_section:
            lines += lines_of(rule, found.get(rule.id, []))
    lines += ["", "## Rules that no test names", ""]
    lines += wrapped(", ".join(f"[{rule.id}](#{rule.id})" for rule in rules if rule.id not in found), "")
    return "\n".join(lines) + "\n", unknown


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; fail where the page is stale")
    check = parser.parse_args().check
    page, unknown = make_page()
    for path, name in unknown:
        print(f"{path.relative_to(ROOT)}: {name} is no rule of docs/language/rules.txt", file=sys.stderr)
    if unknown:
        return 1
    if not check:
        PAGE.write_text(page, encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page:
        print("docs/language.md is stale: run docs/language/make_language.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
