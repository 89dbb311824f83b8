#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""spv_check.py SPV_CHECK CLC2SPV: spv-check finds all planted faults, where spirv-val finds one, and no others.

A line of tests/spirv_faults/ten.spvasm with a fault has the comment FAULT; device.spvasm has the rules that a device
breaks. Kernels of tests/exec have no faults, for OpenCL and for Vulkan.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "checks"))
import sarif_rules  # noqa: E402  (found by the line above)

FAULTS_FOLDER = ROOT / "tests" / "spirv_faults"
KERNELS = ["atomics_c11", "conversions", "generic_pointers", "printf", "sub_group_functions", "vector_memory"]
FAULTS = []


def want(got, expected, what):
    if got != expected:
        FAULTS.append(f"{what}: {got!r}, wanted {expected!r}")


def run(*args, **more):
    return subprocess.run([str(arg) for arg in args], capture_output=True, text=True, timeout=120, check=False, **more)


def module_line(result):
    """The line in the module: of the place itself or, where that is the source's, of the note."""
    places = [result["locations"][0]] + result.get("relatedLocations", [])
    for place in places:
        physical = place["physicalLocation"]
        if physical["artifactLocation"]["uri"].endswith(".spvasm"):
            return physical["region"]["startLine"]
    return 0


def check_ten(tool, folder):
    text = (FAULTS_FOLDER / "ten.spvasm").read_text(encoding="utf-8")
    (folder / "ten.spvasm").write_text(text, encoding="utf-8")
    marked = [number for number, line in enumerate(text.split("\n"), 1) if "; FAULT" in line]
    want(len(marked), 10, "planted faults")
    done = run(tool, "--target=vulkan1.2", "--format=sarif", "ten.spvasm", cwd=folder)
    log = json.loads(done.stdout)
    FAULTS.extend(sarif_rules.check(log, folder))
    results = log["runs"][0]["results"]
    want(done.returncode, 1, "the exit code")
    want([module_line(result) for result in results], marked, "lines with faults")
    source = [r["locations"][0]["physicalLocation"] for r in results]
    want([(p["artifactLocation"]["uri"], p["region"]["startLine"], p["region"]["startColumn"]) for p in source
          if p["artifactLocation"]["uri"] != "ten.spvasm"],
         [("kernels/k.cl", 4, 13), ("kernels/k.cl", 5, 5), ("kernels/k.cl", 5, 5), ("kernels/k.cl", 6, 1)],
         "places in the source")
    want(results[4]["properties"]["function"], "main", "the function")
    want(results[4]["properties"]["instruction"], "%sum = OpIAdd %uint %one %half", "the instruction")
    said = run(tool, "--target=vulkan1.2", "ten.spvasm", cwd=folder).stdout
    want(said.count("error: "), 10, "errors in the text")
    want("hint: put OpSelectionMerge or OpLoopMerge before the branch" in said, True, "the hint")
    want(said.endswith("1 module, 10 faults\n"), True, "the last line")
    found = json.loads(run(tool, "--target=vulkan1.2", "--format=json", "ten.spvasm", cwd=folder).stdout)
    want([f["kind"] for f in found], ["error"] * 10, "JSON")
    want(found[4]["locations"][0]["caret"], {"file": "kernels/k.cl", "line": 4, "column": 13, "display-column": 13,
                                             "byte-column": 13}, "the caret in JSON")
    if shutil.which("spirv-as") and shutil.which("spirv-val"):
        run("spirv-as", "--target-env", "vulkan1.2", "ten.spvasm", "-o", "ten.spv", cwd=folder)
        said = run("spirv-val", "--target-env", "vulkan1.2", "ten.spv", cwd=folder)
        want(len(re.findall("^error", said.stdout + said.stderr, re.M)), 1, "what spirv-val reports")
        binary = json.loads(run(tool, "--target=vulkan1.2", "--format=sarif", "ten.spv", cwd=folder).stdout)
        FAULTS.extend(sarif_rules.check(binary, folder))
        want(len(binary["runs"][0]["results"]), 10, "faults of the binary")
        (folder / "ten.spv").unlink()


