# SPDX-License-Identifier: Apache-2.0
"""The rules of SARIF 2.1.0 for the parts of a log that our tools write, beyond which they write nothing.

check(log, folder) returns the faults. Regions must lie inside the files, which `folder` has. Where CALDERA_SARIF_SCHEMA
names OASIS' schema and Python has jsonschema, the log is checked with it, too.
"""
import json
import os
import pathlib
import re
import urllib.parse

# The properties that an object may have; those with '!' it must have.
MEMBERS = {
    "log": "$schema version! runs!", "run": "tool! columnKind invocations artifacts results", "tool": "driver!",
    "driver": "name! fullName version rules", "rule": "id! shortDescription helpUri defaultConfiguration",
    "invocation": "executionSuccessful!", "artifact": "location!",
    "result": "ruleId ruleIndex level message! locations relatedLocations fixes properties", "message": "text!",
    "location": "id physicalLocation message annotations relationships logicalLocations",
    "logical": "name! kind",
    "physical": "artifactLocation! region", "file": "uri! index", "text": "text!",
    "region": "startLine startColumn endLine endColumn byteOffset byteLength", "relation": "target! kinds",
    "fix": "artifactChanges!", "change": "artifactLocation! replacements!", "replacement": "deletedRegion! insertedContent"}


class Checker:
    def __init__(self, folder):
        self.folder, self.faults, self.files = pathlib.Path(folder), [], []

    def want(self, good, text):
        if not good:
            self.faults.append(text)

    def members(self, kind, value):
        names = MEMBERS[kind].split()
        known = {name.rstrip("!") for name in names}
        self.want(isinstance(value, dict), f"a {kind} is no object: {value}")
        for name in value:
            self.want(name in known, f"a {kind} has {name}")
        for name in names:
            self.want(not name.endswith("!") or name[:-1] in value, f"a {kind} has no {name[:-1]}: {value}")
        return value

    def message(self, value):
        self.want(bool(self.members("message", value)["text"]), "a message is empty")

    def file(self, value):
        self.members("file", value)
        uri = value["uri"]
        self.want(re.fullmatch(r"(%[0-9A-F]{2}|[A-Za-z0-9\-._~/:!$&'()*+,;=@])+", uri), f"no URI: {uri}")
        self.want(self.files[value["index"]] == uri, f"artifact {value['index']} is not {uri}")
        path = urllib.parse.unquote(uri.removeprefix("file://"))
        return self.folder / path

    def region(self, value, path):
        self.members("region", value)
        if "byteOffset" in value:
            end = value["byteOffset"] + value["byteLength"]
            self.want(path.exists() and end <= path.stat().st_size, f"{path} has no bytes {value}")
            return
        first, last = value["startLine"], value.get("endLine", value["startLine"])
        self.want(1 <= first <= last, f"lines run backwards: {value}")
        if not path.exists():  # a name that #line gave
            return
        lines = path.read_text(encoding="utf-8").split("\n")
        self.want(last <= len(lines), f"{path} has no line {last}")
        for line, column in ((first, value.get("startColumn", 1)), (last, value.get("endColumn", 1))):
            self.want(1 <= column <= len(lines[line - 1]) + 1, f"{path}:{line} has no column {column}")
        if first == last and "endColumn" in value:
            self.want(value["startColumn"] <= value["endColumn"], f"columns run backwards: {value}")

    def location(self, value):
        self.members("location", value)
        if "message" in value:
            self.message(value["message"])
        for each in value.get("logicalLocations", []):
            self.members("logical", each)
        if "physicalLocation" in value:
            physical = self.members("physical", value["physicalLocation"])
            path = self.file(physical["artifactLocation"])
            for region in [physical.get("region")] + value.get("annotations", []):
                if region is not None:
                    self.region(region, path)

    def result(self, value, rules):
        self.members("result", value)
        self.want(rules[value["ruleIndex"]]["id"] == value["ruleId"], f"ruleIndex {value['ruleIndex']}")
        self.want(value["level"] in ("note", "warning", "error"), f"level {value['level']}")
        self.message(value["message"])
        places = value.get("locations", []) + value.get("relatedLocations", [])
        ids = [place["id"] for place in places if "id" in place]
        self.want(len(ids) == len(set(ids)), f"locations share an id: {ids}")
        for place in places:
            self.location(place)
            for relation in place.get("relationships", []):
                self.members("relation", relation)
                self.want(relation["target"] in ids, f"no location {relation['target']}")
                self.want(set(relation["kinds"]) <= {"includes", "isIncludedBy"}, f"kinds {relation['kinds']}")
        for fix in value.get("fixes", []):
            self.want(bool(self.members("fix", fix)["artifactChanges"]), "a fix changes nothing")
            for change in fix["artifactChanges"]:
                path = self.file(self.members("change", change)["artifactLocation"])
                self.want(bool(change["replacements"]), "a change replaces nothing")
                for replacement in change["replacements"]:
                    self.region(self.members("replacement", replacement)["deletedRegion"], path)

    def log(self, value):
        self.members("log", value)
        self.want(value["version"] == "2.1.0", f"version {value['version']}")
        for run in value["runs"]:
            self.members("run", run)
            self.want(run["columnKind"] == "unicodeCodePoints", f"columnKind {run['columnKind']}")
            driver = self.members("driver", self.members("tool", run["tool"])["driver"])
            names = [self.members("rule", rule)["id"] for rule in driver["rules"]]
            self.want(len(names) == len(set(names)), f"rules share an id: {names}")
            for invocation in run["invocations"]:
                self.members("invocation", invocation)
            self.files = [self.members("artifact", each)["location"]["uri"] for each in run["artifacts"]]
            self.want(len(self.files) == len(set(self.files)), f"artifacts share a URI: {self.files}")
            for result in run["results"]:
                self.result(result, driver["rules"])


def check(log, folder):
    checker = Checker(folder)
    checker.log(log)
    schema = os.environ.get("CALDERA_SARIF_SCHEMA")
    if schema and not checker.faults:
        import jsonschema
        validator = jsonschema.Draft4Validator(json.loads(pathlib.Path(schema).read_text(encoding="utf-8")))
        checker.faults += [error.message for error in validator.iter_errors(log)]
    return checker.faults


def apply_fixes(log, folder):
    """Changes the files in `folder` as the log's fixes say; the last place first."""
    edits = [(change["artifactLocation"]["uri"], replacement)
             for run in log["runs"] for result in run["results"] for fix in result.get("fixes", [])
             for change in fix["artifactChanges"] for replacement in change["replacements"]]
    for uri, replacement in sorted(edits, key=lambda edit: (edit[1]["deletedRegion"]["startLine"],
                                                            edit[1]["deletedRegion"]["startColumn"]), reverse=True):
        region = replacement["deletedRegion"]
        path = pathlib.Path(folder) / urllib.parse.unquote(uri)
        lines = path.read_text(encoding="utf-8").split("\n")
        line = lines[region["startLine"] - 1]
        lines[region["startLine"] - 1] = (line[:region["startColumn"] - 1] +
                                          replacement.get("insertedContent", {"text": ""})["text"] +
                                          line[region["endColumn"] - 1:])
        path.write_text("\n".join(lines), encoding="utf-8")
    return len(edits)
