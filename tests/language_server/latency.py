#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long `clc2spv --lsp` takes to answer, and what memory it holds: latency.py CLC2SPV [LINES].

Each request comes right after an edit in the middle of a file, so that its time contains the analysis of the whole file.
Fails where memory grows with edits, or a median is above 50 ms: the numbers of docs/editors.md are those of a quiet machine.
"""
import os
import statistics
import sys
import time

from client import Client, span

LINES = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
EDITS, ROUNDS, MOST_MS, MOST_GROWTH_KB = 1000, 41, 50, 2048

HEAD = """typedef struct { float4 place; float4 speed; int kind; } particle;
constant float kStep = 0.01f;
"""
FUNCTION = """float weight_%(n)d(const global float *in, int i, float scale) {
    float sum = 0;
    for (int j = 0; j < 8; ++j) {
        sum += in[i + j] * scale;
        if (sum > 100.0f) sum = fmin(sum, 1.0f);
    }
    return sqrt(sum) + kStep;
}
kernel void move_%(n)d(global particle *p, const global float *in, global float *out) {
    const size_t i = get_global_id(0);
    local float tile[64];
    tile[get_local_id(0)] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    p[i].place += p[i].speed * kStep;
    p[i].kind = convert_int(dot(p[i].place, p[i].speed));
    out[i] = weight_%(n)d(in, (int)i, tile[get_local_id(0) ^ 1]) + p[i].place.x;
    // the end of kernel %(n)d
}

"""


def cpu_ms(client):
    """The processor time of all threads."""
    tasks, total = f"/proc/{client.process.pid}/task", 0
    for task in os.listdir(tasks):
        with open(f"{tasks}/{task}/schedstat") as stat:
            total += int(stat.read().split()[0])
    return total / 1e6


def memory_kb(client):
    with open(f"/proc/{client.process.pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


def main():
    text = HEAD + "".join(FUNCTION % {"n": n} for n in range((LINES - 2) // 19))
    text += "// the last lines\n" * (LINES - text.count("\n"))
    lines = text.split("\n")
    client = Client(sys.argv[1])
    assert client.open("a.cl", text) == []
    middle = lines.index("    // the end of kernel %d" % (LINES // 38))
    call = next(i for i in range(middle, 0, -1) if "convert_int(dot" in lines[i])
    uri = {"textDocument": {"uri": client.uri("a.cl")}}

    def at(line, character):
        return {**uri, "position": {"line": line, "character": character}}

    everything = {"start": {"line": 0, "character": 0}, "end": {"line": LINES, "character": 0}}
    requests = {
        "hover": at(call, 28), "completion": at(call, lines[call].index("p[i].speed") + 5),
        "completion of any name": at(call, 4), "signatureHelp": at(call, 40), "definition": at(call + 1, 15),
        "references": {**at(call + 1, 15), "context": {"includeDeclaration": True}},
        "rename": {**at(call + 1, 15), "newName": "other"}, "documentHighlight": at(call + 1, 15), "documentSymbol": uri,
        "semanticTokens/full": uri, "inlayHint": {**uri, "range": everything}, "foldingRange": uri,
        "codeAction": {**uri, "range": everything, "context": {"diagnostics": []}}}
    version, worst = 1, 0

    def edit():
        nonlocal version
        version += 1
        client.change("a.cl", version, {"range": span(middle, 4, 4), "text": "/"} if version % 2 == 0 else
                      {"range": span(middle, 4, 5), "text": ""})

    print(f"{LINES} lines, {len(text)} bytes; from the edit to the answer, milliseconds: median, largest of {ROUNDS}; "
          "median of the processor's time with the diagnostics that follow")
    times = {name: [] for name in ["diagnostics", *requests]}
    used = {name: [] for name in times}
    for _ in range(ROUNDS):
        for name, params in requests.items():
            before, start = cpu_ms(client), time.perf_counter()
            edit()
            reply = client.request("textDocument/" + name.split(" ")[0], params)
            times[name].append(1000 * (time.perf_counter() - start))
            assert "result" in reply, reply
            client.diagnostics("a.cl", version)
            used[name].append(cpu_ms(client) - before)
        before, start = cpu_ms(client), time.perf_counter()
        edit()
        assert client.diagnostics("a.cl", version) == []
        times["diagnostics"].append(1000 * (time.perf_counter() - start))
        used["diagnostics"].append(cpu_ms(client) - before)
    for name, taken in times.items():
        print(f"{name:24} {statistics.median(taken):7.2f} {max(taken):7.2f} {statistics.median(used[name]):7.2f}")
        worst = max(worst, statistics.median(taken))

    held = []
    for i in range(EDITS + 1):
        edit()
        client.request("textDocument/hover", requests["hover"])
        client.diagnostics("a.cl", version)
        if i % 200 == 0:
            held.append(memory_kb(client))
    print("memory after 0, 200, ... edits, KiB:", *held)
    assert client.exit() == 0
    assert worst < MOST_MS, f"a median of {worst:.1f} ms"
    assert held[-1] - held[1] < MOST_GROWTH_KB, "memory grows"


main()
