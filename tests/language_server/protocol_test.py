#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `clc2spv --lsp` answers, to the letter: protocol_test.py CLC2SPV [TEST]."""
import json
import os
import shutil
import sys
import tempfile

from client import Client, span

CLC2SPV = sys.argv[1]


def check(found, expected):
    assert found == expected, f"\nfound    {found}\nexpected {expected}"


# ---- The protocol itself ----

def test_life_cycle():
    client = Client(CLC2SPV, initialize=False)
    check(client.request("textDocument/hover", {})["error"],
          {"code": -32002, "message": "the first request is 'initialize'"})
    reply = client.initialize()["result"]
    check(reply["serverInfo"]["name"], "clc2spv")
    check(reply["capabilities"]["positionEncoding"], "utf-16")
    check(reply["capabilities"]["textDocumentSync"], {"openClose": True, "change": 2, "save": {"includeText": False}})
    check(client.initialize()["error"]["code"], -32600)
    check(client.request("no/such", {})["error"], {"code": -32601, "message": "no method 'no/such'"})
    check(client.request("shutdown", None)["result"], None)
    check(client.request("shutdown", None)["error"]["code"], -32600)
    check(client.exit(shutdown=False), 0)


def test_exit_codes():
    check(Client(CLC2SPV).exit(), 0)
    check(Client(CLC2SPV).exit(shutdown=False), 1)
    check(Client(CLC2SPV).end_of_input(), 1)
    check(Client(CLC2SPV, initialize=False).exit(shutdown=False), 1)


def test_wrong_messages():
    client = Client(CLC2SPV)
    client.send("{ no JSON")
    check(client.next(), {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "the message is no JSON"}})
    client.send("[]")
    check(client.next()["error"]["code"], -32600)
    client.send({"jsonrpc": "2.0", "id": {}, "method": "shutdown"})
    check(client.next()["error"]["code"], -32600)
    client.send({"jsonrpc": "2.0", "id": "a", "method": "shutdown"})
    check(client.next(), {"jsonrpc": "2.0", "id": "a", "result": None})
    check(client.exit(shutdown=False), 0)


def test_cancel():
    client = Client(CLC2SPV)
    text = "kernel void k() {}\n" + "int x;\n" * 2000
    client.notify("textDocument/didOpen", {"textDocument": {"uri": client.uri("a.cl"), "languageId": "opencl",
                                                           "version": 1, "text": text}})
    ids = [client.start("no/such", {}) for _ in range(50)]
    client.notify("$/cancelRequest", {"id": ids[-1]})
    codes = {client.wait(id)["error"]["code"] for id in ids}
    assert codes <= {-32601, -32800}, codes  # each was answered, once, whether the cancellation came in time or not
    check(client.exit(), 0)


# ---- Diagnostics ----

def test_diagnostics():
    client = Client(CLC2SPV)
    text = "kernel void k(global int *out) {\n    int unused = 1;\n    out[0] = 1\n}\n"
    found = client.open("a.cl", text)
    missing = {"range": span(2, 14, 14), "newText": ";"}
    check(found, [{"range": span(2, 14, 14), "severity": 1, "source": "clc2spv",
                   "message": "expected ';' after expression", "data": {"edits": [missing]}}])
    client.change("a.cl", 2, {"range": span(2, 14, 14), "text": ";"})
    check(client.diagnostics("a.cl", 2), [])
    client.change("a.cl", 3, {"text": "void f(void);\nvoid f(int);\n"})
    check(client.diagnostics("a.cl", 3), [
        {"range": span(1, 5, 6), "severity": 1, "source": "clc2spv", "message": "conflicting types for 'f'",
         "relatedInformation": [{"location": {"uri": client.uri("a.cl"), "range": span(0, 5, 6)},
                                 "message": "previous declaration is here"}]}])
    client.notify("textDocument/didClose", {"textDocument": {"uri": client.uri("a.cl")}})
    check(client.diagnostics("a.cl", None), [])
    check(client.exit(), 0)


def test_warnings_have_their_group_as_code():
    client = Client(CLC2SPV, options=["-Wall"])
    found = client.open("a.cl", "kernel void k() {\n    int unused;\n}\n")
    check(found, [{"range": span(1, 8, 14), "severity": 2, "source": "clc2spv", "code": "-Wunused-variable",
                   "message": "unused variable 'unused'", "tags": [1]}])
    check(client.exit(), 0)


