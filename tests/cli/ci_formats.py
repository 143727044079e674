#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks a file in a format of CI services, and prints the number of its entries: ci_formats.py FORMAT FILE

The schemas are written after the published documentation, and describe the parts that hardmeter writes:
  sarif             SARIF 2.1.0, OASIS standard, sections 3.13 to 3.34 and 3.49
  junit             "JUnit XML Reporting File Format" (github.com/testmoapp/junitxml) and docs.gitlab.com, "Unit test reports"
  bencher           bencher.dev/docs/reference/bencher-metric-format
  benchmark-action  README of github.com/benchmark-action/github-action-benchmark, "customSmallerIsBetter"
  github            docs.github.com, "Workflow commands for GitHub Actions"
"""
import json
import re
import sys
import xml.etree.ElementTree as tree

TEXT = {"type": "string", "minLength": 1}
NUMBER = {"type": "number"}


def with_all(properties, optional=None):
    """Returns the schema of an object with all these properties and no others, except optional ones."""
    return {"type": "object", "properties": {**properties, **(optional or {})}, "required": list(properties),
            "additionalProperties": False}


def list_of(item, at_least=0):
    return {"type": "array", "items": item, "minItems": at_least}


MESSAGE = with_all({"text": TEXT})
SARIF = with_all({
    "$schema": {"type": "string", "format": "uri"},
    "version": {"const": "2.1.0"},
    "runs": list_of(with_all({
        "tool": with_all({"driver": with_all({"name": TEXT}, {"rules": list_of(with_all({"id": TEXT}, {"shortDescription": MESSAGE}))})}),
        "results": list_of(with_all(
            {"ruleId": TEXT, "level": {"enum": ["none", "note", "warning", "error"]}, "message": MESSAGE},
            {"locations": list_of(with_all({"logicalLocations": list_of(with_all({"name": TEXT, "kind": {"enum": ["function"]}}), 1)}))})),
    }), 1),
})
BENCHER = {"type": "object", "minProperties": 1, "propertyNames": {"minLength": 1}, "additionalProperties": {
    "type": "object", "minProperties": 1,
    "additionalProperties": with_all({"value": NUMBER}, {"lower_value": NUMBER, "upper_value": NUMBER})}}
BENCHMARK_ACTION = list_of(with_all({"name": TEXT, "unit": TEXT, "value": NUMBER}, {"range": TEXT, "extra": TEXT}), 1)

# Element: its required attributes, and its permitted children.
JUNIT = {"testsuite": ({"name", "tests", "failures", "errors", "skipped", "time"}, {"testcase"}),
         "testcase": ({"classname", "name", "time"}, {"failure", "error", "skipped"}),
         "failure": ({"message"}, set()), "error": ({"message"}, set()), "skipped": ({"message"}, set())}

COMMAND = re.compile(r"::(error|warning|notice) title=((?:[^%:,\r\n]|%(?:25|0D|0A|3A|2C))+)::((?:[^%\r\n]|%(?:25|0D|0A))+)")


def check_json(schema, text):
    import jsonschema
    value = json.loads(text)
    jsonschema.Draft7Validator.check_schema(schema)
    jsonschema.validate(value, schema)
    return value


def check_element(element):
    attributes, children = JUNIT[element.tag]
    if set(element.attrib) != attributes:
        raise ValueError(f"{element.tag} has the attributes {sorted(element.attrib)}")
    for child in element:
        if child.tag not in children:
            raise ValueError(f"{child.tag} in {element.tag}")
        check_element(child)


def check_junit(text):
    suite = tree.fromstring(text.encode())
    if suite.tag != "testsuite":
        raise ValueError(f"the root is {suite.tag}")
    check_element(suite)
    for attribute, path in (("tests", "testcase"), ("failures", "testcase/failure"), ("errors", "testcase/error"), ("skipped", "testcase/skipped")):
        if int(suite.get(attribute)) != len(suite.findall(path)):
            raise ValueError(f"{attribute} is {suite.get(attribute)}, and there are {len(suite.findall(path))}")
    return len(suite)


def check_sarif(text):
    run = check_json(SARIF, text)["runs"][0]
    rules = {rule["id"] for rule in run["tool"]["driver"].get("rules", [])}
    for result in run["results"]:
        if result["ruleId"] not in rules:
            raise ValueError(f"no rule {result['ruleId']}")
    return len(run["results"])


def check_github(text):
    for line in text.splitlines():
        if COMMAND.fullmatch(line) is None:
            raise ValueError(f"no workflow command: {line}")
    return len(text.splitlines())


FORMATS = {"sarif": check_sarif, "junit": check_junit, "github": check_github,
           "bencher": lambda text: len(check_json(BENCHER, text)),
           "benchmark-action": lambda text: len(check_json(BENCHMARK_ACTION, text))}

if __name__ == "__main__":
    with open(sys.argv[2], encoding="utf-8") as file:
        print(FORMATS[sys.argv[1]](file.read()))
