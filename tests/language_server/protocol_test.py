#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `clc2spv --lsp` answers, to the letter: protocol_test.py CLC2SPV [TEST]."""
import os
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


def main():
    wanted = sys.argv[2] if len(sys.argv) > 2 else ""
    for name, test in list(globals().items()):
        if name.startswith("test_") and wanted in name:
            print(name, flush=True)
            test()


main()
