#!/bin/bash
# SPDX-License-Identifier: MIT
# The extension for VS Code, in a real VS Code in headless Chromium: vscode.sh HARDMETER SOURCE
. "$(dirname "$0")/../cli/common.sh"
source=$(realpath -- "$2")
[ -n "${HARDMETER_VSCODE:-}" ] || { skipped "VS Code: set HARDMETER_VSCODE to the folder that tests/integrations/vscode_server.sh made"; exit 77; }
has node chromium cc || exit 77
needs_software_pmu
mkdir -p project extensions/hardmeter data/data/Machine && cd project || exit 1
cat >loop.c <<'END'
static volatile char array[4096][64];
int main(void) {
  int sum = 0;
  for (int i = 0; i < 4096; ++i) {
    sum += array[i][0];
  }
  return sum;
}
END
cc -g -O1 -o loop loop.c || expect "cc" 0 $?
"$hardmeter" record -q --pmu=soft -e l1_cache_miss -c 20 -o hardmeter.data ./loop
cd "$work" || exit 1
cp "$source"/integrations/vscode/{package.json,extension.js} extensions/hardmeter/
ln -s "$(realpath -- "$HARDMETER_VSCODE")/node_modules" extensions/hardmeter/node_modules
printf '{"hardmeter.program": "%s"}' "$hardmeter" >data/data/Machine/settings.json
node "$source/tests/integrations/vscode.mjs" "$HARDMETER_VSCODE" "$work/project" "$work/extensions" "$work/data"
expect "what VS Code shows" 0 $?
finish