def test_changes_count_utf16():
    client = Client(CLC2SPV)
    text = "void f() { /* \U0001F600\u00e9 */ y(); }\n"
    found = client.open("a.cl", text)  # the face is two units, the e one
    check([(d["message"], d["range"]) for d in found],
          [("implicit declaration of function 'y' is invalid in OpenCL", span(0, 21, 22))])
    client.change("a.cl", 2, {"range": span(0, 21, 22), "text": "\U0001F600"}, {"range": span(0, 21, 23), "text": "g"},
                  {"range": span(0, 0, 0), "text": "void g();\n"})
    check(client.diagnostics("a.cl", 2), [])
    client.change("a.cl", 3, {"range": span(0, 0, 99, last=99), "text": ""})
    check(client.diagnostics("a.cl", 3), [])
    check(client.exit(), 0)


def test_halves_of_surrogate_pairs():
    client = Client(CLC2SPV)
    found = client.open("a.cl", "void f() { /* \ud83d */ y(); }\n")  # as an editor cuts a face in two
    check([d["range"] for d in found], [span(0, 19, 20)])
    client.change("a.cl", 2, {"range": span(0, 19, 23), "text": ""}, {"range": span(0, 14, 15), "text": "\ude00"})
    check(client.diagnostics("a.cl", 2), [])
    check(client.exit(), 0)


def test_headers():
    with tempfile.TemporaryDirectory() as folder:
        client = Client(CLC2SPV, folder)
        with open(os.path.join(client.folder, "h.h"), "w") as header:
            header.write("int helper(int a) { return b; }\n")
        found = client.open("a.cl", '#include "h.h"\n#include "none.h"\nint f() { return y; }\n')
        check([(d["message"], d["range"]["start"]["line"]) for d in found],
              [("in included file: use of undeclared identifier 'b'", 0), ("'none.h' file not found", 1),
               ("use of undeclared identifier 'y'", 2)])
        check(found[0]["relatedInformation"][0]["location"], {"uri": client.uri("h.h"), "range": span(0, 27, 28)})
        # What the editor has counts, not what the disk has.
        client.open("h.h", "int helper(int a) { return a; }\n")
        check([d["message"] for d in client.diagnostics("a.cl", 1)],
              ["'none.h' file not found", "use of undeclared identifier 'y'"])
        check(client.exit(), 0)


def test_all_errors_are_shown():
    client = Client(CLC2SPV)
    check(len(client.open("a.cl", "".join(f"int f{i}() {{ return x{i}; }}\n" for i in range(100)))), 100)
    check(client.exit(), 0)


# ---- Options ----

def test_options_file():
    with tempfile.TemporaryDirectory() as folder:
        client = Client(CLC2SPV, folder, options=["-DFROM_CLIENT"])
        text = "#ifndef WANTED\n#error no\n#endif\n#ifdef FROM_CLIENT\n#error yes\n#endif\n#include <in.h>\n"
        os.makedirs(os.path.join(client.folder, "include"))
        os.makedirs(os.path.join(client.folder, "deep", "er"))
        open(os.path.join(client.folder, "include", "in.h"), "w").close()
        with open(os.path.join(client.folder, ".caldera.toml"), "w") as options:
            options.write('# ours\noptions = [\n  "-DWANTED",  # what is wanted\n  "-Iinclude",\n]\n')
        check(client.open("deep/er/a.cl", text), [])
        with open(os.path.join(client.folder, ".caldera.toml"), "w") as options:
            options.write("optoins = []\n")
        client.notify("workspace/didChangeWatchedFiles", {"changes": []})
        check([d["message"] for d in client.diagnostics("deep/er/a.cl", 1)], ["no", "yes", "'in.h' file not found"])
        client.request("no/such", {})
        shown = [m["params"]["message"] for m in client.notifications if m["method"] == "window/showMessage"]
        check(shown, [client.folder + "/.caldera.toml, line 1: unknown key 'optoins'; the one that is known is 'options'"])
        check(client.exit(), 0)


def test_compile_commands():
    with tempfile.TemporaryDirectory() as folder:
        client = Client(CLC2SPV, folder)
        os.makedirs(os.path.join(client.folder, "build"))
        with open(os.path.join(client.folder, "build", "compile_commands.json"), "w") as commands:
            commands.write(f"""[
              {{"directory": "{client.folder}/build", "file": "../a.cl",
                "command": "clc2spv -cl-std=CL3.0 '-DNAME=b c' --no-such-option ../a.cl -o a.spv"}},
              {{"directory": "{client.folder}", "file": "b.cl", "arguments": ["clc2spv", "-DB", "b.cl", "-o", "b.spv"]}}]""")
        check(client.open("a.cl", "#if __OPENCL_C_VERSION__ != 300\n#error old\n#endif\nint NAME;\n")[0]["message"],
              "expected ';' after top level declarator")
        check(client.open("b.cl", "#ifndef B\n#error no\n#endif\n"), [])
        check(client.open("c.cl", "#ifdef B\n#error yes\n#endif\n"), [])
        check(client.exit(), 0)


