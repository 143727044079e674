# SPDX-License-Identifier: MIT
"""The five programs that both benches run, and the line that says on what."""
import datetime
import os
import platform
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))


def prepare(folder):
    """Makes their inputs in `folder`: a command by name."""
    os.environ["PERL_HASH_SEED"] = "0"
    subprocess.run([f"{HERE}/programs/make_inputs.sh", folder], check=True)
    for name in ("random_access", "matmul"):
        subprocess.run(["gcc", "-O2", "-o", f"{folder}/{name}", f"{HERE}/programs/{name}.c"], check=True)
    compiler = subprocess.run(["gcc", "-print-prog-name=cc1"], check=True, capture_output=True, text=True).stdout.strip()
    return {
        "random access 64 MiB": [f"{folder}/random_access"],
        "matmul 500": [f"{folder}/matmul", "500"],
        "bzip2, 3 MB": ["bzip2", "-kc", f"{folder}/text"],
        "perl hash": ["perl", f"{HERE}/programs/hash.pl"],
        "cc1 -O2": [compiler, "-O2", "-quiet", f"{folder}/program.c", "-o", "/dev/null"],
    }


def where_and_when():
    with open("/proc/cpuinfo") as file:
        names = [line.split(":")[1].strip() for line in file if line.startswith("model name")]
    cpu = f"{names[0]}, {len(names)} CPUs" if names else platform.machine()
    version = subprocess.run(["valgrind", "--version"], capture_output=True, text=True).stdout.strip()
    return f"{datetime.date.today()}, {cpu}, Linux {platform.release()}, {version}"
