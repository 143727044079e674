#!/bin/bash
# SPDX-License-Identifier: MIT
# Domains of Xen. A fake command xl responds as Xen's does (tools/xl/xl_psr.c, xl_list.c of Xen 4.17) and keeps its
# state in files: the domains, the attached ones, and their occupancies.
. "$(dirname "$0")/common.sh"
export XL=$work/xen
mkdir -p "$XL/domains" "$XL/attached" "$work/bin"
cat >"$work/bin/xl" <<'X'
#!/bin/bash
# domains/N: its name and state; attached/N; held/N: what it holds, as xl prints it; say: what psr-cmt-show prints instead.
echo "$*" >>"$XL/calls"
fail() {
  echo "$*" >&2
  exit 1
}
known() { [ -e "$XL/domains/$1" ] || fail "$1 is an invalid domain identifier (rc=-6)"; }
case $1 in
list)
  if [ -e "$XL/say-list" ]; then cat "$XL/say-list"; exit; fi
  printf '%-40s    ID   Mem VCPUs\tState\tTime(s)\n' Name
  for file in "$XL"/domains/*; do
    IFS='|' read -r name state <"$file"
    printf '%-40s %5d %5d %5d     %s  %8.1f\n' "$name" "${file##*/}" 512 2 "${state:--b----}" 12.3
  done
  ;;
psr-cmt-attach)
  known "$2"
  [ ! -e "$XL/attached/$2" ] || fail "libxl: error: libxl_psr.c:78:libxl__psr_cmt_log_err_msg: CMT is already attached to this domain"
  [ "$(ls "$XL/attached" | wc -l)" -lt "${XL_IDS:-71}" ] || fail "libxl: error: libxl_psr.c:85:libxl__psr_cmt_log_err_msg: there is no free RMID available"
  touch "$XL/attached/$2"
  ;;
psr-cmt-detach)
  known "$2"
  [ -e "$XL/attached/$2" ] || fail "libxl: error: libxl_psr.c:81:libxl__psr_cmt_log_err_msg: CMT is not attached to this domain"
  rm "$XL/attached/$2"
  ;;
