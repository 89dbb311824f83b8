# SPDX-License-Identifier: Apache-2.0
"""What several scripts know of the files of kernels."""
import re


def options_of(file):
    """The options that a file's `// OPTIONS:` lines name, and its folder for includes."""
    text = file.read_text(encoding="utf-8", errors="replace")
    return [f"-I{file.parent}"] + [option for line in re.findall(r"^// OPTIONS:(.*)", text, re.M) for option in line.split()]
