#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What Prometheus ($prometheus), which scrapes hardmeter ($metrics), answers.
   llc_prometheus_board.py occupancy: it knows of both programs what they are known to hold
   llc_prometheus_board.py expressions: those of the board and the rules ($examples) use metrics that there are, and are right"""
import json
import os
import pathlib
import re
import sys
import urllib.error
import urllib.parse
import urllib.request

FOOTPRINTS = {"./hold 2000000": 2000000, "./hold 4000000": 4000000}
OWN_BYTES = 500000  # upper bound: a program's memory besides the measured buffer
# These need several caches, and a counter of local traffic, which the software PMU lacks.
NOT_HERE = {"hardmeter_llc_domain_occupancy_bytes", "hardmeter_llc_memory_local_bytes_per_second"}
problems = []


def query(expression):
    url = os.environ["prometheus"] + "/api/v1/query?" + urllib.parse.urlencode({"query": expression})
    try:
        with urllib.request.urlopen(url) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        return json.load(error)


def check_occupancy():
    found = {each["metric"]["name"]: each for each in query("hardmeter_llc_occupancy_bytes")["data"]["result"]}
    if set(found) != set(FOOTPRINTS):
        problems.append(f"names: {sorted(found)}")
        return
    for name, bytes_walked in FOOTPRINTS.items():
        held = float(found[name]["value"][1])
        if not bytes_walked <= held <= bytes_walked + OWN_BYTES:
            problems.append(f"{name} holds {held} bytes")
        if found[name]["metric"]["modelled"] != "true":
            problems.append(f"{name} is not marked as modelled")


def names_in(text):
    return set(re.findall(r"\bhardmeter_llc_\w+", text))


def check_board(board):
    """Its expressions, and the variables in them."""
    expressions = [t["expr"] for panel in board["panels"] for t in panel["targets"]]
    variables = {variable["name"]: variable["query"]["query"] for variable in board["templating"]["list"]}
    for expression in expressions:
        used = set(re.findall(r"\$(\w+)", expression))
        if not used <= set(variables):
            problems.append(f"no such variable: {expression}")
        for name, value in (("instance", ".*"), ("modelled", "true")):
            expression = expression.replace("$" + name, value)
        answer = query(expression)
        if answer["status"] != "success":
            problems.append(f"{expression}: {answer.get('error')}")
        elif not answer["data"]["result"] and not names_in(expression) & NOT_HERE:
            problems.append(f"{expression}: nothing")
    ids = [panel["id"] for panel in board["panels"]]
    if len(set(ids)) != len(ids):
        problems.append("panels of the same id")
    return expressions + list(variables.values())


def check_expressions():
    examples = pathlib.Path(os.environ["examples"])
    scraped = urllib.request.urlopen(os.environ["metrics"]).read().decode()
    there_are = set(re.findall(r"^# TYPE (\w+)", scraped, re.MULTILINE))
    told = names_in((examples / "README.md").read_text())
    if told != there_are | NOT_HERE:
        problems.append(f"README.md and the metrics differ: {told ^ (there_are | NOT_HERE)}")
    used = names_in("\n".join(check_board(json.loads((examples / "grafana-board.json").read_text()))))
    rules = "".join(f.read_text() for f in examples.glob("*.yml"))
    used |= names_in(rules) - {"hardmeter_llc"}
    if not used <= told:
        problems.append(f"there are no such metrics: {used - told}")


{"occupancy": check_occupancy, "expressions": check_expressions}[sys.argv[1]]()
for problem in problems:
    print(problem)
sys.exit(1 if problems else 0)
