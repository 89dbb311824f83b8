#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/conformance/results.md and the README's row from the files DEVICE.json beside this script.

--check says whether both are up to date.
"""
import collections
import json
import pathlib
import sys
import textwrap

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE / "results.md"
README = HERE.parents[1] / "README.md"
README_ROW = "| Khronos' conformance tests |"
README_DEVICE = "h100.json"  # the device of the README's row
VERDICTS = ("pass", "fail", "crash", "timeout", "skip", "not run")
FORMS = ("hardware", "memory")
# where the time of a subtest goes that ended at the limit
CAUSES = {"suite": "the suite", "compiler": "the driver's compiler", "kernels": "the driver runs kernels", "unknown": "not known"}


def section(path):
    data = json.loads(path.read_text())
    counts = collections.defaultdict(collections.Counter)
    for test in data["tests"]:
        if test["verdict"] not in VERDICTS:
            sys.exit(f"{path.name}: {test['test']} {test['subtest']}: no such verdict: {test['verdict']}")
        if test["verdict"] != "pass" and not test.get("why"):
            sys.exit(f"{path.name}: {test['test']} {test['subtest']}: `why` is missing")
        if test["verdict"] == "timeout" and test.get("cause") not in CAUSES:
            sys.exit(f"{path.name}: {test['test']} {test['subtest']}: `cause` is none of {', '.join(CAUSES)}")
        counts[test["test"]][test["verdict"]] += 1
        counts["all"][test["verdict"]] += 1
    lines = [f"## {data['device']}", "", f"{data['driver']}, {data['date']}, Caldera {data['caldera']}, "
             f"[{path.name}]({path.name}). Options: {data['options']}.", ""]
    lines += ["| program | " + " | ".join(VERDICTS) + " |", "|---|" + "---|" * len(VERDICTS)]
    for name in sorted(counts, key=lambda name: (name == "all", name)):
        lines.append(f"| {name} | " + " | ".join(str(counts[name][verdict] or "") for verdict in VERDICTS) + " |")
    lines += forms_of(path, data)
    unclear = [test for test in data["tests"] if test["verdict"] not in ("pass", "skip", "not run")]
    if unclear:
        lines += ["", "What neither passed nor was skipped:", "", "| subtest | verdict | seconds | where the time goes | why | a share of it |",
                  "|---|---|---|---|---|---|"]
        lines += [f"| {test['test']} {test['subtest']} | {test['verdict']} | {test['seconds']:.0f} | {CAUSES.get(test.get('cause'), '')} | "
                  f"{test['why']} | {test.get('share', '')} |"
                  for test in sorted(unclear, key=lambda test: (test["test"], test["subtest"]))]
    return lines + [""]


def forms_of(path, data):
    """The table of the rows that also ran with images in one form, from their field `images`."""
    if "images" not in data:
        return []
    counts = collections.defaultdict(collections.Counter)
    others = []
    for test in data["tests"]:
        for form, (verdict, seconds, *why) in test.get("images", {}).items():
            if form not in FORMS or verdict not in VERDICTS:
                sys.exit(f"{path.name}: {test['test']} {test['subtest']}: `images` has no such form or verdict: {form}, {verdict}")
            if (verdict != "pass") != bool(why):
                sys.exit(f"{path.name}: {test['test']} {test['subtest']}: `images`: what does not pass says why, and nothing else")
            for name in (test["test"], "all"):
                counts[name, form][verdict] += 1
            if verdict not in ("pass", "skip", "not run"):
                others.append(f"| {test['test']} {test['subtest']} | {form} | {verdict} | {seconds:.0f} | {why[0]} |")
    about = data["images"]
    heading = f"With `CALDERA_IMAGES` in the environment, {about['date']}, Caldera {about['caldera']}. Options: {about['options']}."
    lines = ["", *textwrap.wrap(heading, 120, break_on_hyphens=False), ""]
    lines += ["| program | images | " + " | ".join(VERDICTS) + " |", "|---|" + "---|" * (1 + len(VERDICTS))]
    for name, form in sorted(counts, key=lambda key: (key[0] == "all", key)):
        lines.append(f"| {name} | {form} | " + " | ".join(str(counts[name, form][verdict] or "") for verdict in VERDICTS) + " |")
    if others:
        lines += ["", "| subtest | images | verdict | seconds | why |", "|---|---|---|---|---|"] + sorted(others)
    return lines


def page():
    lines = ["# Conformance results by device", "", "`docs/conformance/make_table.py` makes this page from the files beside it; "
             "[README](README.md) says what they are.", ""]
    for path in sorted(HERE.glob("*.json")):
        lines += section(path)
    return "\n".join(lines).rstrip() + "\n"


def readme():
    """The README with its row on these results."""
    counts = collections.Counter(test["verdict"] for test in json.loads((HERE / README_DEVICE).read_text())["tests"])
    others = counts.total() - counts["pass"] - counts["skip"]
    row = (f"{README_ROW} {counts['pass']:,} of {counts.total():,} subtests pass on H100 and H200, {counts['skip']} are skipped, "
           f"{others} fail or end at a time limit; each says why | [by device](docs/conformance/results.md) |")
    lines = README.read_text().split("\n")
    return "\n".join(row if line.startswith(README_ROW) else line for line in lines)


def main():
    pages = {PAGE: page(), README: readme()}
    if sys.argv[1:] == ["--check"]:
        stale = [path.name for path, text in pages.items() if not path.exists() or path.read_text() != text]
        if stale:
            sys.exit(f"{' and '.join(stale)}: stale: run docs/conformance/make_table.py")
        return
    for path, text in pages.items():
        path.write_text(text)


if __name__ == "__main__":
    main()
