#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes one file of the page: make_page.py CALDERA.WASM PAGE.HTML.

The module is in it with gzip and base64, and the worker as text, because a page from file:// may load no other files.
"""
import base64
import gzip
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
EXAMPLES = {
    "saxpy": {"file": "examples/saxpy.cl"},
    "reduction": {"file": "examples/reduction.cl"},
    "mandelbrot": {"file": "examples/mandelbrot.cl"},
    "histogram": {"file": "examples/histogram.cl"},
    "n-body": {"file": "examples/n_body.cl"},
    "matrix product": {"file": "examples/matrix_product.cl"},
    "with errors": {"source": """kernel void scale(global float *out, constant float *k, int n) {
    size_t i = get_global_id(0);
    if (i < n) {
        k[0] = out[i];
        out[i] *= factor
    }
    int unused = 3.5;
}
""", "options": "-Wall -Wextra"},
}


def in_script(text):
    """A literal of JavaScript that does not end the element around it."""
    return json.dumps(text).replace("<", "\\u003c")


def main():
    wasm, page = map(pathlib.Path, sys.argv[1:])
    examples = {}
    for name, example in EXAMPLES.items():
        source = (ROOT / example["file"]).read_text() if "file" in example else example["source"]
        examples[name] = {"source": source, "options": example.get("options", "")}
    # A worker is no module here: what its text imports stands before it.
    compiler = (ROOT / "web/npm/caldera.mjs").read_text().replace("\nexport ", "\n")
    worker = compiler + (HERE / "worker.js").read_text()
    packed = base64.b64encode(gzip.compress(wasm.read_bytes(), 9, mtime=0)).decode()
    script = (f"const kWasm = '{packed}';\nconst kWorker = {in_script(worker)};\nconst kExamples = {in_script(examples)};\n" +
              (HERE / "page.js").read_text())
    text = (HERE / "page.html").read_text()
    for mark, content in (("/*@style@*/", (HERE / "page.css").read_text()), ("/*@script@*/", script)):
        assert text.count(mark) == 1
        text = text.replace(mark, content)
    page.write_text(text)


if __name__ == "__main__":
    main()