def check_device(tool):
    path = FAULTS_FOLDER / "device.spvasm"
    rules = re.findall(r"VUID-[\w-]+", path.read_text(encoding="utf-8"))
    want(run(tool, "--target=vulkan1.2", path).returncode, 0, "without a device")
    done = run(tool, f"--device-profile={ROOT}/tests/profiles/old_card.json", "--format=json", path)
    want(done.returncode, 1, "the exit code for a device")
    want([finding["option"] for finding in json.loads(done.stdout)], rules, "rules of a device")


def check_kernels(tool, compiler, folder):
    made = folder / "made"
    made.mkdir()
    for name in KERNELS:
        source = ROOT / "tests" / "exec" / f"{name}.cl"
        own = re.findall(r"^// OPTIONS: (.*)$", source.read_text(encoding="utf-8"), re.M)
        for target in ("opencl2.0", "vulkan1.1", "vulkan1.3"):
            run(compiler, source, *" ".join(own).split(), f"--target={target}", "-g", "-o", made / f"{name}.{target}.spv")
    count = len(list(made.iterdir()))
    want(count > 12, True, f"{count} modules were made")
    done = run(tool, made)
    want((done.returncode, done.stdout), (0, f"{count} modules, 0 faults\n"), "kernels")


def check_compiler(compiler, folder):
    """clc2spv --validate has all faults, too."""
    (folder / "two.spvasm").write_text("""OpCapability Addresses
OpCapability Kernel
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%one = OpConstant %uint 1
%half = OpConstant %float 0.5
%fn = OpTypeFunction %void
%k = OpFunction %void None %fn
%entry = OpLabel
%a = OpIAdd %uint %one %half
%b = OpFAdd %float %half %one
OpReturn
OpFunctionEnd
""")
    done = run(compiler, "two.spvasm", "--target=opencl2.0", "--validate", "-o", "out.spv", cwd=folder)
    want((done.returncode, done.stderr.count("error: the module is not valid for opencl2.0: ")), (1, 2), "--validate")
    want("    %10 = OpFAdd %float %float_0_5 %uint_1\n" in done.stderr, True, f"the instruction in {done.stderr}")
    want((folder / "out.spv").exists(), False, "an invalid module was written")
    done = run(compiler, "two.spvasm", "--target=opencl2.0", "--validate", "-fdiagnostics-format=sarif", "-o", "out.spv",
               cwd=folder)
    FAULTS.extend(sarif_rules.check(json.loads(done.stderr), folder))
    (folder / "two.spvasm").unlink()