def test_compile_commands_of_a_device():
    """CMake's commands name an output. A wrong option leaves the others."""
    profile = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "profiles", "old_card.json")
    with tempfile.TemporaryDirectory() as folder:
        client = Client(CLC2SPV, folder)
        entries = [{"directory": client.folder, "file": f"{name}.cl", "arguments": ["clc2spv", *options]}
                   for name, options in {
                       "a": [f"--device-profile={profile}", "a.cl", "-o", "a.spv"],
                       "b": ["--device-profile", profile, "-o", "b.spv", "--", "b.cl"],
                       "c": ["-o", "c.spv", "-no-such", "value", f"--device-profile={profile}", "-D", "W", "c.cl"],
                       "d": ["-cl-std=CL3.0", "--abi=descriptors", "--images=memory", "-DW", "d.cl", "-o", "d.spv"],
                   }.items()]
        with open(os.path.join(client.folder, "compile_commands.json"), "w") as commands:
            json.dump(entries, commands)
        text = "#ifdef cl_khr_fp64\n#error doubles\n#endif\n"

        def shown():
            client.request("no/such", {})
            return [m["params"]["message"].split(": ", 1)[1] for m in client.notifications
                    if m["method"] == "window/showMessage"]

        check(client.open("a.cl", text), [])
        check(client.open("b.cl", text), [])
        check(shown(), [])
        check(client.open("c.cl", text + "#ifndef W\n#error W\n#endif\n"), [])
        check(shown(), ["unknown argument: '-no-such'"])
        check(client.open("d.cl", "#ifndef W\n#error W\n#endif\n"), [])
        check(client.exit(), 0)


def test_watched_files():
    client = Client(CLC2SPV, initialize=False)
    client.initialize(capabilities={"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}})
    client.request("no/such", {})
    asked = [m for m in client.notifications if m["method"] == "client/registerCapability"]
    check(len(asked), 1)
    registration, = asked[0]["params"]["registrations"]
    check(registration["method"], "workspace/didChangeWatchedFiles")
    check(registration["registerOptions"]["watchers"][1:],
          [{"globPattern": "**/.caldera.toml"}, {"globPattern": "**/compile_commands.json"}])
    client.send({"jsonrpc": "2.0", "id": asked[0]["id"], "result": None})
    check(client.exit(), 0)
    client = Client(CLC2SPV)  # this one has not said that it can
    client.request("no/such", {})
    check(client.notifications, [])
    check(client.exit(), 0)


def test_folders_change():
    with tempfile.TemporaryDirectory() as folder:
        client = Client(CLC2SPV)
        client.folder = os.path.realpath(folder)
        check(client.capabilities["workspace"]["workspaceFolders"], {"supported": True, "changeNotifications": True})
        open(os.path.join(client.folder, "h.h"), "w").write("int g(int x);\n")
        client.open("a.cl", '#include "h.h"\nint f(int a) { return g(a); }\n')
        here = {"uri": "file://" + client.folder, "name": "test"}
        place = {"textDocument": {"uri": client.uri("a.cl")}, "position": {"line": 1, "character": 22}, "newName": "h"}
        rename = lambda: client.request("textDocument/rename", place)
        assert rename()["error"]["message"].startswith("'g' is declared in a header")
        client.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [here], "removed": []}})
        check(len(rename()["result"]["changes"]), 2)
        client.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": [here]}})
        assert rename()["error"]["message"].startswith("'g' is declared in a header")
        check(client.exit(), 0)


# ---- Names: hover, completion, signatures, places ----

KERNEL = """#define TWICE(x) ((x) * 2)
typedef struct { float4 place; int kind[3]; } particle;
enum colour { RED, GREEN = 4 };
float helper(const global float *in, int i) { return in[i] * TWICE(i); }
kernel void move(global particle *p, global float *out) {
    local float tile[64];
    const size_t i = get_global_id(0);
    float4 v = (float4)(1, 2, 3, 4).wzyx;
    out[i] = fmax(v.x, v.s1) + RED;
    for (int j = 0; j < 4; ++j) tile[j] = helper(out, j) + p->place.x;
    p[i] = (particle){.place = v, .kind = {1, 2, GREEN}};
}
"""


