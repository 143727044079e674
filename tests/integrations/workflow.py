# SPDX-License-Identifier: MIT
"""Runs the steps of a composite action (action.yml) and the script of a GitLab job, as the services document it.

Only what the files of integrations/ use is implemented; anything else is an error. Facts are from docs.github.com
("Metadata syntax for GitHub Actions", "Workflow syntax", "Workflow commands") and docs.gitlab.com ("CI/CD YAML syntax")."""
import os
import pathlib
import re
import subprocess

import yaml

EXPRESSION = re.compile(r"\$\{\{\s*([\w.-]+)\s*\}\}")
CONDITION = re.compile(r"([\w.-]+)\s*!=\s*''")
STEP_KEYS = {"name", "id", "if", "shell", "env", "run"}


class Unsupported(Exception):
    """The file uses something that this runner does not implement."""


class Action:
    """A composite action with the files that a runner provides."""

    def __init__(self, path, work, environment):
        self.path = pathlib.Path(path)
        self.text = yaml.safe_load(self.path.read_text(encoding="utf-8"))
        self.files = {name: work / name.lower() for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT", "GITHUB_PATH")}
        self.temp = work / "temp"
        self.temp.mkdir(parents=True)
        self.environment = environment
        self.context = {}
        self.output = ""

    def value(self, text):
        """Replaces expressions by the values of the context; an unknown name is an error."""
        def known(match):
            if match.group(1) not in self.context:
                raise Unsupported(f"unknown expression {match.group(1)}")
            return self.context[match.group(1)]
        return EXPRESSION.sub(known, str(text))

    def set_inputs(self, given, github):
        self.context = {f"github.{name}": value for name, value in github.items()}
        inputs = {}
        for name, about in self.text["inputs"].items():
            if about.get("required") and name not in given:
                raise Unsupported(f"the input {name} is required")
            inputs[f"inputs.{name}"] = given.get(name, self.value(about.get("default", "")))
        self.context.update(inputs)

    def wanted(self, step):
        if "if" not in step:
            return True
        match = CONDITION.fullmatch(step["if"])
        if match is None:
            raise Unsupported(f"the condition {step['if']}")
        return self.context[match.group(1)] != ""

    def run_step(self, step, folder):
        if not set(step) <= STEP_KEYS or step["shell"] != "bash":
            raise Unsupported(f"step {step}")
        if "${{" in step["run"]:
            raise Unsupported("an expression in a script: its value would become code")
        for file in self.files.values():
            file.touch()
        paths = [line for line in reversed(self.files["GITHUB_PATH"].read_text().splitlines()) if line]
        environment = {**self.environment, **{name: str(file) for name, file in self.files.items()},
                       "RUNNER_TEMP": str(self.temp), **{name: self.value(text) for name, text in step.get("env", {}).items()}}
        environment["PATH"] = ":".join([*paths, self.environment["PATH"]])
        script = self.temp / "step.sh"
        script.write_text(step["run"], encoding="utf-8")
        done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", script], cwd=folder, env=environment, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.output += done.stdout
        if "id" in step:
            for line in self.files["GITHUB_OUTPUT"].read_text().splitlines():
                name, _, value = line.partition("=")
                self.context[f"steps.{step['id']}.outputs.{name}"] = value
        return done.returncode

    def run(self, given, github, folder):
        """Returns the status of the first step that fails, or 0, and the action's outputs."""
        self.set_inputs(given, github)
        if self.text["runs"]["using"] != "composite":
            raise Unsupported("this is no composite action")
        status = 0
        for step in self.text["runs"]["steps"]:
            if status == 0 and self.wanted(step):
                status = self.run_step(step, folder)
        outputs = {}
        for name, about in self.text.get("outputs", {}).items():
            found = EXPRESSION.fullmatch(about["value"])
            outputs[name] = self.context.get(found.group(1), "")
        return status, outputs


def run_gitlab_job(path, job, variables, folder, environment):
    """Returns the status and the output of a job's script. Variables of the job may name other variables."""
    text = yaml.safe_load(pathlib.Path(path).read_text(encoding="utf-8"))[job]
    if not set(text) <= {"variables", "script", "artifacts"}:
        raise Unsupported(f"job {sorted(text)}")
    known = {**environment, **variables}
    for name, value in text["variables"].items():
        known.setdefault(name, re.sub(r"\$(\w+)", lambda match: known.get(match.group(1), ""), value))
    done = subprocess.run(["bash", "-c", "set -eo pipefail\n" + "\n".join(text["script"])], cwd=folder, env=known, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def clean_environment():
    """A runner's environment, without that of the test."""
    return {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR", "LANG") if name in os.environ}
