#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The GitHub Action and the GitLab template run with a release archive, without network:
   ci_services_test.py BUILD SOURCE"""
import functools
import hashlib
import http.server
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
import xml.etree.ElementTree as tree

try:
    import workflow
except ImportError as error:
    print(f"SKIPPED: the Action and the GitLab template: {error}")
    sys.exit(77)

BUILD, SOURCE = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
ACTION = SOURCE / "integrations/github/action.yml"
TEMPLATE = SOURCE / "integrations/gitlab/hardmeter.yml"

PROGRAM = """
#include <stdlib.h>
#include <string.h>
int main(void) {
  volatile char *table = calloc(1 << 20, 1);
  long sum = 0;
  for (long i = 0; i < STEPS; i++) sum += table[i * 4099 % (1 << 20)];
  return sum != 0;
}
"""
CONFIG = """
fail-above = ["l1_cache_miss:5%"]
event = ["l1_cache_miss"]
[[command]]
name = "walk"
run = ["./walk"]
"""


def git(folder, *words):
    subprocess.run(["git", "-c", "user.name=T", "-c", "user.email=t@localhost", *words], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def build(folder, steps):
    (folder / "walk.c").write_text(PROGRAM, encoding="utf-8")
    subprocess.run(["gcc", "-O1", "-static", f"-DSTEPS={steps}", "-o", "walk", "walk.c"], cwd=folder, check=True)


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_words):
        pass


class Services(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.work = pathlib.Path(cls.holder.name)
        made = subprocess.run(["bash", SOURCE / "packaging/tarball.sh", BUILD, cls.work / "dist", "tar"], check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if made.returncode != 0:
            raise RuntimeError(f"packaging/tarball.sh: {made.stdout}")
        cls.archive = next((cls.work / "dist").glob("hardmeter-*-linux.tar"))
        cls.origin = cls.work / "origin"
        cls.origin.mkdir()
        git(cls.origin, "init", "--quiet", "--initial-branch=main")
        (cls.origin / "hardmeter.toml").write_text(CONFIG, encoding="utf-8")
        (cls.origin / ".gitignore").write_text("walk\n", encoding="utf-8")
        build(cls.origin, 20000)
        subprocess.run([BUILD / "bin/hardmeter", "ci", "--update"], cwd=cls.origin, check=True, stdout=subprocess.DEVNULL)
        git(cls.origin, "add", ".")
        git(cls.origin, "commit", "--quiet", "--message=Walk")

    @classmethod
    def tearDownClass(cls):
        cls.holder.cleanup()

    def checkout(self, steps):
        """Returns a clone with the program of a pull request."""
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.work))
        git(folder, "clone", "--quiet", f"file://{self.origin}", "clone")
        build(folder / "clone", steps)
        return folder / "clone"

    def run_action(self, steps, base="main", **inputs):
        folder = self.checkout(steps)
        action = workflow.Action(ACTION, folder.parent / "runner", workflow.clean_environment())
        status, outputs = action.run({"archive": str(self.archive), **inputs}, {"base_ref": base}, folder)
        return status, outputs, action, folder

    def test_a_change_without_more_misses_passes(self):
        status, outputs, action, folder = self.run_action(20000)
        self.assertEqual((status, outputs["status"]), (0, "0"), action.output)
        table = (folder / outputs["comment"]).read_text()
        self.assertIn("### hardmeter: no limit is violated", table)
        self.assertIn("kept (5%)", table)
        self.assertEqual(action.files["GITHUB_STEP_SUMMARY"].read_text(), table)

    def test_a_change_with_more_misses_fails(self):
        status, outputs, action, _ = self.run_action(40000)
        self.assertEqual((status, outputs["status"]), (3, "3"), action.output)
        self.assertIn("::error title=hardmeter%3A walk%3A l1_cache_miss%3A5%25::exceeded", action.output)
        self.assertIn("1 of 1 limit violated", action.files["GITHUB_STEP_SUMMARY"].read_text())

    def test_the_baseline_is_that_of_the_base_branch(self):
        folder = self.checkout(40000)
        subprocess.run([BUILD / "bin/hardmeter", "ci", "--update"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        action = workflow.Action(ACTION, folder.parent / "runner", workflow.clean_environment())
        status, _ = action.run({"archive": str(self.archive)}, {"base_ref": "main"}, folder)
        self.assertEqual(status, 3, action.output)

    def test_without_a_base_branch_the_checkout_has_the_baselines(self):
        status, _, action, _ = self.run_action(20000, base="")
        self.assertEqual(status, 0, action.output)

    def test_wrong_input_is_in_the_summary(self):
        status, outputs, action, _ = self.run_action(20000, config="none.toml")
        self.assertEqual((status, outputs["status"]), (2, "2"), action.output)
        self.assertIn("cannot open none.toml", action.files["GITHUB_STEP_SUMMARY"].read_text())

    def test_another_archive_than_the_checksum_says_is_refused(self):
        good = hashlib.sha256(self.archive.read_bytes()).hexdigest()
        self.assertEqual(self.run_action(20000, sha256=good)[0], 0)
        status, _, action, _ = self.run_action(20000, sha256="0" * 64)
        self.assertEqual(status, 1, action.output)
        self.assertFalse((action.temp / "hardmeter").exists())

    def test_the_archive_may_be_a_url(self):
        if shutil.which("curl") is None:
            self.skipTest("curl is not installed")
        handler = functools.partial(QuietHandler, directory=self.archive.parent)
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            url = f"http://127.0.0.1:{server.server_port}/{self.archive.name}"
            status, _, action, _ = self.run_action(20000, archive=url)
            missing, _, _, _ = self.run_action(20000, archive=url + ".none")
            server.shutdown()
        self.assertEqual(status, 0, action.output)
        self.assertNotEqual(missing, 0)

    def test_gitlab(self):
        for steps, expected in ((20000, 0), (40000, 3)):
            folder = self.checkout(steps)
            variables = {"HARDMETER_ARCHIVE": str(self.archive), "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main"}
            status, output = workflow.run_gitlab_job(TEMPLATE, ".hardmeter", variables, folder, workflow.clean_environment())
            self.assertEqual(status, expected, output)
            self.assertIn("l1_cache_miss", output)
            suite = tree.parse(folder / "hardmeter.xml").getroot()
            self.assertEqual(suite.get("failures"), str(expected // 3))
            self.assertIn("### hardmeter: ", (folder / "hardmeter.md").read_text())

    def test_the_runner_refuses_what_it_does_not_implement(self):
        action = workflow.Action(ACTION, self.work / "refusing", workflow.clean_environment())
        action.set_inputs({"archive": "x"}, {"base_ref": ""})
        for step in ({"uses": "actions/checkout@v4"}, {"shell": "bash", "run": "echo ${{ inputs.archive }}"}):
            with self.assertRaises(workflow.Unsupported):
                action.run_step({"shell": "bash", **step}, self.work)
        with self.assertRaises(workflow.Unsupported):
            action.value("${{ secrets.token }}")


def main():
    for tool in ("git", "gcc", "patchelf"):
        if shutil.which(tool) is None:
            print(f"SKIPPED: the Action and the GitLab template: {tool} is not installed")
            return 77
    probe = subprocess.run([BUILD / "bin/hardmeter", "stat", "--pmu=soft", "--reproducible", "-o", "/dev/null", "true"], check=False,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if probe.returncode != 0:
        print(f"SKIPPED: the Action and the GitLab template: {probe.stdout.strip()}")
        return 77
    return 0 if unittest.main(argv=sys.argv[:1], exit=False).result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