def test_hover():
    client = Client(CLC2SPV)
    check(client.open("a.cl", KERNEL), [])

    def hover(line, character, name="a.cl"):
        found = client.at("hover", name, line, character)
        return found and found["contents"]["value"].replace("```opencl\n", "").replace("\n```", "")

    check(hover(0, 10), "#define TWICE(x) ((x) * 2)\nmacro")
    check(hover(1, 48), "typedef struct {...} particle\ntype; 32 bytes, aligned to 16")
    check(hover(1, 21), None)
    check(hover(2, 6), "enum colour\nenumeration; 4 bytes, aligned to 4")
    check(hover(2, 20), "GREEN = 4\nenumerator")
    check(hover(3, 34), "const global float *in\nparameter; 8 bytes, aligned to 8; points to global memory")
    check(hover(5, 17), "local float tile[64]\nvariable in local memory; 256 bytes, aligned to 4")
    check(hover(6, 18), "const size_t i\nvariable in private memory; 8 bytes, aligned to 8")
    check(hover(9, 44), "float helper(const global float *in, int i)\nfunction")
    check(hover(9, 64), "float4 place\nmember, at byte 0; 16 bytes, aligned to 16")
    check(hover(4, 13), "kernel void move(global particle *p, global float *out)\nkernel")
    check(hover(8, 15), "float fmax(float, float)\ngentype fmax(gentype, gentype)\ngentype fmax(gentype, sgentype)\n"
          "The larger of x and y; a number wins against a NaN.\n\n"
          "gentype: half, float or double, or vectors of 2, 3, 4, 8, 16\n\n"
          "gentype: half, float or double, in vectors of 2, 3, 4, 8, 16")
    check(client.at("hover", "a.cl", 8, 15)["range"], span(8, 13, 17))
    for end in "\n", "\r\n", "\r":
        lines = "#define SUM(x) \\", "   ((x) \\ \t", "    + 1)", "constant int two = SUM(1);", ""
        client.open("lines.cl", end.join(lines))
        check(hover(3, 20, "lines.cl"), "\n".join(lines[:3]) + "\nmacro")
    check(client.exit(), 0)


def labels(client, line, character):
    return [item["label"] for item in client.at("completion", "a.cl", line, character)["items"]]


def test_completion():
    client = Client(CLC2SPV)
    client.open("a.cl", KERNEL)
    check(labels(client, 9, 33), ["tile", "tan", "tanh", "tanpi", "tgamma", "trunc", "typedef"])
    everything = labels(client, 9, 32)
    check(everything[:6], ["j", "v", "i", "tile", "out", "p"])
    assert {"helper", "RED", "TWICE", "particle", "get_global_id", "vload4", "float4", "while"} <= set(everything)
    assert not {"work_group_barrier", "atomic_int", "generic", "memory_order_relaxed", "in"} & set(everything)
    check(labels(client, 3, 53)[:2], ["i", "in"])
    lines = KERNEL.split("\n")
    # Half-written members, with no name, in expressions that do not end.
    cases = [("v.", ["x", "y", "z", "w", "s0", "s1", "s2", "s3", "lo", "hi", "even", "odd"]), ("p[i].k", ["kind"]),
             ("p->", ["place", "kind"]), ("out[helper(out, p->", ["place", "kind"]), ("if (p[i].place.l", ["lo"]),
             ("out[0] = 1 + (*p).", ["place", "kind"]), ("unknown.", []), ("i.", [])]
    for version, (text, expected) in enumerate(cases, 2):
        client.change("a.cl", version, {"text": "\n".join(lines[:8] + [text] + lines[8:])})
        check((text, labels(client, 8, len(text))), (text, expected))
    client.change("a.cl", 20, {"text": "#ifd"})
    check(labels(client, 0, 4), ["ifdef"])
    client.change("a.cl", 21, {"text": "int f() { return convert_int4_s"})
    check(labels(client, 0, 31), [f"convert_int4_sat{end}" for end in ("", "_rte", "_rtz", "_rtp", "_rtn")])
    client.change("a.cl", 22, {"text": "void f(int wanted) { int other; { int hidden; } "})
    check(labels(client, 0, 48)[:2], ["other", "wanted"])
    assert "hidden" not in labels(client, 0, 48)
    check(client.exit(), 0)
    client = Client(CLC2SPV, options=["-cl-std=CL2.0"])
    client.open("a.cl", KERNEL)
    assert {"work_group_barrier", "atomic_int", "generic", "memory_order_relaxed"} <= set(labels(client, 9, 32))
    check(client.exit(), 0)


