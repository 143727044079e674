#!/bin/bash
# SPDX-License-Identifier: MIT
# clang-tidy ($1) is silent about the sources that changed, in the working tree or by the last commit; "all" as
# $3 checks every source that the build in $2 compiles (some minutes). The Valgrind engine is left out, and what the
# engines compile once more of other folders: their flags are not clang's.
set -o pipefail
tidy=$1
build=$2
mkdir -p "$build/tidy"
python3 - "$build" <<'P'
import json, re, sys
build = sys.argv[1]
entries = [entry for entry in json.load(open(f"{build}/compile_commands.json"))
           if "/hardmeter-amd64-linux.dir/" not in entry["command"]
           and not ("/hardmeter-direct.dir/" in entry["command"] and "/direct/" not in entry["file"])]
single = []
for entry in entries:
    # g++'s own flags mean nothing to clang.
    entry["command"] = re.sub(r"-mmemset-strategy=\S+|-ffixed-\S+|-fno-threadsafe-statics", "", entry["command"])
    together = re.findall(r'^#include "(.*)"', open(entry["file"]).read(), re.M) if "/Unity/unity_" in entry["file"] else []
    single += [entry] if not together else [
        {**entry, "file": file, "command": entry["command"].replace(entry["file"], file)} for file in together]
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
