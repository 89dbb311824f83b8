#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes packaging/pages of what the tools say of themselves: make_pages.py BUILD [--check] [--into=FOLDER].

For each of clc2spv, spv-check and clrun: a manual page (TOOL.1), completions for bash (TOOL.bash) and for zsh (_TOOL). They
come from `TOOL --help`. The words that an option takes are those that the tool names when it is given another one. BUILD
is the folder with the tools. --check writes nothing, and fails if a page in packaging/pages is stale.
"""
import argparse
import pathlib
import re
import subprocess
import sys

PAGES = pathlib.Path(__file__).resolve().parent / "pages"
TOOLS = {
    "clc2spv": ("compile OpenCL C to SPIR-V for OpenCL and Vulkan", "cl spv spvasm", "[options] FILE..."),
    "spv-check": ("report all faults of SPIR-V modules", "spv spvasm", "[options] FILE..."),
    "clrun": ("compile OpenCL C and dispatch a kernel on a Vulkan device", "cl spv", "[options] FILE"),
}
SEE_ALSO = "clc2spv(1), spv\\-check(1), clrun(1)"
NO_WORD = "no-such-word"


def say(build, tool, *arguments):
    """What the tool prints."""
    done = subprocess.run([tool, *arguments], executable=build / tool, capture_output=True, text=True,
                          env={"PATH": "/usr/bin:/bin"}, cwd=build, check=False)
    return done.stdout + done.stderr


class Option:
    """A row of --help."""

    def __init__(self, left, text):
        self.left, self.help = left, text
        self.words = []  # that the option takes
        # "-h,--help" and "--format TEXT:{text,json}" are CLI11's; a value follows after "=", apart or joined. A joined one
        # has three capitals: -DNAME has a value, and -MMD has none.
        match = re.match(r"(-[\w-]+?(?:,--[\w-]+)*)(?:(=)([^ ].*)|( )(\S.*)|(\[.*|[A-Z]{3}.*))?$", left)
        if not match:
            sys.exit(f"make_pages.py: cannot read '{left}'")
        self.names = match[1].split(",")
        self.value = match[3] or match[5] or match[6] or ""
        self.form = "=" if match[2] else " " if match[4] else "joined" if match[6] else ""

    def find_words(self, build, tool):
        """The words that the option takes, if it takes no others."""
        listed = re.search(r"\{([\w,-]+)\}", self.value) or re.fullmatch(r"\[?([\w-]+(?:\|[\w-]+)+)\]?", self.value)
        if listed:
            self.words = re.split(r"[,|]", listed[1])
        elif tool == "clc2spv" and self.form in ("=", " "):
            given = [f"{self.names[0]}={NO_WORD}"] if self.form == "=" else [self.names[0], NO_WORD]
            answer = say(build, tool, *given, "none.cl")
            expected = re.search(r"(?:; expected|, only) ([^;\n]*)", answer)
            words = re.split(r", | or | and ", expected[1]) if expected and NO_WORD in answer else []
            if all(re.fullmatch(r"[\w.-]+", word) for word in words):  # else it is a sentence
                self.words = words

    @property
    def kind(self):
        """What completes the value: words, passes, files, folders or nothing."""
        if self.words:
            return "words"
        if self.value.startswith("PASS"):
            return "passes"
        if "DIR" in self.value or "folder" in self.help:
            return "folders"
        return "files" if re.search(r"FILE|OUT", self.value) or re.search(r"\bfile\b", self.help) else ""


class Help:
    """A tool's --help: paragraphs before the options, options, and paragraphs after them."""

    def __init__(self, build, tool):
        self.tool = tool
        self.before, self.options, self.after = [], [], []
        row = None
        for line in say(build, tool, "--help").splitlines():
            # Behind a long name one blank stands before the text. Values begin with a capital, or are CLI11's "..." and
            # "in [1 - 9]".
            option = re.match(r"  (-\S+(?: (?:[A-Z.]\S*|in \[.*?\]))*)(?: +(.*))?$", line)
            if option and not self.after:
                row = [option[1], option[2] or ""]
                self.options.append(row)
            elif row and line.startswith(" " * 20):
                row[1] = (row[1] + " " + line.strip()).strip()
            else:
                row = None
                (self.after if self.options else self.before).append(line)
        self.options = [Option(*row) for row in self.options]
        for option in self.options:
            option.find_words(build, tool)


# ---- The manual page ----

