#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the documents: docs.py --build=BUILD [FILE.md...].

- Relative links and their anchors exist, in every .md file of the repository.
- Lines have at most 120 characters, tables and links apart; README.md has at most 100 lines.
- docs/language.md is what docs/language/make_language.py makes, docs/conformance/results.md what make_table.py there makes,
  docs/driver-quirks.md what docs/driver-quirks/make_driver_quirks.py makes, docs/programs.md what
  docs/programs/make_programs.py makes, and docs/devices.md what tests/devices/matrix.py makes.
- The commands of the documents work.

Each block of a document that is fenced as `sh` runs, in order, in one scratch folder. That folder contains the folders of the
repository, `build` and `build-ci`, as a checkout does, and the build's tools are in PATH. Other fences:

  sh no-run: REASON   does not run; its syntax must be right, and the files of the repository that it names must exist
  LANGUAGE file=NAME  is written to the scratch folder as NAME before the next commands run
  text output         must be what the block of commands before it prints
  LANGUAGE from=PATH  must occur, line by line, in the repository's file PATH

`docs.py --extract=FILE.md --into=FOLDER` writes a document's files (`file=NAME`) into a folder.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
WIDTH = 120
README_LINES = 100
FOLDERS = ("builtins", "cmake", "docs", "examples", "frontend", "include", "library", "packaging", "spirv", "tests",
           "third_party", "tools", "vulkan", "web")
SECONDS_PER_BLOCK = 120