def test_completion_asks_again():
    """A client filters its own list from then on, unless the list says that it is incomplete."""
    client = Client(CLC2SPV)
    for version, (prefix, expected) in enumerate([("", True), ("c", True), ("conv", True), ("convert_", False),
                                                  ("a", True), ("as_", False), ("b", False), ("_", True),
                                                  ("__", False), ("tan", False)], 1):
        text = f"int f() {{ return {prefix}"
        if version == 1:
            client.open("a.cl", text)
        else:
            client.change("a.cl", version, {"text": text})
        found = client.at("completion", "a.cl", 0, len(text))
        check((prefix, found["isIncomplete"]), (prefix, expected))
    # An editor asks where a character is written that may mean a member or a directive.
    for version, (text, expected) in enumerate([("int f(int a) { return a >", 0), ("int f(int4 a) { return a.", 12),
                                                ("struct s { int m; }; int f(struct s *a) { return a->", 1),
                                                ("#", 13)], 20):
        client.change("a.cl", version, {"text": text})
        trigger = {"triggerKind": 2, "triggerCharacter": text[-1]}
        check((text, len(client.at("completion", "a.cl", 0, len(text), context=trigger)["items"])), (text, expected))
    check(client.exit(), 0)


def test_completion_scopes():
    client = Client(CLC2SPV, options=["-cl-std=CL3.0", "-DFROM_OPTIONS"])
    client.open("a.cl", "")
    text = ("#define GONE 1\n#undef GONE\n#define STAYS 1\nenum { FIRST };\n"
            "int f(enum { PARAMETER } p) { enum { OTHER }; return ({ int hidden = 1; hidden; }); }\n"
            "void g(int wanted) { enum { OWN }; { enum { INNER }; } |  }\n"
            "enum { LATE };\n#define LATER 1\n")
    before, after = text.split("|")
    client.change("a.cl", 2, {"text": before + after})
    found = set(labels(client, before.count("\n"), len(before) - before.rfind("\n") - 1))
    assert {"STAYS", "FIRST", "OWN", "wanted", "FROM_OPTIONS"} <= found, found
    check({"GONE", "PARAMETER", "OTHER", "hidden", "INNER", "LATE", "LATER"} & found, set())
    cases = [("void f() { int r = ({ int loc1 = 1; loc|", ["loc1", "local"]),
             ("void f() { int (^b)(int) = ^(int loc1) { int loc2; return loc| }; }", ["loc2", "loc1", "local"]),
             ("void f() { for (int loc1 = 0; loc|", ["loc1", "local"]),
             ("void f() { for (int loc1 = 0;;) {} loc|", ["local"]),
             ("void f(int loc1) { undeclared(loc|", ["loc1", "local"]),
             ("void f(int loc1) { int loc2 = loc|", ["loc2", "loc1", "local"]),
             ("struct S { int aa; }; void f(struct S *s) { int x[] = { s->| }; }", ["aa"]),
             ("struct S { int aa; }; void f(struct S *s) { int x[2] = { 1, s->|, 1 }; }", ["aa"]),
             ("struct S { int aa; }; void f(struct S *s) { struct S q = { s->| }; }", ["aa"]),
             ("struct S { int aa; }; void f(struct S *s) { struct S q = { undeclared, { s->a| } }; }", ["aa"]),
             ("struct S { int aa; }; void f(struct S *s) { none q = { s->| }; }", ["aa"]),
             ("struct S { int aa; int bb; }; void f() { struct S q = { .| }; }", ["aa", "bb"]),
             ("struct S { int aa; struct { int bb; } in; }; void f() { struct S q = { .in.b| }; }", ["bb"]),
             ("struct S { int aa; }; void f() { struct S q[2] = { [1] = { .a| } }; }", ["aa"]),
             ("int g() { other: goto other; } int f(int a) { goto |; one: a = 1; two: return a; }", ["one", "two"]),
             ("struct S { int a; }; union U { int a; }; enum E { A }; struct |", ["S"]),
             ("struct S { int a; }; union U { int a; }; enum E { A }; enum | x; enum F { B };", ["E"]),
             ('void f() { printf("a.|"); }', []), ('#include "|"', []), ("#pragma |", []),
             ("#define ONE\n#define TWO\n#ifdef |", ["ONE", "TWO", "FROM_OPTIONS", "defined"])]
    for version, (text, expected) in enumerate(cases, 3):
        before, after = text.split("|")
        client.change("a.cl", version, {"text": before + after})
        found = labels(client, before.count("\n"), len(before) - before.rfind("\n") - 1)
        check((text, sorted(found)), (text, sorted(expected)))
    check(client.exit(), 0)


