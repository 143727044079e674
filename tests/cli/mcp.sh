#!/bin/bash
# SPDX-License-Identifier: MIT
# An assistant's client gets answers from every tool, and ends what it started: mcp.sh HARDMETER PROGRAMS
. "$(dirname "$0")/common.sh"
needs_engine
tests=$(cd "$(dirname "$0")" && pwd)
python3 "$tests/mcp.py" "$hardmeter" "$2"
expect "mcp.py" 0 $?
finish