def documents():
    return sorted([*ROOT.glob("*.md"), *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.md"))])


class Block:
    """A fenced block: where it begins, what stands behind the fence, its text."""

    def __init__(self, line, info, text):
        self.line, self.text = line, text
        self.language, _, self.attribute = info.partition(" ")
        self.key, _, self.value = self.attribute.partition("=")

    @property
    def runs(self):
        return self.language == "sh" and not self.attribute


def split(text):
    """The lines outside of fenced blocks, numbered from 1, and the blocks."""
    prose, blocks, fence = [], [], None
    for number, line in enumerate(text.splitlines(), 1):
        mark = re.match(r"( *)(```+)(.*)$", line)
        if fence is None and mark:
            indent, fence, info, first, inside = len(mark[1]), mark[2], mark[3].strip(), number, []
        elif fence is not None and line.strip() == fence:
            blocks.append(Block(first, info, "\n".join(inside) + "\n"))
            fence = None
        elif fence is not None:
            inside.append(line[min(indent, len(line) - len(line.lstrip())):])
        else:
            prose.append((number, line))
    return prose, blocks


def anchors(path):
    """What a link into the document may name, as GitHub makes names of headings."""
    prose, _ = split(path.read_text(encoding="utf-8"))
    found = set()
    for _, line in prose:
        found.update(re.findall(r'<a id="([^"]+)">', line))
        heading = re.match(r"#+ +(.*?) *#*$", line)
        if heading:
            words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading[1]).lower()
            name = slug = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
            count = 0
            while name in found:
                count += 1
                name = f"{slug}-{count}"
            found.add(name)
    return found


class Report:
    def __init__(self):
        self.faults = []

    def fault(self, path, line, text):
        self.faults.append(f"{path.relative_to(ROOT)}:{line}: {text}")


def check_links(path, prose, names, report):
    for number, line in prose:
        plain = re.sub(r"`[^`]*`", "", line)
        for target in re.findall(r"\]\(([^)\s]+)\)", plain) + re.findall(r"^\[[^]]+\]: (\S+)", plain):
            if re.match(r"[a-z]+:", target):
                continue
            file, _, anchor = target.partition("#")
            there = (path.parent / file).resolve() if file else path
            if not there.exists() or not there.is_relative_to(ROOT):
                report.fault(path, number, f"no file '{file}'")
            elif anchor and there.suffix == ".md":
                if there not in names:
                    names[there] = anchors(there)
                if anchor not in names[there]:
                    report.fault(path, number, f"no heading '#{anchor}' in '{file or path.name}'")


def check_lines(path, prose, text, report):
    for number, line in prose:
        if len(line) > WIDTH and not line.startswith("|") and "](" not in line:
            report.fault(path, number, f"{len(line)} characters; {WIDTH} at most")
    if path == ROOT / "README.md" and len(text.splitlines()) > README_LINES:
        report.fault(path, README_LINES, f"{len(text.splitlines())} lines; {README_LINES} at most")


def stands_in(text, path):
    """Whether the lines stand in the file one after another, however far they are indented there."""
    if not path.exists():
        return False
    wanted, lines = ([line.strip() for line in all.splitlines()] for all in (text, path.read_text(encoding="utf-8")))
    return any(lines[i:i + len(wanted)] == wanted for i in range(len(lines)))


def check_block(path, block, build, report):
    if block.language in ("", "bash", "shell", "console"):
        report.fault(path, block.line, "a block of commands is `sh`, other text `text`")
    if block.key == "from" and not stands_in(block.text, ROOT / block.value):
        report.fault(path, block.line, f"not in {block.value}")
    if block.language != "sh" or block.runs:
        return
    if not re.fullmatch(r"no-run: \S.*", block.attribute):
        report.fault(path, block.line, "`sh no-run: REASON` says why a block does not run")
    syntax = subprocess.run(["bash", "-n"], input=block.text, text=True, capture_output=True)
    if syntax.returncode:
        report.fault(path, block.line, syntax.stderr.strip())
    for file in re.findall(rf"(?<![\w./-])(?:\./)?((?:{'|'.join(FOLDERS)})/[\w./-]+)", block.text):
        if not (ROOT / file).exists():
            report.fault(path, block.line, f"no file '{file}'")
    if build:
        for file in re.findall(r"(?<![\w./-])build(?:-ci)?/(tests/[\w/]+)(?![\w./])", block.text):
            if not (build / file).exists():
                report.fault(path, block.line, f"the build has no '{file}'")


def environment(scratch, build):
    out = dict(os.environ)
    out["PATH"] = f"{build}:{out['PATH']}"
    out["HOME"] = str(scratch)
    out["CALDERA_CACHE_DIR"] = str(scratch / ".cache")
    out.setdefault("CALDERA_DEVICE", "llvmpipe")
    for name in ("CALDERA_DUMP", "CALDERA_LOG", "XDG_CACHE_HOME"):
        out.pop(name, None)
    return out


def run_commands(path, blocks, build, report):
    """How many blocks ran. A block that fails is the document's last: others may want what it makes."""
    count = 0
    with tempfile.TemporaryDirectory(prefix="docs-") as folder:
        scratch = pathlib.Path(folder)
        for name in FOLDERS:
            (scratch / name).symlink_to(ROOT / name)
        for name in ("build", "build-ci"):
            (scratch / name).symlink_to(build)
        printed = ""
        for block in blocks:
            if block.key == "file":
                (scratch / block.value).write_text(block.text, encoding="utf-8")
            elif (block.language, block.attribute) == ("text", "output") and printed != block.text:
                report.fault(path, block.line, f"the commands print:\n{printed}")
            elif block.runs:
                done = subprocess.run(["bash", "-euo", "pipefail", "-c", block.text], cwd=scratch, text=True,
                                      env=environment(scratch, build), timeout=SECONDS_PER_BLOCK, capture_output=True)
                count += 1
                printed = done.stdout
                if done.returncode:
                    report.fault(path, block.line, f"status {done.returncode}:\n{done.stdout}{done.stderr}")
                    break
    return count


def extract(path, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for block in split(path.read_text(encoding="utf-8"))[1]:
        if block.key == "file":
            (folder / block.value).write_text(block.text, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, help="the folder with clc2spv and clrun; without it no command runs")
    parser.add_argument("--extract", type=pathlib.Path, metavar="FILE.md")
    parser.add_argument("--into", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("files", type=pathlib.Path, nargs="*", help="only these documents")
    options = parser.parse_args()
    if options.extract:
        extract(options.extract, options.into)
        return 0

    report, names, with_commands, resting = Report(), {}, [], 0
    build = options.build.resolve() if options.build else None
    paths = [path.resolve() for path in options.files] or documents()
    for path in paths:
        text = path.read_text(encoding="utf-8")
        prose, blocks = split(text)
        check_links(path, prose, names, report)
        check_lines(path, prose, text, report)
        for block in blocks:
            check_block(path, block, build, report)
        resting += sum(block.language == "sh" and not block.runs for block in blocks)
        if build and any(block.runs for block in blocks):
            with_commands.append((path, blocks))
    makers = ("docs/language/make_language.py", "docs/conformance/make_table.py",
              "docs/driver-quirks/make_driver_quirks.py", "docs/programs/make_programs.py", "tests/devices/matrix.py")
    stale = [maker for maker in makers if subprocess.run([sys.executable, ROOT / maker, "--check"]).returncode]
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        ran = sum(pool.map(lambda item: run_commands(*item, build, report), with_commands))

    for fault in report.faults:
        print(fault)
    print(f"{len(paths)} documents, {ran} blocks of commands ran, {resting} do not run, {len(report.faults)} faults")
    return 1 if report.faults or stale else 0


if __name__ == "__main__":
    sys.exit(main())
