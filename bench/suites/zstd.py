# SPDX-License-Identifier: MIT
"""zstd's tests: its command-line tests one by one, its fuzzers for a few rounds, and its test of the thread pool."""
import os

from suites.job import Job
from suites.suite import Suite, by_status

NO_TESTS = ("setup", "setup_once", "teardown", "teardown_once")


class Zstd(Suite):
    name = "zstd"

    def build(self):
        self.debian_source("libzstd")
        self.command("make -s -j$(nproc) && make -s -C tests -j$(nproc) datagen fuzzer zstreamtest poolTests decodecorpus")

    def jobs(self):
        tests = f"{self.source}/tests"
        cli = f"{tests}/cli-tests"
        for folder in sorted(entry.name for entry in os.scandir(cli) if entry.is_dir() and entry.name not in ("bin", "common", "scratch")):
            for script in sorted(os.listdir(f"{cli}/{folder}")):
                if script.endswith(".sh") and script not in NO_TESTS:
                    yield Job(f"{folder}/{script}", ["python3", "run.py", f"{folder}/{script}"], cli, {"ZSTD_BIN": f"{self.source}/programs/zstd"})
        for seed in range(1, 9):
            yield Job(f"fuzzer seed {seed}", [f"{tests}/fuzzer", "-v", "-t1", "-i20", f"-s{seed}"], tests)
            yield Job(f"zstreamtest seed {seed}", [f"{tests}/zstreamtest", "-v", "-t1", "-i10", f"-s{seed}"], tests)
            yield Job(f"zstreamtest, new interface, seed {seed}", [f"{tests}/zstreamtest", "-v", "-t1", "-i10", "--newapi", f"-s{seed}"], tests)
        yield Job("poolTests", [f"{tests}/poolTests"], tests)
        yield Job("playTests.sh", ["sh", "playTests.sh"], tests,
                  {"ZSTD_BIN": f"{self.source}/programs/zstd", "DATAGEN_BIN": f"{tests}/datagen"})

    def outcomes(self, ended):
        return {"": by_status(ended.status)}
