# SPDX-License-Identifier: MIT
# Functions for the tests of full screens: tmux is the terminal, and its screens are in $work. Sourced first.
. "$(dirname "$0")/common.sh"
command -v tmux >/dev/null || { skipped "there is no tmux here"; exit 77; }
command -v cc >/dev/null || { skipped "there is no cc here"; exit 77; }

number=0
terminal() { tmux -S "$work/terminal$number" -f /dev/null "$@"; }
trap 'terminal kill-server 2>/dev/null; kill $(jobs -p) 2>/dev/null; rm -rf "$work"' EXIT
after_command=  # shell commands to run in the terminal when its command has ended
# open COLUMNS ROWS COMMAND: runs the command in a terminal of that size, which stays open after the command's end.
open() {
  terminal kill-server 2>/dev/null
  number=$((number + 1))
  terminal new-session -d -x "$1" -y "$2" "bash --norc -c '$3; echo ended with \$?; $after_command sleep 1000'"
}
on_screen() { terminal capture-pane -p | grep -qE -e "$1"; }
shows() { wait_until on_screen "$1" || terminal capture-pane -p | grep -v '^ *$'; }
keys() { terminal send-keys "$@"; }
