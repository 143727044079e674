#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""thread_safety.py reports wrong uses of each class of locks, and nothing about right ones. Argument: clang++."""
import pathlib
import shlex
import sys
import tempfile

import thread_safety

PROGRAM = """
#include "base/mutex.h"
#include "model/bounded_lock.h"
#include "model/lock_guard.h"
#include "model/spin_lock.h"
#include "pmu/soft/direct/runtime/lock.h"
template <typename Lock, typename Guard>
struct Counter {
  void add() { Guard guard(lock); ADD }
  Lock lock;
  int count HM_GUARDED_BY(lock) = 0;
};
template struct Counter<hm::Mutex, hm::MutexLock>;
template struct Counter<hm::model::SpinLock, hm::model::LockGuard<hm::model::SpinLock>>;
template struct Counter<hm::model::BoundedLock, hm::model::LockGuard<hm::model::BoundedLock>>;
template struct Counter<hm::soft::direct::Lock, hm::soft::direct::Guard>;
hm::Mutex mutex;
int guarded HM_GUARDED_BY(mutex) = 0;
void enter() HM_ACQUIRES(mutex) { mutex.lock(); }
int read() HM_REQUIRES(mutex) { return guarded; }
MORE
"""
RIGHT = "int get() { hm::MutexLock lock(mutex); return read(); }"
WRONG = ["int get() { return guarded; }", "int get() { return read(); }", "void get() { enter(); }",
         "void get() { mutex.unlock(); }", "void get() { hm::MutexLock lock(mutex); enter(); }"]


def warnings_of(clang, folder, add, more):
    file = pathlib.Path(folder) / "program.cc"
    file.write_text(PROGRAM.replace("ADD", add).replace("MORE", more))
    command = shlex.join(["c++", "-std=c++20", f"-I{pathlib.Path.cwd()}/src", "-o", "program.o", "-c", str(file)])
    return thread_safety.check(clang, {"file": str(file), "directory": folder, "command": command})


with tempfile.TemporaryDirectory() as folder:
    clang = sys.argv[1]
    found = warnings_of(clang, folder, "++count;", RIGHT)
    assert not found, found
    for more in WRONG:
        assert len(warnings_of(clang, folder, "++count;", more)) == 1, more
    unguarded = PROGRAM.replace("{ Guard guard(lock); ADD }", "{ ++count; }")
    PROGRAM = unguarded
    found = warnings_of(clang, folder, "", RIGHT)
    assert found, "no warning about a member that is changed without its lock"
