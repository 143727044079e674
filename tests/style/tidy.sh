#!/bin/bash
# SPDX-License-Identifier: MIT
# Checks that clang-tidy ($1) reports nothing for the changed sources, in the working tree or in the last commit. "all"
# as $3 checks every source that the build in $2 compiles (some minutes). Excludes the Valgrind engine, and the engines'
# extra compilations of other folders: clang does not accept their flags.
set -o pipefail
tidy=$1
build=$2
mkdir -p "$build/tidy"
python3 - "$build" <<'P'
import json, os, re, sys
build = sys.argv[1]
sources = os.getcwd()
entries = [entry for entry in json.load(open(f"{build}/compile_commands.json"))
           if "/hardmeter-amd64-linux.dir/" not in entry["command"]
           and not ("/hardmeter-direct.dir/" in entry["command"] and "/direct/" not in entry["file"])]
single = []
for entry in entries:
    # g++'s own flags mean nothing to clang.
    entry["command"] = re.sub(r"-mmemset-strategy=\S+|-ffixed-\S+|-fno-threadsafe-statics", "", entry["command"])
    is_own = entry["file"].startswith((f"{sources}/src/", f"{sources}/tests/"))
    # What the build folder has includes the files that are compiled together.
    names = [] if is_own else re.findall(r'^#include "(.*\.cc)"', open(entry["file"]).read(), re.M)
    together = [next(path for path in (f"{sources}/src/{name}", f"{sources}/tests/{name}") if os.path.exists(path))
                for name in names]
    single += [{**entry, "file": file, "command": entry["command"].replace(entry["file"], file)}
               for file in together or [entry["file"]]]
json.dump(single, open(f"{build}/tidy/compile_commands.json", "w"))
P
compiled() {
  python3 - "$build/tidy/compile_commands.json" <<'P'
import json, os, sys
for entry in json.load(open(sys.argv[1])):
    path = os.path.relpath(entry["file"])
    if path.startswith("src/") and path.endswith(".cc") and not path.startswith("src/pmu/soft/valgrind/"):
        print(path)
P
}
changed() { git diff --name-only HEAD~1 2>/dev/null || git ls-files; }

if [ "${3:-}" = all ]; then files=$(compiled); else files=$(comm -12 <(compiled | sort) <(changed | sort)); fi
[ -z "$files" ] || xargs -P2 -n2 "$tidy" -p "$build/tidy" --quiet 2>/dev/null <<<"$files"