def test_signature_help():
    client = Client(CLC2SPV)
    client.open("a.cl", KERNEL)
    check(client.at("signatureHelp", "a.cl", 9, 54), {"activeParameter": 1, "activeSignature": 0, "signatures": [
        {"label": "float helper(const global float *in, int i)",
         "parameters": [{"label": [13, 35]}, {"label": [37, 42]}]}]})
    found = client.at("signatureHelp", "a.cl", 8, 23)
    check((found["activeParameter"], [s["label"] for s in found["signatures"]]),
          (1, ["gentype fmax(gentype, gentype)", "gentype fmax(gentype, sgentype)"]))
    check(client.at("signatureHelp", "a.cl", 8, 4), None)
    client.change("a.cl", 2, {"text": 'void f() { max(1, printf("%d", 1, 2, '})
    found = client.at("signatureHelp", "a.cl", 0, 37)
    check((found["signatures"][0]["label"], found["activeParameter"]), ("int printf(constant const char *, ...)", 1))
    check(client.exit(), 0)


def test_places():
    with tempfile.TemporaryDirectory() as folder:
        client = Client(CLC2SPV, folder)
        with open(os.path.join(client.folder, "h.h"), "w") as header:
            header.write("#pragma once\nfloat helper(float a);\n#define WIDTH 4\n")
        with open(os.path.join(client.folder, "b.cl"), "w") as other:
            other.write('#include "h.h"\nkernel void b(global float *o) { o[0] = helper(WIDTH); }\n')
        client.open("a.cl", '#include "h.h"\nfloat helper(float a) { return a; }\n'
                            "kernel void k(global float *o) { int a = 1; o[a] = helper(a) + WIDTH; }\n")
        here, header, other = client.uri("a.cl"), client.uri("h.h"), client.uri("b.cl")
        check(client.at("definition", "a.cl", 2, 53), {"uri": here, "range": span(1, 6, 12)})
        check(client.at("declaration", "a.cl", 2, 53), {"uri": header, "range": span(1, 6, 12)})
        check(client.at("definition", "a.cl", 2, 64), {"uri": header, "range": span(2, 8, 13)})
        check(client.at("definition", "a.cl", 0, 12), {"uri": header, "range": span(0, 0, 0)})
        check(client.at("definition", "a.cl", 2, 35), None)
        check(client.at("references", "a.cl", 2, 53, context={"includeDeclaration": True}), [
            {"uri": here, "range": span(1, 6, 12)}, {"uri": here, "range": span(2, 51, 57)},
            {"uri": other, "range": span(1, 40, 46)}, {"uri": header, "range": span(1, 6, 12)}])
        check(client.at("references", "a.cl", 1, 20, context={"includeDeclaration": False}),
              [{"uri": here, "range": span(1, 31, 32)}])
        check(client.at("documentHighlight", "a.cl", 2, 37), [
            {"range": span(2, 37, 38), "kind": 3}, {"range": span(2, 46, 47), "kind": 1},
            {"range": span(2, 58, 59), "kind": 1}])
        check(client.at("prepareRename", "a.cl", 2, 53), {"range": span(2, 51, 57), "placeholder": "helper"})
        check(client.at("rename", "a.cl", 2, 53, newName="assist")["changes"], {
            here: [{"range": span(1, 6, 12), "newText": "assist"}, {"range": span(2, 51, 57), "newText": "assist"}],
            other: [{"range": span(1, 40, 46), "newText": "assist"}],
            header: [{"range": span(1, 6, 12), "newText": "assist"}]})

        # From the header itself, and where a closed kernel uses the name only through another closed header.
        write = lambda name, text: open(os.path.join(client.folder, name), "w").write(text)
        write("u.h", '#include "h.h"\nfloat twice(float a) { return helper(a) + helper(a); }\n')
        write("c.cl", '#include "u.h"\nkernel void c(global float *o) { o[0] = twice(1); }\n')
        write("unrelated.cl", "float helper(float a);\n#include <none.h>\n")
        client.open("h.h", open(os.path.join(client.folder, "h.h")).read())
        through, kernel = client.uri("u.h"), client.uri("c.cl")
        place = {"textDocument": {"uri": header}, "position": {"line": 1, "character": 6}}
        check(client.request("textDocument/references", {**place, "context": {"includeDeclaration": False}})["result"],
              [{"uri": here, "range": span(2, 51, 57)}, {"uri": other, "range": span(1, 40, 46)}])
        check(client.request("textDocument/rename", {**place, "newName": "assist"})["result"]["changes"], {
            here: [{"range": span(1, 6, 12), "newText": "assist"}, {"range": span(2, 51, 57), "newText": "assist"}],
            other: [{"range": span(1, 40, 46), "newText": "assist"}],
            header: [{"range": span(1, 6, 12), "newText": "assist"}],
            through: [{"range": span(1, 30, 36), "newText": "assist"}, {"range": span(1, 42, 48), "newText": "assist"}]})
        check(client.request("textDocument/rename", {**place, "newName": "twice"})["error"]["message"].split(":")[0],
              "'twice' is taken")
        os.remove(os.path.join(client.folder, "u.h"))
        write("c.cl", '#include "h.h"\nfloat assist(float a) { return a; }\n')
        check(client.request("textDocument/rename", {**place, "newName": "assist"})["error"]["message"].split(":")[0],
              "'assist' is taken")
        os.remove(os.path.join(client.folder, "c.cl"))
        # A kernel that another one includes.
        write("b.cl", '#include "a.cl"\nkernel void b(global float *o) { k(o); }\n')
        check(client.at("rename", "a.cl", 2, 12, newName="start")["changes"], {
            here: [{"range": span(2, 12, 13), "newText": "start"}], other: [{"range": span(1, 33, 34), "newText": "start"}]})
        os.makedirs(os.path.join(client.folder, "many"))
        for i in range(2000):
            write(f"many/{i}.cl", "")
        check(client.request("textDocument/rename", {**place, "newName": "assist"})["error"]["message"],
              "not all files that may use 'helper' can be found: there are more than 2000 .cl files")
        check(client.at("rename", "a.cl", 2, 47, newName="b")["changes"][here], [
            {"range": span(2, 37, 38), "newText": "b"}, {"range": span(2, 46, 47), "newText": "b"},
            {"range": span(2, 58, 59), "newText": "b"}])
        shutil.rmtree(os.path.join(client.folder, "many"))
        with tempfile.TemporaryDirectory() as outside:
            path = os.path.realpath(os.path.join(outside, "out.h"))
            client.notify("textDocument/didOpen", {"textDocument": {
                "uri": "file://" + path, "languageId": "opencl", "version": 1, "text": "int lost(void);\n"}})
            lost = {"textDocument": {"uri": "file://" + path}, "position": {"line": 0, "character": 5}}
            for method in ("prepareRename", "rename"):
                check(client.request("textDocument/" + method, {**lost, "newName": "found"})["error"]["message"],
                      f"'lost' is declared in '{path}', which is outside of the editor's folders")
        place = {"textDocument": {"uri": here}, "position": {"line": 2, "character": 53}}
        check(client.request("textDocument/rename", {**place, "newName": "for"})["error"]["message"],
              "'for' is no identifier")
        place["position"]["character"] = 3
        check(client.request("textDocument/prepareRename", place)["error"]["message"],
              "there is no name of the program's here")
        check(client.exit(), 0)


