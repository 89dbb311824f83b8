#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""diagnostics_format.py CLC2SPV: -fdiagnostics-format=json and sarif, and -fdiagnostics-parseable-fixits.

What is written of all files of tests/diag is a document by the rules of SARIF, or JSON as GCC writes it. It says what the
text says, at the same places. Fix-its are applied, and then the source compiles.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import sarif_rules  # noqa: E402  (found by the line above)

DIAG = pathlib.Path(__file__).resolve().parents[1] / "diag"
SOURCE = """#include "helper.h"
#define SCALE(x) ((x) * factr)
kernel void scale(global float *out, float factor) {
\tint é = 1; out[0] = é + factr;
  out[1] = out[0]
  out[2] = SCALE(out[1]);
}
"""
HELPER = "int helper(int b) { char c = 300; return b; }\n"
FAULTS = []


def want(got, expected, what):
    if got != expected:
        FAULTS.append(f"{what}: {got!r}, wanted {expected!r}")


def run(compiler, folder, *args):
    return subprocess.run([compiler, "-fsyntax-only", *args], cwd=folder, capture_output=True, text=True,
                          encoding="utf-8", errors="surrogateescape", timeout=60, check=False)


def document(compiler, folder, form, *args):
    done = run(compiler, folder, f"-fdiagnostics-format={form}", *args)
    return json.loads(done.stderr), done.returncode


def check_sarif(compiler, folder):
    log, code = document(compiler, folder, "sarif", "-Wall", "k.cl", "missing.cl")
    FAULTS.extend(sarif_rules.check(log, folder))
    want(code, 1, "the exit code")
    want(log["runs"][0]["invocations"], [{"executionSuccessful": False}], "invocations")
    results = log["runs"][0]["results"]
    want([(r["ruleId"], r["level"]) for r in results],
         [("-Wunused-variable", "warning"), ("-Wconstant-conversion", "warning")] + [("error", "error")] * 4, "rules")
    include = results[0]["relatedLocations"][0]
    want((include["physicalLocation"]["artifactLocation"]["uri"], include["physicalLocation"]["region"]["startLine"],
          include["relationships"]), ("k.cl", 1, [{"target": 0, "kinds": ["includes"]}]), "the include")
    want(results[2]["locations"][0]["physicalLocation"]["region"],
         {"startLine": 4, "startColumn": 26, "endColumn": 31}, "a region behind a tab and a letter of two bytes")
    want([note["message"]["text"] for note in results[4]["relatedLocations"]],
         ["expanded from macro 'SCALE'", "'factor' declared here"], "notes")
    want("fixes" in results[4], False, "a fix in a macro")
    want("locations" in results[5], False, "a file that is not there has a place")
    promoted, _ = document(compiler, folder, "sarif", "-Wall", "-Werror", "k.cl")
    want([(r["ruleId"], r["level"]) for r in promoted["runs"][0]["results"]][0], ("-Wunused-variable", "error"),
         "-Werror")
    # The fix in the macro is the reader's. With the others applied, nothing else is left.
    want(sarif_rules.apply_fixes(log, folder), 2, "the number of fixes")
    (folder / "k.cl").write_text((folder / "k.cl").read_text().replace("* factr", "* factor"))
    log, code = document(compiler, folder, "sarif", "k.cl")
    want((code, [r["level"] for r in log["runs"][0]["results"]]), (0, ["warning"]), "the mended source")
    want(log["runs"][0]["invocations"], [{"executionSuccessful": True}], "invocations")


