#!/bin/bash
# SPDX-License-Identifier: MIT
# Installs what the test of the VS Code extension needs, from npm alone: the server of VS Code that the package
# code-server contains, vscode-languageclient and playwright-core. vscode_server.sh FOLDER (300 MB, two minutes)
# Then: HARDMETER_VSCODE=FOLDER ctest -R integrations.vscode
set -euo pipefail
mkdir -p "$1" && cd "$1"
quiet="--ignore-scripts --no-audit --no-fund --silent"
[ -e package.json ] || npm init -y >/dev/null
npm install $quiet code-server@4.96.4 vscode-languageclient@9 playwright-core@1
cd node_modules/code-server/lib/vscode
# One dependency in the package's own list is a Git repository; npm has it, too.
rm -f npm-shrinkwrap.json
npm install $quiet --omit=dev
node out/server-main.js --version
