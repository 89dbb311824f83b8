#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/programs.md from the files PROGRAM.json beside this script; --check says whether it is up to date.

A file has `program`, `version`, `proof` (a key of PROOFS), `ran`, `runs` and, where something failed, `causes`.
A run has `device`, `driver`, `date` and `ours`: {pass, fail, skip, seconds}, all but `pass` may be missing. `beside` is
the same of another OpenCL, whose name is `other`. `page` is where results/ says more.
"""
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE.parent / "programs.md"
# how a program shows that its results are right, strongest first
PROOFS = {"own": "its own tests", "known": "known results", "processor": "against the processor's results",
          "runs": "runs to its end", "compiles": "its kernels compile"}
HEAD = """# Other programs on the driver

What programs and libraries that others wrote make of Caldera's OpenCL driver. `docs/programs/make_programs.py` makes
this page from the files in [programs/](programs), one for each program. [Results](results/programs.md) tells more about
some of them, and `tests/evaluation/programs/run.sh` runs several of those in Debian.

A count is passed / failed / skipped. A line is about the device in it; no line speaks for other devices. Seconds are
of single runs on a busy machine; they tell minutes from seconds, and [benchmarks](results/benchmarks.md) tell speed.
"""


def fault(path, what):
    sys.exit(f"{path.name}: {what}")


def counts(result):
    if not result:
        return ""
    return " / ".join(str(result.get(key, 0)) for key in ("pass", "fail", "skip"))


def seconds(run):
    times = [run.get(side, {}).get("seconds") for side in ("ours", "beside")]
    if times[0] is None:
        return ""
    return f"{times[0]:g}" if times[1] is None else f"{times[0]:g} / {times[1]:g}"


def check(path, data):
    for key in ("program", "version", "proof", "ran", "runs"):
        if not data.get(key):
            fault(path, f"`{key}` is missing")
    if data["proof"] not in PROOFS:
        fault(path, f"`proof` is none of {', '.join(PROOFS)}")
    for run in data["runs"]:
        for key in ("device", "driver", "date", "ours"):
            if not run.get(key):
                fault(path, f"a run lacks `{key}`")
        if bool(run.get("beside")) != bool(run.get("other")):
            fault(path, "`beside` needs `other`, and `other` needs `beside`")
        if run["ours"].get("fail") and not data.get("causes"):
            fault(path, "something failed, and `causes` is missing")


def load():
    programs = []
    for path in sorted(HERE.glob("*.json")):
        data = json.loads(path.read_text())
        check(path, data)
        programs.append(data)
    return sorted(programs, key=lambda data: (list(PROOFS).index(data["proof"]), data["program"].lower()))


def rows(data):
    for at, run in enumerate(data["runs"]):
        name = f"{data['program']} {data['version']}" if at == 0 else ""
        ran = data["ran"] if at == 0 else ""
        if run.get("page"):
            ran = f"{ran} ([more]({run['page']}))".strip()
        beside = f"{counts(run['beside'])} ({run['other']})" if run.get("beside") else ""
        yield f"| {name} | {ran} | {run['device']}, {run['driver']}, {run['date']} | {counts(run['ours'])} | {beside} | {seconds(run)} |"


def page():
    programs = load()
    lines = [HEAD, f"{len(programs)} programs:", ""]
    lines += [f"- [{proof[0].upper()}{proof[1:]}](#{proof.replace(' ', '-').replace(chr(39), '')}): "
              f"{sum(data['proof'] == key for data in programs)}" for key, proof in PROOFS.items()
              if any(data["proof"] == key for data in programs)]
    lines.append("- [Why what fails fails](#why-what-fails-fails)")
    for key, proof in PROOFS.items():
        listed = [data for data in programs if data["proof"] == key]
        if not listed:
            continue
        lines += ["", f"## {proof[0].upper()}{proof[1:]}", "",
                  "| program | what was run | device | ours | beside | seconds, ours / beside |", "|---|---|---|---|---|---|"]
        lines += [row for data in listed for row in rows(data)]
    lines += ["", "## Why what fails fails", "", "| program | cause |", "|---|---|"]
    lines += [f"| {data['program'] if at == 0 else ''} | {cause} |" for data in sorted(programs, key=lambda data: data["program"].lower())
              for at, cause in enumerate(data.get("causes", []))]
    return "\n".join(lines) + "\n"


def main():
    if sys.argv[1:] == ["--check"]:
        if not PAGE.exists() or PAGE.read_text() != page():
            sys.exit("docs/programs.md is stale: run docs/programs/make_programs.py")
        return
    PAGE.write_text(page())


if __name__ == "__main__":
    main()
