# SPDX-License-Identifier: Apache-2.0
"""A client of `clc2spv --lsp` for tests: sends messages, waits for answers, keeps notifications."""
import json
import os
import queue
import subprocess
import threading

TIMEOUT = 60  # seconds until a server that does not answer fails the test


def frame(message):
    """A message's bytes. A str or bytes is sent as it is, whether it is JSON or not."""
    body = message if isinstance(message, (str, bytes)) else json.dumps(message)
    body = body.encode() if isinstance(body, str) else body
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


class Client:
    def __init__(self, clc2spv, folder=None, options=None, initialize=True):
        self.process = subprocess.Popen([clc2spv, "--lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.messages = queue.Queue()
        self.notifications = []
        self.replies = {}
        self.last_id = 0
        self.folder = os.path.realpath(folder) if folder else None
        threading.Thread(target=self._read, daemon=True).start()
        if initialize:
            self.capabilities = self.initialize(options)["result"]["capabilities"]

    def _read(self):
        out = self.process.stdout
        while True:
            length = None
            while line := out.readline().strip():
                name, value = line.split(b":")
                assert name == b"Content-Length", line
                length = int(value)
            if length is None:
                return self.messages.put(None)
            self.messages.put(json.loads(out.read(length)))

    def initialize(self, options=None, capabilities=None):
        params = {"processId": None, "rootUri": None, "capabilities": capabilities or {}}
        if self.folder:
            params["workspaceFolders"] = [{"uri": "file://" + self.folder, "name": "test"}]
        if options is not None:
            params["initializationOptions"] = {"options": options}
        reply = self.request("initialize", params)
        self.notify("initialized", {})
        return reply

    def send(self, message):
        self.send_bytes(frame(message))

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def next(self):
        """The next message, a reply or a notification; None at the end."""
        return self.messages.get(timeout=TIMEOUT)

    def notify(self, method, params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def start(self, method, params):
        self.last_id += 1
        self.send({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params})
        return self.last_id

    def wait(self, id):
        while id not in self.replies:
            message = self.next()
            assert message is not None, "the server ended"
            if "method" in message:
                self.notifications.append(message)
            else:
                self.replies[message["id"]] = message
        return self.replies.pop(id)

    def request(self, method, params):
        return self.wait(self.start(method, params))

    def result(self, method, params):
        reply = self.request(method, params)
        assert "result" in reply, reply
        return reply["result"]

    # ---- Documents ----

    def uri(self, name):
        return "file://" + os.path.join(self.folder, name) if self.folder else "file:///" + name

    def open(self, name, text, version=1):
        """Opens a document and returns its diagnostics."""
        self.notify("textDocument/didOpen", {"textDocument": {
            "uri": self.uri(name), "languageId": "opencl", "version": version, "text": text}})
        return self.diagnostics(name, version)

    def change(self, name, version, *changes):
        self.notify("textDocument/didChange", {
            "textDocument": {"uri": self.uri(name), "version": version}, "contentChanges": list(changes)})

    def diagnostics(self, name, version):
        """Waits for those of this version."""
        while True:
            for i, message in enumerate(self.notifications):
                params = message["params"]
                if message["method"] == "textDocument/publishDiagnostics" and params["uri"] == self.uri(name) and \
                        params.get("version") == version:
                    del self.notifications[i]
                    return params["diagnostics"]
            message = self.next()
            assert message is not None, "the server ended"
            if "method" in message:
                self.notifications.append(message)
            else:
                self.replies[message["id"]] = message

    def at(self, method, name, line, character, **more):
        """The result of a request about a position."""
        return self.result("textDocument/" + method, {
            "textDocument": {"uri": self.uri(name)}, "position": {"line": line, "character": character}, **more})

    def about(self, method, name, **more):
        return self.result("textDocument/" + method, {"textDocument": {"uri": self.uri(name)}, **more})

    def exit(self, shutdown=True):
        """Ends the server and returns its exit code."""
        if shutdown:
            self.request("shutdown", None)
        self.notify("exit", None)
        return self.process.wait(timeout=TIMEOUT)

    def end_of_input(self):
        self.process.stdin.close()
        return self.process.wait(timeout=TIMEOUT)


def span(line, begin, end, last=None):
    return {"start": {"line": line, "character": begin}, "end": {"line": line if last is None else last,
                                                                  "character": end}}