def check_files(tool, folder):
    (folder / "torn.spv").write_bytes(b"\x03\x02\x23\x07abc")
    (folder / "none.spv").write_bytes(b"abcdabcdabcdabcdabcdabcd")
    (folder / "wrong.spvasm").write_text("OpCapability Shader\nOpNonsense\n")
    (folder / "notes.txt").write_text("no module")
    done = run(tool, ".", "-j4", cwd=folder)
    want(done.returncode, 1, "a folder's exit code")
    want(done.stdout, run(tool, ".", "-j1", cwd=folder).stdout, "the order with several threads")
    for text in ("the size of 7 bytes is not a multiple of 4", "none.spv: error: this is not a SPIR-V module",
                 "wrong.spvasm:2:1: error: Invalid Opcode name",
                 "wrong.spvasm: note: the text may have more faults: the assembler stops at the first one"):
        want(text in done.stdout, True, f"'{text}' in {done.stdout}")
    (folder / "source.cl").write_text("kernel void k() {}")
    (folder / "text.txt").write_text("; SPIR-V\n")
    for name, text in (("source.cl", "an OpenCL C source; 'clc2spv -fsyntax-only' checks sources"),
                       ("text.txt", "is missing; files of assembly end in .spvasm")):
        found = run(tool, name, cwd=folder)
        want((found.returncode, text in found.stdout), (1, True), f"'{text}' in {found.stdout}")
        (folder / name).unlink()
    want("notes.txt" in done.stdout, False, "a file that is no module")
    log = json.loads(run(tool, ".", "--format=sarif", cwd=folder).stdout)
    FAULTS.extend(sarif_rules.check(log, folder))
    piped = {path.name: run(tool, "-", "--format=json", stdin=path.open("rb")) for path in sorted(folder.glob("*.spv*"))}
    for name, done in piped.items():
        named = run(tool, name, "--format=json", cwd=folder).stdout
        want((done.returncode, json.loads(done.stdout)), (1, json.loads(named.replace(f'"{name}"', '"-"'))),
             f"{name} on standard input")
    want(sorted(piped)[-1], "wrong.spvasm", "files that were piped")
    valid = run(tool, "-", input="\n; comment\n" + (FAULTS_FOLDER / "device.spvasm").read_text(encoding="utf-8"))
    want((valid.returncode, valid.stdout), (0, "1 module, 0 faults\n"), "valid text on standard input")
    want(run(tool, "missing.spv", cwd=folder).returncode, 2, "a file that is not there")
    (folder / "empty").mkdir()
    want(run(tool, "empty", cwd=folder).returncode, 2, "a folder without modules")
    want(run(tool).returncode, 2, "no argument")
    for wrong in ("--nonsense", "--target=vulkan9", "--device-profile=none.json"):
        said = run(tool, wrong, cwd=folder)
        want((said.returncode, wrong.split("=")[-1] in said.stderr, "FILE" in said.stderr), (2, True, False),
             f"{wrong} without a file: {said.stderr}")
    want(run(tool, "--target=vulkan9", "none.spv", cwd=folder).returncode, 2, "a target that is none")
    said = run(tool, "--help")
    want((said.returncode, "Examples:" in said.stdout), (0, True), "--help")
    want(run(tool, "-", "-", input="").stderr, "spv-check: error: standard input can be read only once\n", "- twice")
    limit = "has more than 256 MiB, the most that is read from standard input, a pipe or a device"
    want(run(tool, "/dev/zero").stderr, f"spv-check: error: '/dev/zero' {limit}\n", "a device without end")
    want(run(tool, "none.cl").stderr, "spv-check: error: no such file or directory: 'none.cl'\n", "no file")
    want(run(tool, "-o", "none/report", "torn.spv", cwd=folder).stderr,
         "spv-check: error: cannot write 'none/report': No such file or directory\n", "a report without a folder")
    said = run(tool, "--format=", "torn.spv", cwd=folder)
    want((said.returncode, "torn.spv" in said.stderr), (2, False), f"an option without a value: {said.stderr}")
    want(run(tool, "-o", "./none.spv", ".", cwd=folder).stderr,
         "spv-check: error: output './none.spv' would overwrite './none.spv', which is read\n", "a report over a module")
    want(len((folder / "none.spv").read_bytes()), 24, "the module that a report would overwrite")
    want(run(tool, "-o", "report.json", "--format=json", "torn.spv", cwd=folder).stdout, "", "standard output with -o")
    want(len(json.loads((folder / "report.json").read_text())), 1, "the report's file")


def main():
    tool, compiler = (pathlib.Path(arg).resolve() for arg in sys.argv[1:3])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_ten(tool, folder)
        check_device(tool)
        check_compiler(compiler, folder)
        check_kernels(tool, compiler, folder)
        shutil.rmtree(folder / "made")
        check_files(tool, folder)
    print("\n".join(FAULTS) or "no fault")
    return bool(FAULTS)


if __name__ == "__main__":
    sys.exit(main())
