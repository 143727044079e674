#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What it costs to watch who holds the last-level cache, on a file system that behaves as the kernel's resctrl (tests/rdt/).

llc_cost.py BUILD [ROUNDS [PAIRS]]; as root. 10,000 threads in 500 processes, each a group, are looked at once a second: CPU time
of `hardmeter llc` for each refresh, after those that warm up; beside it, of as many processes as Debian's pqos takes, that of
`pqos --iface=os` and ours. Then a program's run time with and without `hardmeter llc` beside it.
"""
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import five_programs

PROCESSES, THREADS, IDS = 500, 20, 600
PQOS_PROCESSES = 100  # pqos's os interface handles not many more
WARM_UP, REFRESHES = 4, 20  # seconds; one refresh per second
ROOT = "/sys/fs/resctrl"  # the path that pqos reads


def run_in_own_mounts():
    """pqos looks for resctrl in one place only, and asks /proc/filesystems: both are others in a mount namespace."""
    if "HM_HAS_OWN_MOUNTS" not in os.environ:
        os.environ["HM_HAS_OWN_MOUNTS"] = "1"
        os.execvp("unshare", ["unshare", "--mount", "--propagation", "private", sys.executable, *sys.argv])


def start_server(build, folder):
    subprocess.run(["mount", "-t", "tmpfs", "none", "/sys/fs"], check=True)
    os.mkdir(ROOT)
    names = folder / "filesystems"
    names.write_text(pathlib.Path("/proc/filesystems").read_text() + "nodev\tresctrl\n")
    subprocess.run(["mount", "--bind", names, "/proc/filesystems"], check=True)
    values = folder / "values"
    values.write_text("* 0 llc_occupancy 65536\nrate * 0 mbm_total_bytes 1000000\n")
    server = subprocess.Popen([build / "bin/resctrl_filesystem", ROOT, str(IDS), "1", values, "4"])
    while not os.path.exists(f"{ROOT}/tasks"):
        if server.poll() is not None:
            sys.exit("bench: a FUSE file system cannot be mounted here")
        time.sleep(0.05)
    return server


def start_processes(folder):
    """The process that has started them, and theirs."""
    program = folder / "idle_processes"
    source = pathlib.Path(__file__).resolve().parent / "programs/idle_processes.c"
    subprocess.run(["cc", "-O1", source, "-o", program, "-pthread"], check=True)
    parent = subprocess.Popen([program, str(PROCESSES), str(THREADS)], stdout=subprocess.PIPE)
    if len(parent.stdout.read(PROCESSES)) != PROCESSES:
        sys.exit("bench: the processes could not be started")
    children = pathlib.Path(f"/proc/{parent.pid}/task/{parent.pid}/children").read_text().split()
    return parent, children


def cpu_ns(pid):
    """Of all threads that it has: the scheduler's count, finer than the ticks in /proc/PID/stat."""
    tasks = pathlib.Path(f"/proc/{pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks)


def groups():
    return len(os.listdir(f"{ROOT}/mon_groups"))


def remove_control_groups():
    """Those that pqos makes when it begins, and leaves: where threads are is then asked of their lists, too."""
    for name in os.listdir(ROOT):
        if os.path.isdir(f"{ROOT}/{name}/mon_groups"):
            os.rmdir(f"{ROOT}/{name}")


def wait_for_groups(tool, count):
    while groups() < count:
        if tool.poll() is not None:
            sys.exit(f"bench: {tool.args[0]} has ended before it had {count} groups")
        time.sleep(0.2)


def ms_each_refresh(command, count, cpus, log):
    """CPU time of one refresh. `count`: the groups that it has when it measures all."""
    with open(log, "w") as said:
        tool = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said,
                                preexec_fn=lambda: os.sched_setaffinity(0, cpus))
    try:
        wait_for_groups(tool, count)
        time.sleep(WARM_UP)
        before = cpu_ns(tool.pid)
        time.sleep(REFRESHES)
        return (cpu_ns(tool.pid) - before) / 1e6 / REFRESHES
    finally:
        tool.send_signal(signal.SIGINT)
        tool.wait()
        remove_control_groups()