def roff(text):
    """Text that groff prints as it is."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def manual(page, version):
    """A page of section 1."""
    name, (what, _, synopsis) = page.tool, TOOLS[page.tool]
    out = [f'.\\" Made by packaging/make_pages.py of `{name} --help`.',
           f'.TH {roff(name.upper())} 1 "" "Caldera {version}" "User Commands"',
           ".SH NAME", f"{roff(name)} \\- {roff(what)}", ".SH SYNOPSIS", f".B {roff(name)}", roff(synopsis),
           ".SH DESCRIPTION"]
    skipped = ("usage:", "Usage:", "Options:")
    before = [line for line in page.before if not line.startswith(skipped) and "Positionals:" not in line]
    out += paragraphs(before)
    out.append(".SH OPTIONS")
    for option in page.options:
        out += [".TP", f".B {roff(option.left)}", roff(option.help) or "\\&"]
    out += [".SH NOTES", *paragraphs(page.after, headings=True)]
    out += [".SH SEE ALSO", SEE_ALSO]
    return "\n".join(out) + "\n"


def paragraphs(lines, headings=False):
    """Plain text; indented lines stay as they are, and a line that ends with a colon is the heading of such lines."""
    out, is_plain = [], False
    for line in lines:
        is_table = line.startswith("  ")
        if is_table != is_plain:
            out.append(".nf" if is_table else ".fi")
            is_plain = is_table
        if not line:
            out.append(".PP")
        elif headings and line in ("examples:", "Examples:"):
            out.append(".SH EXAMPLES")
        else:
            out.append(roff(line[2:] if is_table else line))
    while out and out[-1] == ".PP":
        out.pop()
    if is_plain:
        out.append(".fi")
    return out[1:] if out and out[0] == ".PP" else out


# ---- Completions ----

PASSES = "clc2spv --list-passes 2>/dev/null | sed -n 's/^[0-9]* *\\([a-z0-9_]*\\) .*/\\1/p'"


def bash(page):
    """bash splits words at '=': an option, "=" and a value are three of them. Names of files may have blanks."""
    function = "_" + page.tool.replace("-", "_")
    cases = {}
    for option in page.options:
        if option.form in ("=", " ") or (option.form == "joined" and option.kind in ("files", "folders")):
            action = {"words": f'mapfile -t COMPREPLY < <(compgen -W "{" ".join(option.words)}" -- "$cur")',
                      "passes": f'mapfile -t COMPREPLY < <(compgen -W "$({PASSES})" -- "$cur")',
                      "folders": 'compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$cur")',
                      "files": 'compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$cur")',
                      "": "COMPREPLY=()"}[option.kind]
            cases.setdefault(action, []).extend(option.names)
    names = []
    for option in page.options:
        for name in option.names:
            joined = option.words if option.form == "joined" else []
            names += [name + "=" if option.form == "=" else name, *(name + word for word in joined)]
    inputs = " ".join(f"compgen -f -X '!*.{ending}' -- \"$cur\";" for ending in TOOLS[page.tool][1].split())
    arms = "\n".join(f"    {'|'.join(spelled)}) {action}; return ;;" for action, spelled in cases.items())
    return f"""# Made by packaging/make_pages.py of `{page.tool} --help`.
{function}() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD - 1]}} IFS=$' \\t\\n'
  if [ "$cur" = = ]; then
    cur=""
  elif [ "$prev" = = ]; then
    prev=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  case $prev in
{arms}
  esac
  if [[ $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "{" ".join(dict.fromkeys(names))}" -- "$cur")
    if [[ ${{COMPREPLY[0]}} == *= ]]; then compopt -o nospace; fi
  else
    compopt -o filenames
    mapfile -t COMPREPLY < <({inputs} compgen -d -- "$cur")
  fi
}}
complete -F {function} {page.tool}
"""


def zsh(page):
    """A row of _arguments for each option."""
    rows = []
    for option in page.options:
        help_text = re.sub(r"([\[\]\\:])", r"\\\1", option.help).replace("'", "'\\''")
        action = {"words": f"({' '.join(option.words)})", "passes": f"($({PASSES}))".replace("'", "'\\''"),
                  "folders": "_files -/", "files": "_files", "": ""}[option.kind]
        what = re.sub(r"[^\w ]+", " ", option.value).strip() or "value"
        for name in option.names:
            mark = {"": "", "=": "=", " ": "", "joined": "-"}[option.form]
            value = f":{what}:{action}" if option.form else ""
            rows.append(f"  '*{name}{mark}[{help_text}]{value}'")
    inputs = "|".join(TOOLS[page.tool][1].split())
    rows.append(f"  '*:file:_files -g \"*.({inputs})\"'")
    return (f"#compdef {page.tool}\n# Made by packaging/make_pages.py of `{page.tool} --help`.\n"
            "_arguments \\\n" + " \\\n".join(rows) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--into", type=pathlib.Path, default=PAGES)
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    version = re.search(r"[\d.]+\s*$", say(build, "clc2spv", "--version"))[0].strip()
    stale = []
    for tool in TOOLS:
        page = Help(build, tool)
        for name, text in ((f"{tool}.1", manual(page, version)), (f"{tool}.bash", bash(page)), (f"_{tool}", zsh(page))):
            path = arguments.into / name
            if not arguments.check:
                path.write_text(text)
            elif not path.exists() or path.read_text() != text:
                stale.append(name)
    if stale:
        sys.exit(f"stale: {', '.join(stale)}; run packaging/make_pages.py {arguments.build}")


if __name__ == "__main__":
    main()
