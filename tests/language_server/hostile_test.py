#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Truncated and wrong messages, wrong positions and half-written kernels: hostile_test.py CLC2SPV [ROUNDS].

The server answers each request once, and ends neither by a signal nor late."""
import json
import random
import subprocess
import sys

from client import Client, frame

CLC2SPV = sys.argv[1]
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 40

KERNEL = """#define TWICE(x) ((x) * 2)
typedef struct { float4 place; int kind[3]; } particle;
enum colour { RED, GREEN = 4 };
float helper(const global float *in, int i) { return in[i] * TWICE(i); }
kernel void move(global particle *p, global float *out, read_only image2d_t image) {
    local float tile[64];
    const size_t i = get_global_id(0);
    float4 v = (float4)(1, 2, 3, 4).wzyx;
    switch (p[i].kind[0]) { case RED: out[i] = fmax(v.x, v.s1); break; default: goto done; }
    for (int j = 0; j < 4; ++j) tile[j] = helper(out, j) + p->place.x;
done:
    p[i] = (particle){.place = v, .kind = {1, 2, GREEN}};
}
"""
POSITIONS = ["hover", "completion", "signatureHelp", "definition", "declaration", "references", "documentHighlight",
             "prepareRename", "rename"]
DOCUMENTS = ["documentSymbol", "foldingRange", "semanticTokens/full", "inlayHint", "codeAction", "formatting"]
VALUES = [None, True, -1, 0, 1 << 31, 1 << 63, 1e300, "", "x", "\0", [], {}, [[]], {"line": -1}, "file:///a.cl"]


def request(random_, method, text):
    lines = text.split("\n")
    line = random_.randrange(len(lines) + 1)
    character = random_.randrange(len(lines[line]) + 2) if line < len(lines) else 0
    position = {"line": line, "character": character}
    return {"textDocument": {"uri": "file:///a.cl"}, "position": position, "newName": random_.choice(["b", "1", "if"]),
            "context": {"includeDeclaration": True, "diagnostics": []}, "options": {"tabSize": 4, "insertSpaces": True},
            "range": {"start": position, "end": {"line": line + 3, "character": 0}}}


def damage(random_, value):
    """Replaces one part of a message by something else."""
    if isinstance(value, dict) and value and random_.random() < 0.8:
        key = random_.choice(list(value))
        return {**value, key: damage(random_, value[key])}
    if isinstance(value, list) and value and random_.random() < 0.8:
        i = random_.randrange(len(value))
        return value[:i] + [damage(random_, value[i])] + value[i + 1:]
    return random_.choice(VALUES)


def half_written(random_):
    """Each request about a kernel that ends anywhere, and in which pieces are missing or doubled."""
    client = Client(CLC2SPV)
    version = 1
    client.open("a.cl", KERNEL)
    for _ in range(ROUNDS):
        text = KERNEL
        for _ in range(random_.randrange(1, 4)):
            begin = random_.randrange(len(text))
            end = min(len(text), begin + random_.choice([1, 3, 20, 1000]))
            text = text[:begin] + random_.choice(["", text[begin:end] * 2, "(", "{", ".", "->", "\\\n", "#if ", "\xe9"]) + text[end:]
        version += 1
        client.change("a.cl", version, {"text": text})
        ids = [client.start("textDocument/" + m, request(random_, m, text)) for m in POSITIONS + DOCUMENTS]
        for id in ids:
            assert {"result", "error"} & client.wait(id).keys()
    assert client.exit() == 0


def damaged(random_):
    client = Client(CLC2SPV)
    client.open("a.cl", KERNEL)
    for round_ in range(ROUNDS * 10):
        method = random_.choice(POSITIONS + DOCUMENTS)
        message = {"jsonrpc": "2.0", "method": "textDocument/" + method, "params": request(random_, method, KERNEL)}
        if random_.random() < 0.2:
            message = {"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {
                "textDocument": {"uri": "file:///a.cl", "version": 2},
                "contentChanges": [{"range": {"start": {"line": 3, "character": 2}, "end": {"line": 1, "character": 0}},
                                    "text": "x"}]}}
        message["params"] = damage(random_, message["params"])
        if "didChange" not in message["method"]:
            message["id"] = "r%d" % round_
        client.send(message)
        if "id" in message:
            assert {"result", "error"} & client.wait(message["id"]).keys()
    assert client.exit() == 0


def truncated(random_):
    """The stream ends anywhere, and headers are noise."""
    stream = frame({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}})
    stream += frame({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": {
        "uri": "file:///a.cl", "languageId": "opencl", "version": 1, "text": KERNEL}}})
    stream += frame({"jsonrpc": "2.0", "id": 2, "method": "shutdown"}) + frame({"jsonrpc": "2.0", "method": "exit"})
    for _ in range(ROUNDS):
        data = bytearray(stream[:random_.randrange(len(stream))])
        for _ in range(random_.randrange(4)):
            if data:
                data[random_.randrange(len(data))] = random_.randrange(256)
        done = subprocess.run([CLC2SPV, "--lsp"], input=bytes(data), capture_output=True, timeout=60)
        assert done.returncode in (0, 1), (done.returncode, bytes(data))
    deep = b"[" * 1_000_000
    done = subprocess.run([CLC2SPV, "--lsp"], input=frame(deep), capture_output=True, timeout=60)
    assert done.returncode == 1 and b"-32700" in done.stdout, done


for part in (half_written, damaged, truncated):
    print(part.__name__, flush=True)
    part(random.Random(7))
