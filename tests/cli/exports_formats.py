#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints how many events a file holds, "EVENT NUMBER" a line, after it was found to be as its format says:
   exports_formats.py speedscope|chrome|firefox FILE

The schemas say what https://www.speedscope.app/file-format-schema.json, the "Trace Event Format" and the types in
src/types/profile.ts of https://github.com/firefox-devtools/profiler say of what hardmeter writes."""
import collections
import json
import sys

import jsonschema


def numbers(least=0):
    return {"type": "array", "items": {"type": "number", "minimum": least}}


def with_all(properties, **more):
    """An object that has all of these."""
    return {"type": "object", "properties": properties, "required": list(properties), **more}


TEXT, COUNT = {"type": "string"}, {"type": "integer", "minimum": 0}

SPEEDSCOPE = with_all({
    "$schema": {"const": "https://www.speedscope.app/file-format-schema.json"},
    "shared": with_all({"frames": {"type": "array", "items": {
        "type": "object", "required": ["name"], "additionalProperties": False,
        "properties": {"name": TEXT, "file": TEXT, "line": COUNT, "col": COUNT}}}}),
    "profiles": {"type": "array", "items": with_all({
        "type": {"const": "sampled"}, "name": TEXT, "startValue": {"const": 0}, "endValue": COUNT,
        "unit": {"enum": ["bytes", "microseconds", "milliseconds", "nanoseconds", "none", "seconds"]},
        "samples": {"type": "array", "items": numbers()}, "weights": numbers()}, additionalProperties=False)},
})

OF_THREAD = {"pid": COUNT, "tid": COUNT, "name": TEXT}
CHROME = with_all({
    "displayTimeUnit": {"enum": ["ms", "ns"]},
    "stackFrames": {"type": "object", "additionalProperties": {
        "type": "object", "required": ["name", "category"], "properties": {"name": TEXT, "category": TEXT, "parent": TEXT}}},
    "traceEvents": {"type": "array", "items": {"oneOf": [
        with_all({"ph": {"const": "M"}, "args": with_all({"name": TEXT}), **OF_THREAD,
                  "name": {"enum": ["process_name", "thread_name"]}}),
        with_all({"ph": {"const": "i"}, "s": {"enum": ["g", "p", "t"]}, "ts": {"type": "number", "minimum": 0}, "cat": TEXT,
                  "sf": COUNT, "args": with_all({"events": COUNT}), **OF_THREAD}),
        with_all({"ph": {"const": "C"}, "ts": {"type": "number", "minimum": 0}, **OF_THREAD,
                  "args": {"type": "object", "minProperties": 1, "additionalProperties": {"type": "number"}}}),
    ]}},
})

# The columns of each table, with the table that an entry is an index into; None if the entry is not an index.
TABLES = {
    "samples": {"stack": "stackTable", "time": None, "weight": None},
    "stackTable": {"frame": "frameTable", "prefix": "stackTable", "category": "categories", "subcategory": None},
    "frameTable": {"address": None, "inlineDepth": None, "category": "categories", "subcategory": None, "func": "funcTable",
                   "nativeSymbol": "nativeSymbols", "innerWindowID": None, "implementation": "strings", "line": None, "column": None},
    "funcTable": {"name": "strings", "isJS": None, "relevantForJS": None, "resource": "resourceTable", "fileName": "strings",
                  "lineNumber": None, "columnNumber": None},
    "resourceTable": {"lib": "libs", "name": "strings", "host": "strings", "type": None},
    "nativeSymbols": {"libIndex": "libs", "address": None, "name": "strings", "functionSize": None},
    "markers": {"data": None, "name": "strings", "startTime": None, "endTime": None, "phase": None, "category": "categories"},
}
FIREFOX = with_all({
    "meta": with_all({
        "interval": COUNT, "startTime": COUNT, "processType": COUNT, "product": TEXT, "stackwalk": {"enum": [0, 1]},
        "version": COUNT, "preprocessedProfileVersion": {"const": 48}, "markerSchema": {"type": "array"},
        "symbolicated": {"const": True},
        "categories": {"type": "array", "contains": with_all({"color": {"const": "grey"}}), "items": with_all({
            "name": TEXT, "color": TEXT, "subcategories": {"type": "array", "minItems": 1}})}}),
    "libs": {"type": "array", "items": with_all({key: TEXT for key in (
        "arch", "name", "path", "debugName", "debugPath", "breakpadId")}, additionalProperties={"type": ["string", "null"]})},
    "threads": {"type": "array", "items": with_all({
        "name": TEXT, "pid": TEXT, "tid": COUNT, "isMainThread": {"type": "boolean"},
        "processType": TEXT, "processStartupTime": COUNT, "processShutdownTime": {"type": "null"}, "registerTime": COUNT,
        "unregisterTime": {"type": "null"}, "pausedRanges": {"type": "array"}, "stringArray": {"type": "array", "items": TEXT},
        **{table: with_all({"length": COUNT, **{column: {"type": "array"} for column in columns}})
           for table, columns in TABLES.items()}})},
})


def speedscope(file):
    frames = len(file["shared"]["frames"])
    for profile in file["profiles"]:
        assert len(profile["samples"]) == len(profile["weights"])
        assert all(stack and max(stack) < frames for stack in profile["samples"])
        assert sum(profile["weights"]) == profile["endValue"]
        yield profile["name"].split(": ")[0], profile["endValue"]


def chrome(file):
    frames = file["stackFrames"]
    assert all(frame["parent"] in frames for frame in frames.values() if "parent" in frame)
    for event in file["traceEvents"]:
        if event["ph"] == "i":
            assert frames[str(event["sf"])]["name"] == event["name"]
            yield event["cat"], event["args"]["events"]


def firefox(file):
    for thread in file["threads"]:
        sizes = {table: thread[table]["length"] for table in TABLES}
        sizes.update(strings=len(thread["stringArray"]), libs=len(file["libs"]), categories=len(file["meta"]["categories"]))
        for table, columns in TABLES.items():
            for column, target in columns.items():
                values = thread[table][column]
                assert len(values) == sizes[table], (table, column)
                assert target is None or all(value in (None, -1) or 0 <= value < sizes[target] for value in values), (table, column)
        prefixes = thread["stackTable"]["prefix"]
        assert all(prefix is None or prefix < number for number, prefix in enumerate(prefixes))
        assert thread["samples"]["time"] == sorted(thread["samples"]["time"])
        yield thread["name"].rsplit(" ")[-1], sum(thread["samples"]["weight"])


def main():
    name, path = sys.argv[1:]
    with open(path, encoding="utf-8") as opened:
        file = json.load(opened)
    schema = {"speedscope": SPEEDSCOPE, "chrome": CHROME, "firefox": FIREFOX}[name]
    jsonschema.validate(file, schema)
    totals = collections.Counter()
    for event, events in {"speedscope": speedscope, "chrome": chrome, "firefox": firefox}[name](file):
        totals[event] += events
    for event, events in sorted(totals.items()):
        print(event, events)


if __name__ == "__main__":
    main()