def test_symbols():
    client = Client(CLC2SPV)
    client.open("a.cl", KERNEL)
    found = client.about("documentSymbol", "a.cl")
    check([(s["name"], s["detail"], [c["name"] for c in s.get("children", [])]) for s in found], [
        ("(unnamed)", "struct", ["place", "kind"]), ("particle", "typedef struct {...} particle", []),
        ("colour", "enum colour", ["RED", "GREEN"]),
        ("helper", "float helper(const global float *in, int i)", []),
        ("move", "kernel void move(global particle *p, global float *out)", []), ("TWICE", "macro", [])])
    check((found[4]["range"], found[4]["selectionRange"]), (span(4, 0, 1, last=11), span(4, 12, 16)))
    check(client.exit(), 0)


# ---- What an editor draws and changes ----

def test_semantic_tokens():
    client = Client(CLC2SPV)
    legend = client.capabilities["semanticTokensProvider"]["legend"]
    client.open("a.cl", "constant int c = 1;\nkernel void k(global int *o) { o[0] = max(c, 1); }\n")
    data, found, line, start = client.about("semanticTokens/full", "a.cl")["data"], [], 0, 0
    for i in range(0, len(data), 5):
        down, right, length, kind, modifiers = data[i:i + 5]
        line, start = line + down, right if down else start + right
        found.append((line, start, length, legend["tokenTypes"][kind],
                      [m for bit, m in enumerate(legend["tokenModifiers"]) if modifiers >> bit & 1]))
    check(found, [(0, 13, 1, "variable", ["declaration", "readonly", "static"]),
                  (1, 12, 1, "function", ["declaration"]), (1, 26, 1, "parameter", ["declaration"]),
                  (1, 31, 1, "parameter", []), (1, 38, 3, "function", ["defaultLibrary"]),
                  (1, 42, 1, "variable", ["readonly", "static"])])
    check(client.exit(), 0)