psr-cmt-show)
  [ "$2" = cache-occupancy ] || exit 2
  if [ -e "$XL/disabled" ]; then echo "CMT is disabled in the system" >&2; exit 255; fi
  if [ -e "$XL/say" ]; then cat "$XL/say"; exit; fi
  printf 'Total RMID: %d\n%-40s %5s%14s %d%14s %d\n' "${XL_IDS:-71}" Name ID Socket 0 Socket 1
  printf '%-46s%13u KB%13u KB\n' "Total L3 Cache Size" 46080 46080
  for file in "$XL"/domains/*; do
    [ -e "$XL/attached/${file##*/}" ] || continue
    IFS='|' read -r name state <"$file"
    printf '%-40s %5d%s\n' "$name" "${file##*/}" "$(cat "$XL/held/${file##*/}" 2>/dev/null)"
  done
  ;;
*) exit 2 ;;
esac
X
chmod +x "$work/bin/xl"
plain_path=$PATH
PATH=$work/bin:$PATH
mkdir "$XL/held"
domain() { echo "$2" >"$XL/domains/$1"; }
holds() { printf '%13u KB%13u KB' "$2" "$3" >"$XL/held/$1"; }
attached() { ls "$XL/attached" | tr '\n' ' '; }
calls() { grep -c "^$1" "$XL/calls"; }
# columns NAME...: prints columns of the CSV on standard input.
columns() { python3 -c 'import csv,sys
for row in csv.DictReader(sys.stdin): print(*(row[name] for name in sys.argv[1:]))' "$@"; }
llc() { "$hardmeter" llc "$@" 2>&1; }

domain 0 'Domain-0|r-----'
domain 3 'web server'
domain 5 'batch'
domain 6 '(null)|--ps-d'
holds 0 2112 0
holds 3 1024 64
holds 5 0 0

# Two domains: attached, read, detached.
found=$("$hardmeter" llc -b -n 1 -d 0.05 --csv --xen 3,5)
expect "status" 0 $?
expect "rows" "web server 1114112
batch 0" "$(columns name occupancy_bytes <<<"$found" | sort -r)"
expect "attached afterwards" "" "$(attached)"
expect "what was attached" "psr-cmt-attach 3 psr-cmt-attach 5 " "$(grep attach "$XL/calls" | tr '\n' ' ')"
expect_match "its table" '^ *1\.06 MiB +1\.2% +web server$' "$(llc -b -n 1 -d 0.05 --xen 3)"
expect_match "and who measures" '90\.0 MiB of last-level cache; by Xen.s xl$' "$(llc -b -n 1 -d 0.05 --xen 3)"
json=$("$hardmeter" llc -b -n 1 -d 0.05 --json --xen 3)
expect "of each socket" "xen 3 [[0, 1048576], [1, 65536]]" "$(python3 -c 'import json,sys
row = json.load(sys.stdin)["rows"][0]
print(row["key"], [[d["domain"], d["occupancy_bytes"]] for d in row["domains"]])' <<<"$json")"
# All domains except one that is being destroyed. A domain attached by another user is read, and stays attached.
touch "$XL/attached/0"
: >"$XL/calls"
expect "all" "Domain-0 2162688
batch 0
web server 1114112" "$("$hardmeter" llc -b -n 1 -d 0.05 --csv --xen all | columns name occupancy_bytes | LC_ALL=C sort)"
expect "attached afterwards, by others" "0 " "$(attached)"
expect "attached by us" 2 "$(calls psr-cmt-attach)"
rm "$XL/attached/0"

# A value that xl omits counts as not measured, not as 0.
printf '%13u KB' 77 >"$XL/held/3"  # one of two sockets
expect "one socket's figure of two" "web server " "$("$hardmeter" llc -b -n 1 -d 0.05 --csv --xen 3 | columns name occupancy_bytes)"
holds 3 1024 64
last_is() { [ "$(columns occupancy_bytes <rows 2>/dev/null | tail -n 1)" = "$1" ] && [ "$(wc -l <rows)" -gt 1 ]; }
# For a while during the measurement, xl prints something else.
sick() {  # TEXT
  "$hardmeter" llc -b -d 0.1 --csv --xen 3 >rows 2>said &
  local pid=$!
  wait_until last_is 1114112
  printf "$1" >"$XL/say.new" && mv "$XL/say.new" "$XL/say"
  wait_until last_is ""
  rm "$XL/say"
  wait_until last_is 1114112
  kill -TERM $pid
  wait $pid
  expect "rows where xl says '${1:0:40}'" "1114112 none" "$(columns occupancy_bytes <rows | sed 's/^$/none/' | sort -u | tr '\n' ' ' | sed 's/ $//')"
  expect "what it says where xl says '${1:0:40}'" "" "$(cat said)"
  expect "attached after xl said '${1:0:40}'" "" "$(attached)"
}
sick 'web server   3   12 MB   1 KB\n'
sick '\0\377%%s%%n'
sick ''
sick "$(head -c 1000000 /dev/urandom | tr -dc 'a-zKB0-9 \n' | head -c 90000)"

# A domain that ends: its row ends, and with the last one the command.
"$hardmeter" llc -b -d 0.2 --csv --xen 3,5 >rows 2>said &
pid=$!
wait_until grep -q 1114112 rows
rm "$XL/domains/3" "$XL/attached/3"
wait_until sh -c 'tail -n 1 rows | grep -q batch'
rm "$XL/domains/5" "$XL/attached/5"
end_of $pid
expect "status as all have ended" 0 $?
expect "what it says" "" "$(cat said)"
domain 3 'web server'
domain 5 batch

# Another user detaches the domain: it is not measured from then on, and not attached again.
"$hardmeter" llc -b -d 0.1 --csv --xen 3 >rows 2>said &
pid=$!
wait_until last_is 1114112
rm "$XL/attached/3"
wait_until last_is ""
kill -TERM $pid
wait $pid
expect "attached by nobody" "" "$(attached)"

# Fewer ids than domains: they are measured in turn, and a message reports this.
domain 7 third
holds 7 10 0
export XL_IDS=2
found=$(llc -b -n 1 -d 0.05 --xen all)
unset XL_IDS
expect_match "without ids" '# .xl psr-cmt-attach [0-9]+. failed: .*no free RMID available: rows are measured in turn' "$found"
expect "attached afterwards" "" "$(attached)"
rm "$XL/domains/7"

# After Ctrl-C and SIGTERM the domain is detached. After SIGKILL it stays attached, counts as another user's, and is
# measured as that.
for signal in INT TERM; do
  env --default-signal=INT "$hardmeter" llc -b -d 0.2 --csv --xen 3 >rows 2>said &
  pid=$!
  wait_until grep -q 1114112 rows
  kill -$signal $pid
  wait $pid
  expect "attached after SIG$signal" "" "$(attached)"
done
"$hardmeter" llc -b -d 0.2 --csv --xen 3 >rows 2>said &
pid=$!
wait_until grep -q 1114112 rows
kill -KILL $pid
wait $pid 2>/dev/null
expect "attached after SIGKILL" "3 " "$(attached)"
expect "and the next one" "web server 1114112" "$("$hardmeter" llc -b -n 1 -d 0.05 --csv --xen 3 | columns name occupancy_bytes)"
expect "leaves it" "3 " "$(attached)"
rm "$XL/attached/3"

# While a program runs, like perf stat.
expect_match "while a program runs" '1\.06 MiB .*web server' "$(llc --xen 3 sleep 0.3)"

# Each error is one sentence.
says() {  # WHAT REGEX OPTIONS...
  local what=$1 regex=$2
  shift 2
  found=$(llc -b -n 1 -d 0.05 "$@")
  expect "status: $what" 1 "$([ $? = 0 ]; echo $?)"
  expect_match "$what" "$regex" "$found"
  expect "lines: $what" 1 "$(wc -l <<<"$found")"
}
says "no such domain" 'Xen domain 42 does not exist' --xen 42
says "no number" "takes domain numbers or all, not 'web'" --xen web
says "no number" "takes domain numbers or all, not '-1'" --xen=-1
says "too large a number" "not '99999999999'" --xen 99999999999
says "with others" 'omit -p' --xen 3 --source pqos
touch "$XL/disabled"
says "no monitoring" '.xl psr-cmt-show cache-occupancy. failed: CMT is disabled in the system' --xen 3
rm "$XL/disabled"
echo "Total RMID: many" >"$XL/say"
says "strange words" 'cannot read the output of .xl psr-cmt-show cache-occupancy.' --xen 3
rm "$XL/say"
echo "ERROR: Can't find hypervisor information in sysfs!" >"$XL/say-list"
says "strange words" 'cannot read the output of .xl list.' --xen 3
rm "$XL/say-list"
printf '#!/bin/sh\nprintf "\\033[31mno\\tXen\\n\\nat all" >&2; kill -9 $$\n' >"$work/bin/xl"
says "it dies" '.xl list. failed: .\[31mno.Xen$' --xen 3
printf '#!/bin/sh\nexec yes\n' >"$work/bin/xl"
says "it prints without end" '.xl list. did not end in 30 s, or printed without end: it was killed$' --xen 3
printf '#!/no/such/shell\n' >"$work/bin/xl"
says "it cannot be run" 'xl, which is not in PATH|.xl list. cannot be run' --xen 3
PATH=$plain_path
command -v xl >/dev/null || says "no xl" 'command xl, which is not in PATH: run hardmeter in dom0' --xen 3
finish
