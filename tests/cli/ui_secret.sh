#!/bin/bash
# SPDX-License-Identifier: MIT
# Only this user can read the secret of the page's link, also while a browser is opened: ui_secret.sh HARDMETER
. "$(dirname "$0")/common.sh"
mkdir programs temporary
cat >programs/xdg-open <<S
#!/bin/sh
echo "\$@" >"$work/opened.part"
stat -c %a "\$1" "\$(dirname "\$1")" >"$work/modes"
cat "\$1" >"$work/page"
mv "$work/opened.part" "$work/opened"
while [ ! -e "$work/enough" ]; do sleep 0.1; done
exit \$(cat "$work/enough")
S
chmod +x programs/xdg-open
: >a.data  # an invalid recording: the page shows the problem

serve() {  # in $ui
  rm -f opened page modes enough link
  PATH=$work/programs:$PATH DISPLAY=:99 TMPDIR=$work/temporary "$hardmeter" ui "$@" a.data >link 2>said &
  ui=$!
  wait_until grep -q secret= link
  secret=$(grep -o 'secret=[0-9a-f]*' link | cut -d= -f2)
  echo "$secret" >secret
  expect "letters of the secret" 64 "${#secret}"
}
in_arguments() { grep -qsF -f secret /proc/[0-9]*/cmdline; }
folders() { ls temporary; }

serve
wait_until test -e opened
in_arguments && expect "the secret in the arguments of a process" no yes
grep -qF -f secret opened && expect "the secret in the arguments of xdg-open" no yes
expect "modes of the page and its folder" "600 700" "$(xargs <modes)"
expect_match "where the page leads to" "url=$(sed 's/[?]/[?]/' link)\"" "$(cat page)"
expect_match "it serves meanwhile" "serving until Ctrl-C" "$(cat said)"
python3 - <<'P' || expect "the link is followed" 0 $?
import sys, urllib.request
request = urllib.request.Request(open("link").read().strip(), headers={"Sec-Fetch-Site": "cross-site"})
sys.exit(0 if urllib.request.urlopen(request, timeout=60).status == 200 else 1)
P
wait_until eval '[ -z "$(folders)" ]'
echo 0 >enough
kill $ui
wait $ui
expect "its status" 0 $?

serve  # no browser follows the link
wait_until test -e opened
expect "folders while the browser is awaited" 1 "$(folders | wc -l)"
echo 3 >enough
wait_until grep -q "cannot open a browser" said
kill $ui
wait $ui
expect "folders that are left" "" "$(folders)"

serve --no-browser
wait_until grep -q serving said
expect "folders without a browser" "" "$(folders)"
kill $ui
wait $ui

rm programs/xdg-open  # the machine may have none, too
if ! command -v xdg-open >/dev/null; then
  serve
  wait_until grep -q "cannot open a browser.*xdg-open" said
  expect "folders without xdg-open" "" "$(folders)"
  kill $ui
  wait $ui
fi
finish