def test_inlay_hints():
    client = Client(CLC2SPV)
    client.open("a.cl", "kernel void k(global float *o, int i, short s, float4 v) {\n"
                        "    o[i] = i + 1;\n    o[0] = 1;\n    i = o[s] * 2 + s;\n    v += i + 2;\n}\n")
    found = client.about("inlayHint", "a.cl", range=span(0, 0, 0, last=9))
    check([(h["position"]["line"], h["position"]["character"], h["label"]) for h in found],
          [(1, 11, "(float)("), (1, 16, ")"), (3, 8, "(int)("), (3, 19, "(float)"), (3, 20, ")"),
           (4, 9, "(float4)("), (4, 14, ")")])
    check(found[0]["tooltip"], "implicit conversion from int")
    client.change("a.cl", 2, {"text": "void f(long l, int i, uint u, float x) {\n    l = i * u;\n    l = -i;\n"
                                      "    l = (i + 1);\n    l = i ? i : 2;\n    x = i * u + x;\n}\n"})
    found = client.about("inlayHint", "a.cl", range=span(0, 0, 0, last=9))
    check([(h["position"]["line"], h["position"]["character"], h["label"]) for h in found],
          [(1, 8, "(long)((uint)"), (1, 13, ")"), (2, 8, "(long)"), (3, 8, "(long)"), (4, 8, "(long)("),
           (4, 17, ")"), (5, 8, "(float)((uint)"), (5, 13, ")")])
    check(found[0]["tooltip"], "implicit conversion from uint; implicit conversion from int")
    client.change("a.cl", 3, {"text": "kernel void k(global float *o, int i, short s, float4 v) {\n"
                                      "    o[i] = i + 1;\n}\n"})
    check(client.about("inlayHint", "a.cl", range=span(2, 0, 0, last=3)), [])
    check(client.exit(), 0)


def test_folding():
    client = Client(CLC2SPV)
    client.open("a.cl", '#include "a.h"\n#include "b.h"\n\n/* a\n b */\nvoid f() {\n  if (1) {\n    g();\n  }\n}\n'
                        "#if 1\nint a;\n#else\nint b;\n#endif\n")
    check(sorted((r["startLine"], r["endLine"], r.get("kind", "")) for r in client.about("foldingRange", "a.cl")),
          [(0, 1, "imports"), (3, 4, "comment"), (5, 8, ""), (6, 7, ""), (10, 11, ""), (12, 13, "")])
    check(client.exit(), 0)


def test_code_actions():
    client = Client(CLC2SPV)
    found = client.open("a.cl", "kernel void k(global int *out) {\n    out[0] = get_globl_id(0);\n    out[1] = 1\n}\n")
    actions = client.about("codeAction", "a.cl", range=span(1, 13, 13), context={"diagnostics": []})
    check(actions, [{"title": "replace with 'get_global_id'", "kind": "quickfix", "isPreferred": True,
                     "diagnostics": [found[0]], "edit": {"changes": {client.uri("a.cl"): [
                         {"range": span(1, 13, 25), "newText": "get_global_id"}]}}}])
    check([a["title"] for a in client.about("codeAction", "a.cl", range=span(0, 0, 0, last=9), context={})],
          ["replace with 'get_global_id'", "insert ';'"])
    for only, count in [(["source"], 0), (["refactor", "quickfix.x"], 0), (["quickfix"], 1), ([""], 1)]:
        found = client.about("codeAction", "a.cl", range=span(1, 13, 13), context={"diagnostics": [], "only": only})
        check((only, len(found)), (only, count))
    check(client.exit(), 0)


def test_formatting():
    client = Client(CLC2SPV)
    client.open("it's.cl", "int f(){return 1;}\n")
    reply = client.request("textDocument/formatting", {"textDocument": {"uri": client.uri("it's.cl")}, "options": {}})
    if shutil.which("clang-format"):
        check(reply["result"], [{"range": span(0, 0, 0, last=1), "newText": "int f() { return 1; }\n"}])
    else:
        check(reply["error"]["message"], "clang-format is not installed, or refuses the text")
    check(client.exit(), 0)


def main():
    wanted = sys.argv[2] if len(sys.argv) > 2 else ""
    for name, test in list(globals().items()):
        if name.startswith("test_") and wanted in name:
            print(name, flush=True)
            test()


main()
