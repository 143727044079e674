#!/bin/bash
# SPDX-License-Identifier: MIT
# Manual pages and completions: they contain every command and option, and each tool accepts them.
. "$(dirname "$0")/common.sh"
folder=$work/documentation
"$(dirname "$hardmeter")/hardmeter-documentation" "$folder"
expect "status" 0 $?
commands=$("$hardmeter" --help | awk '/^Options:/ { on = 0; next } /^From the question/ { exit } /^[A-Z].*:$/ { on = 1; next } on && /^  [a-z]/ { print $1 }')
expect "some commands" "1" "$(($(wc -w <<<"$commands") > 10))"

for command in $commands; do
  page=$folder/man/hardmeter-$command.1
  [ -s "$page" ] || expect "the manual page of $command" "a page" "none"
  for option in $("$hardmeter" "$command" --help | grep -oE '^  (-[a-zA-Z],)?--[a-z0-9-]+' | grep -oE -e '--[a-z0-9-]+'); do
    grep -qF -- "${option//-/\\-}" "$page" || expect "manual page of $command" "$option" "nothing of it"
    for shell in bash/hardmeter zsh/_hardmeter; do
      grep -qE -- "[ ,{\"']$option" "$folder/$shell" || expect "$shell of $command" "$option" "nothing of it"
    done
    grep -qE -- "$command'.* -l ${option#--} " "$folder/fish/hardmeter.fish" || expect "fish of $command" "$option" "nothing of it"
  done
done
if command -v groff >/dev/null; then
  for page in "$folder"/man/*.1 "$(dirname "$0")"/../../docs/man/*.5; do
    expect "groff of $(basename "$page")" "" "$(groff -man -Tutf8 -ww -z "$page" 2>&1)"
  done
else
  skipped "groff is not installed"
fi

# Returns bash's completions.
completed() {  # WORDS...: the last word is incomplete
  (
    . "$folder/bash/hardmeter"
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    if [ "$1" = ebs ]; then _ebs; else _hardmeter; fi
    printf '%s ' "${COMPREPLY[@]}"
  )
}
expect "hardmeter rep" "report " "$(completed hardmeter rep)"
expect "hardmeter record --no-j" "--no-jitter " "$(completed hardmeter record --no-j)"
expect "hardmeter record -e l1_" "l1_cache_miss l1_store_miss " "$(completed hardmeter record -e l1_)"
expect "hardmeter record --engine v" "valgrind " "$(completed hardmeter record --engine v)"
expect_match "hardmeter record l" '(^| )ls ' "$(completed hardmeter record l)"
expect "ebs -t dtlb_l" "dtlb_load_miss " "$(completed ebs -t dtlb_l)"
touch some.data
expect "hardmeter report -i some" "some.data " "$(completed hardmeter report -i some 2>/dev/null)"
for shell in zsh:_hardmeter fish:hardmeter.fish; do
  if command -v "${shell%%:*}" >/dev/null; then
    expect "${shell%%:*} takes it" "" "$("${shell%%:*}" -n "$folder/${shell%%:*}/${shell##*:}" 2>&1)"
  else
    skipped "${shell%%:*} is not installed"
  fi
done
if command -v fish >/dev/null; then
  expect "fish: hardmeter rep" "report" "$(fish -c "source $folder/fish/hardmeter.fish; complete -C 'hardmeter rep'" | cut -f1)"
  expect "fish: hardmeter stat --engine d" "direct" "$(fish -c "source $folder/fish/hardmeter.fish; complete -C 'hardmeter stat --engine d'" | cut -f1)"
fi
finish
