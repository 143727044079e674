# SPDX-License-Identifier: MIT
"""QEMU's tests of its translator, tests/tcg: instructions, floating point, signals, memory, threads."""
import glob
import os

from suites.job import Job
from suites.suite import Problem, Suite, is_program, status_and_output

# By QEMU's name of the processor: how to compile for it.
COMPILERS = {"x86_64": "gcc", "i386": "gcc -m32"}
# Sources in i386/ that QEMU itself does not build for x86_64; those in 32-bit assembler do not build.
ALSO_64_BIT = "test-i386-*.c"


class Qemu(Suite):
    name = "qemu"

    def build(self):
        self.debian_source("qemu")
        also = " ".join(sorted(os.path.basename(path)[:-2] for path in glob.glob(f"{self.source}/tests/tcg/i386/{ALSO_64_BIT}")))
        for processor, compiler in COMPILERS.items():
            self.command(f"""
                mkdir -p {processor}
                make -s -k -j$(nproc) -C {processor} -f {self.source}/tests/tcg/Makefile.target TARGET={processor}-linux-user \\
                  TARGET_NAME={processor} SRC_PATH={self.source} CC='{compiler}' EXTRA_CFLAGS=-Wno-error PYTHON=python3 \\
                  CROSS_CC_HAS_I386_NOPIE=y all {also} || true""", self.folder)

    def jobs(self):
        programs = [path for processor in COMPILERS for path in sorted(glob.glob(f"{self.folder}/{processor}/*")) if is_program(path)]
        if not programs:
            raise Problem(f"none of its programs was built; {self.folder}/log has the reason")
        for path in programs:
            folder, name = os.path.split(path)
            # hardmeter refuses to start a 32-bit program, but a measured program may.
            command = [f"./{name}"] if folder.endswith("64") else ["sh", "-c", f"exec ./{name}"]
            yield Job(os.path.relpath(path, self.folder), command, folder)

    def outcomes(self, ended):
        return status_and_output(ended)
