#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""step.py PROGRAM KERNELS: captures a kernel with RenderDoc, and steps through a work-item of it.

PROGRAM is tests/renderdoc/capture.cpp, built. The lines that the debugger passes must be those of the source, in the
order in which they run. Exits with 77 where there is no RenderDoc.
"""
import os
import subprocess
import sys
import tempfile

sys.path.append("/usr/lib/python3/dist-packages")  # of Debian's package, for a Python beside Debian's
try:
    import renderdoc as rd
except ImportError:
    print("skipped: there is no python3-renderdoc")
    sys.exit(77)

GROUP, ITEM = (1, 0, 0), (1, 0, 0)


def fail(message):
    print(message)
    sys.exit(1)


def dispatches(actions):
    for action in actions:
        if action.flags & rd.ActionFlags.Dispatch:
            yield action
        yield from dispatches(action.children)


def lines_of(path):
    """The lines that the work-item passes, without repetitions."""
    capture = rd.OpenCaptureFile()
    result = capture.OpenFile(path, "", None)
    if result != rd.ResultCode.Succeeded:
        fail(f"RenderDoc cannot open the capture: {result}")
    result, replay = capture.OpenCapture(rd.ReplayOptions(), None)
    if result != rd.ResultCode.Succeeded:
        fail(f"RenderDoc cannot replay the capture: {result}")
    found = list(dispatches(replay.GetRootActions()))
    if len(found) != 1:
        fail(f"{len(found)} dispatches instead of one")
    replay.SetFrameEvent(found[0].eventId, True)
    shader = replay.GetPipelineState().GetShaderReflection(rd.ShaderStage.Compute)
    if not shader.debugInfo.debuggable:
        fail(f"RenderDoc does not step through the kernel: {shader.debugInfo.debugStatus}")
    trace = replay.DebugThread(GROUP, ITEM)
    line_at = {row.instruction: row.lineInfo.lineStart for row in trace.instInfo}
    lines = []
    while states := replay.ContinueDebug(trace.debugger):
        for state in states:
            line = line_at.get(state.nextInstruction, 0)
            if line and lines[-1:] != [line]:
                lines.append(line)
    replay.FreeTrace(trace)
    replay.Shutdown()
    capture.Shutdown()
    return lines


def main():
    program, kernels = sys.argv[1:]
    with open(kernels, encoding="utf-8") as file:
        marks = {line.split("//")[1].strip(): number
                 for number, line in enumerate(file, 1) if "//" in line and not line.startswith("//")}
    turn = [marks["load"], marks["square"], marks["return"], marks["sum"]]
    expected = turn * 4 + [marks["store"]]
    rd.InitialiseReplay(rd.GlobalEnvironment(), [])
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "kernel")
        environment = dict(os.environ, ENABLE_VULKAN_RENDERDOC_CAPTURE="1", CALDERA_VALIDATION="0")
        ran = subprocess.run([program, kernels, name], env=environment, check=False)
        if ran.returncode == 77:
            print("skipped: RenderDoc's layer is not there")
            sys.exit(77)
        if ran.returncode != 0:
            fail(f"the program ends with {ran.returncode}")
        lines = [line for line in lines_of(name + "_capture.rdc") if line in expected]
    if lines != expected:
        fail(f"RenderDoc passes the lines {lines}, not {expected}")
    print(f"RenderDoc {rd.GetVersionString()} steps through {len(lines)} lines")
    rd.ShutdownReplay()


main()