def check_json(compiler, folder):
    findings, _ = document(compiler, folder, "json", "-Wall", "-Werror=unused-variable", "k.cl")
    want([(f["kind"], f.get("option")) for f in findings][:3],
         [("error", "-Werror=unused-variable"), ("warning", "-Wconstant-conversion"), ("error", None)], "kinds")
    want(findings[0]["included-from"], [{"file": "k.cl", "line": 1, "display-column": 10, "column": 10,
                                         "byte-column": 10}], "included-from")
    place = findings[2]["locations"][0]
    want((place["caret"]["byte-column"], place["caret"]["column"]), (28, 33), "the caret")
    want((place["finish"]["byte-column"], place["finish"]["column"]), (32, 37), "the finish, which is the last letter")
    fix = findings[2]["fixits"]
    want([(f["start"]["byte-column"], f["next"]["byte-column"], f["string"]) for f in fix], [(28, 33, "factor")],
         "fixits")
    want(findings[2]["children"][0]["message"], "'factor' declared here", "children")
    want(document(compiler, folder, "json", "-w", "good.cl"), ([], 0), "a source without faults")


def check_declined(compiler, folder):
    """What the translator says has its place."""
    options = ["-fdiagnostics-format=json", "-Wno-format-nonliteral"]
    done = subprocess.run([compiler, *options, "declined.cl", "-o", "out.spv"], cwd=folder, capture_output=True,
                          text=True, timeout=60, check=False)
    place = json.loads(done.stderr)[0]["locations"][0]["caret"]
    want((place["file"], place["line"], place["byte-column"]), ("declined.cl", 2, 5), "what is declined")


def check_fixits(compiler, folder):
    said = run(compiler, folder, "-fdiagnostics-parseable-fixits", "k.cl").stderr
    want(re.findall("^fix-it:.*", said, re.M),
         ['fix-it:"k.cl":{4:28-4:33}:"factor"', 'fix-it:"k.cl":{5:18-5:18}:";"'], "-fdiagnostics-parseable-fixits")


def check_suite(compiler):
    """Each file of tests/diag: the documents say what the text says."""
    heading = re.compile(r"^(?:(.+?):(\d+):(\d+): )?(fatal error|error|warning): (.*?)(?: \[[^]\[]*\])?$", re.M)
    count = 0
    for path in sorted(DIAG.rglob("*.cl")):
        options = re.search("^// OPTIONS: (.*)$", path.read_text(encoding="utf-8", errors="replace"), re.M)
        args = (options[1].split() if options else []) + [path.name]
        text = heading.findall(run(compiler, path.parent, *args).stderr)
        log, _ = document(compiler, path.parent, "sarif", *args)
        faults = [] if b"\r" in path.read_bytes() or not is_text(path) else sarif_rules.check(log, path.parent)
        FAULTS.extend(f"{path.name}: {fault}" for fault in faults)
        findings, _ = document(compiler, path.parent, "json", *args)
        said = [(f["locations"][0]["caret"]["file"], str(f["locations"][0]["caret"]["line"]),
                 str(f["locations"][0]["caret"]["byte-column"])) if f["locations"] else ("", "", "") for f in findings]
        want(said, [each[:3] for each in text], f"{path.name}: places")
        want([f["kind"] for f in findings], [each[3] for each in text], f"{path.name}: kinds")
        count += len(text)
    want(count > 1000, True, f"tests/diag has {count} diagnostics")


def is_text(path):
    try:
        path.read_text(encoding="utf-8")
        return True
    except UnicodeDecodeError:
        return False


def main():
    compiler = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "k.cl").write_text(SOURCE, encoding="utf-8")
        (folder / "helper.h").write_text(HELPER, encoding="utf-8")
        (folder / "good.cl").write_text("kernel void k(global int *o) { o[0] = 1; }\n")
        (folder / "declined.cl").write_text('kernel void p(global int *o, constant char *f) {\n    printf(f, o[0]);\n}\n')
        check_json(compiler, folder)
        check_declined(compiler, folder)
        check_fixits(compiler, folder)
        check_sarif(compiler, folder)
    check_suite(compiler)
    print("\n".join(FAULTS) or "no fault")
    return bool(FAULTS)


if __name__ == "__main__":
    sys.exit(main())