def commands(build, parent, children):
    some = ",".join(children[:PQOS_PROCESSES])
    ours = [str(build / "bin/hardmeter"), "llc", "--resctrl", ROOT, "-d", "1", "--csv", "--by", "process"]
    pqos = ["pqos", "--iface=os", "--disable-mon-ipc", "--disable-mon-llc_miss", "-i", "10", "-u", "csv", "-o", "/dev/null",
            "-p", f"all:{some}"]
    return {("hardmeter", PROCESSES): [*ours, "-p", str(parent)],
            ("hardmeter", PQOS_PROCESSES): [*ours, "-p", some],
            ("pqos", PQOS_PROCESSES): pqos}


def print_refreshes(server, tools, rounds, folder):
    places = {"one CPU": {min(os.sched_getaffinity(0))}, "any CPU": os.sched_getaffinity(0)}
    times = {(tool, place): [] for tool in tools for place in places}
    for i in range(rounds):
        for place, cpus in places.items():
            os.sched_setaffinity(server.pid, cpus)
            for tool, command in tools.items():
                times[tool, place].append(ms_each_refresh(command, tool[1], cpus, folder / "said"))
                print(f"round {i + 1}: {tool}, {place}: {times[tool, place][-1]:.2f} ms", file=sys.stderr)
    print("| | groups | threads | server on the same CPU, ms each refresh | of one CPU, % | on any CPU, ms | of one CPU, % |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for name, count in tools:
        medians = [statistics.median(times[(name, count), place]) for place in places]
        cells = " | ".join(f"{ms:.1f} | {ms / 10:.2f}" for ms in medians)
        print(f"| {name} | {count} | {count * THREADS:,} | {cells} |", flush=True)


def run_times(command):
    began, before = time.monotonic(), os.times()
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return time.monotonic() - began, cpu


def print_overhead(watch, victim, pairs, folder):
    alone, watched = [], []
    for i in range(pairs):
        alone.append(run_times(victim))
        with open(folder / "said", "w") as said:
            watcher = subprocess.Popen(watch, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said)
        wait_for_groups(watcher, PROCESSES)
        time.sleep(2)
        watched.append(run_times(victim))
        watcher.send_signal(signal.SIGINT)
        watcher.wait()
        print(f"pair {i + 1} of {pairs}: {alone[-1]} {watched[-1]}", file=sys.stderr)
    print("\n| random access 64 MiB, six times | alone, s | watched, s | watched / alone, median of the pairs |\n|---|---:|---:|---:|")
    for k, what in enumerate(("run time", "CPU time")):
        ratio = statistics.median(w[k] / a[k] for a, w in zip(alone, watched))
        medians = [statistics.median(each[k] for each in times) for times in (alone, watched)]
        print(f"| {what} | {medians[0]:.3f} | {medians[1]:.3f} | {ratio:.3f} |")


def main():
    run_in_own_mounts()
    build = pathlib.Path(sys.argv[1]).resolve()
    rounds, pairs = (int(word) for word in (sys.argv[2:] + ["3", "10"][len(sys.argv) - 2:]))
    subprocess.run(["cmake", "--build", build, "--target", "hardmeter", "resctrl_filesystem"], check=True,
                   stdout=subprocess.DEVNULL)
    version = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "intel-cmt-cat"], capture_output=True, text=True).stdout
    print(f"{five_programs.where_and_when()}; pqos {version}; load average at the beginning "
          f"{os.getloadavg()[0]:.1f}; medians of {rounds} rounds of {REFRESHES} refreshes, and of {pairs} pairs\n")
    with tempfile.TemporaryDirectory(prefix="hardmeter-bench-") as name:
        folder = pathlib.Path(name)
        server = start_server(build, folder)
        parent, children = start_processes(folder)
        try:
            tools = commands(build, parent.pid, children)
            if rounds:
                print_refreshes(server, tools, rounds, folder)
            victim = folder / "random_access"
            source = pathlib.Path(__file__).resolve().parent / "programs/random_access.c"
            subprocess.run(["cc", "-O2", source, "-o", victim], check=True)
            whole_machine = tools["hardmeter", PROCESSES][:-2]
            print_overhead(whole_machine, ["sh", "-c", f"for i in 1 2 3 4 5 6; do {victim}; done"], pairs, folder)
        finally:
            parent.kill()
            subprocess.run(["umount", "-l", ROOT])
            server.wait()


if __name__ == "__main__":
    main()
