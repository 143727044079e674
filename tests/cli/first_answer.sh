#!/bin/bash
# SPDX-License-Identifier: MIT
# The first lines of results: whether memory matters, where, in functions as their authors know them: first_answer.sh HARDMETER
. "$(dirname "$0")/common.sh"
needs_engine

cat >shop.cc <<'CC'
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>
struct Node { Node* next; uint64_t price, rest[6]; };
class Shop {
 public:
  explicit Shop(uint32_t nodes) : nodes_(nodes) {
    std::vector<uint32_t> order(nodes);
    uint64_t state = 88172645463325252;
    for (uint32_t i = 0; i < nodes; ++i) order[i] = i;
    for (uint32_t i = nodes - 1; i > 0; --i) {
      state ^= state << 13, state ^= state >> 7, state ^= state << 17;
      std::swap(order[i], order[state % (i + 1)]);
    }
    for (uint32_t i = 0; i < nodes; ++i) nodes_[order[i]].next = &nodes_[order[(i + 1) % nodes]];
  }
  // Waits for memory at each step.
  uint64_t total_by_chain(uint32_t steps) const {
    uint64_t total = 0;
    const Node* node = nodes_.data();
    for (uint32_t i = 0; i < steps; ++i, node = node->next) total += node->price;
    return total;
  }
 private:
  std::vector<Node> nodes_;
};
// Never waits for memory.
__attribute__((noinline)) uint64_t compute(uint64_t rounds) {
  uint64_t value = 1;
  for (uint64_t i = 0; i < rounds; ++i) value = value * 6364136223846793005 + 1442695040888963407;
  return value;
}
int main(int, char** words) {
  uint64_t result = compute(strtoull(words[2], nullptr, 10));
  uint32_t steps = strtoul(words[1], nullptr, 10);
  if (steps != 0) result += Shop(1 << 18).total_by_chain(steps);
  printf("%lu\n", result);
}
CC
${CXX:-c++} -O2 -g -o shop shop.cc || { skipped "there is no C++ compiler"; exit 77; }

share() { python3 -c 'import json,sys; print("%.3f" % json.load(open(sys.argv[1]))["verdict"]["memory_share"])' "$1"; }
within() { awk -v value="$2" -v low="$3" -v high="$4" 'BEGIN { exit !(value >= low && value <= high) }' || expect "$1" "$3 to $4" "$2"; }

# A program that only computes.
"$hardmeter" stat --pmu=soft --json -o computes.json -- ./shop 0 50000000 >out
within "waits of a program that computes" "$(share computes.json)" 0 0.02

# A chase through 16 MiB in a cache of 2 MiB: each step is an instruction or two and a wait for memory (200 - 4 cycles).
machine=(--l1d 32K,8,64 --l2 256K,8,64 --l3 2M,16,64)
"$hardmeter" stat --pmu=soft "${machine[@]}" --json -o chases.json -- ./shop 2000000 1 >out
within "waits of a chase" "$(share chases.json)" 0.75 1
"$hardmeter" stat --pmu=soft "${machine[@]}" -- ./shop 2000000 1 2>counted >out
expect_match "its first lines" '^memory waits: [0-9.]+% of the modelled cycles, by stated latencies' "$(head -6 counted)"
expect_match "its bar" '^  \|M{30,}.*\|$' "$(cat counted)"
expect_match "what waits" '^  M memory [0-9.]+%' "$(cat counted)"
expect "the count of waits without -e" 0 "$(grep -c '^memory_wait' counted)"
"$hardmeter" stat --pmu=soft -e memory_wait -- ./shop 0 1 2>counted >out
expect_match "the count of waits with -e memory_wait" '^memory_wait +[0-9,]+' "$(cat counted)"
"$hardmeter" stat --pmu=soft --l3 none -- ./shop 0 1 2>counted >out
expect "a level that is not modelled" 0 "$(grep -cE '3 L3 [0-9]|[0-9] L3[,;]' counted)"

# The first answer names the inlined function, and not only main.
"$hardmeter" run -q --pmu=soft "${machine[@]}" -o run.data -- ./shop 2000000 1 >answer 2>said
expect_match "the verdict comes first" '^# memory waits: [0-9.]+%.* of the modelled cycles, at the costs of a typical' "$(grep -v '^[0-9]*$' answer | head -1)"
expect_match "the table's event" '^memory_wait: cycles that a core waits for data$' "$(cat answer)"
expect_match "the function that waits" '^ *[0-9.]+% ±[0-9.]+ +[0-9.]+% ±[0-9.]+ +[0-9,]+ +[0-9,]+ +(Shop::)?total_by_chain' "$(grep -A2 '^memory_wait: ' answer)"
expect_match "the first place" '^ 1\. about [0-9,]+ cycles: [0-9.]+% ±[0-9.]+ of memory_wait, ' "$(cat answer)"
expect_match "its pattern" '^    pattern  pointer_chase: ' "$(cat answer)"
too_wide=$(awk '/^# memory waits/,/^#$/' answer | awk 'length > 80')
expect "lines of the verdict beyond 80 columns" "" "$too_wide"

report() { "$hardmeter" report -i run.data -e memory_wait "$@" 2>/dev/null; }
expect_match "its report" '% .*total_by_chain' "$(report)"
expect_match "functions with a symbol" '% .* main ' "$(report --physical-functions)"
expect "inlined functions among these" 0 "$(report --physical-functions | grep -c total_by_chain)"
expect_match "an inlined function by its name" '% .*total_by_chain' "$(report -S total_by_chain)"
# A caller's inclusive share is that of all its samples, also if only a function that is inlined into it is selected.
inclusive_of_main() { report "$@" | awk '$NF == "shop" && / main /{print $3}'; }
expect_match "the share of main" '^[0-9.]+%$' "$(inclusive_of_main)"
expect "the share of main beside a selected function" "$(inclusive_of_main)" "$(inclusive_of_main -S total_by_chain)"
expect_match "code that is inlined" 'total \+= node->price|node = node->next' "$("$hardmeter" annotate -i run.data -S total_by_chain -e memory_wait 2>&1)"
expect_match "a function that is not there" "no sample is in 'total_by_chian'" "$("$hardmeter" report -i run.data -S total_by_chian 2>&1)"
# The share in the recording is that of the counts.
"$hardmeter" report -i run.data --json >report.json
python3 - report.json chases.json <<'PY' || expect "the share in the recording" "that of stat" "another"
import json, sys
recorded, counted = (json.load(open(path)) for path in sys.argv[1:])
share = recorded["recording"]["verdict"]["memory_share"]
sys.exit(not 0.5 * counted["verdict"]["memory_share"] < share <= 1)
PY
# Callers begin behind the row's function, also where a library's functions are inlined into it. The dynamic linker has
# functions that call themselves.
"$hardmeter" record -q --pmu=soft -g -e l1_cache_miss -c 100 -o callers.data -- ./shop 20000 1 >out 2>said
rows=$("$hardmeter" report -g -i callers.data --json 2>/dev/null)
python3 - <<PY || expect "rows among their own callers" "none" "some"
import json, sys
rows = [row for row in json.loads(r"""$rows""")["rows"] if row["dso"] == "shop"]
sys.exit(any(caller["function"] == row["function"] for row in rows for caller in row.get("callers", [])) or not rows)
PY
# Functions with equal names in two files are two rows.
for each in 1 2; do
  echo "static __attribute__((noinline)) long work(const volatile long* at, long n) { long s = $each; for (long i = 0; i < n; i += 8) s += at[i]; return s; }
long call$each(const volatile long* at, long n) { return work(at, n) + $each; }" >twin$each.c
done
echo 'static long table[1 << 20]; long call1(const volatile long*, long), call2(const volatile long*, long);
int main(void) { return (call1(table, 1 << 20) + call2(table, 1 << 20)) == 77; }' >twins.c
cc -O1 -g -o twins twins.c twin1.c twin2.c
"$hardmeter" record -q --pmu=soft -e l1_cache_miss -c 100 -o twins.data -- ./twins >out 2>said
expect "rows of equal names" 2 "$("$hardmeter" report -i twins.data 2>/dev/null | grep -cE '  work \(twin[12]\.c\) +twins')"

# Only commands that answer with waits sample them; what a machine does not have is refused.
"$hardmeter" map -q --pmu=soft -o map.data -- ./shop 1000 1 >out 2>said
expect "waits in a map's recording" 0 "$("$hardmeter" report -i map.data 2>/dev/null | grep -c '^# event memory_wait')"
expect_match "waits for a level that is not modelled" 'no third-level cache, so l3_wait does not happen' \
  "$("$hardmeter" stat --pmu=soft -e l3_wait --l3 none -- ./shop 0 1 2>&1)"
"$hardmeter" stat --pmu=soft -e branch_wait --json -o branches.json -- ./shop 100000 1 >out
expect "waits for branches" yes "$(python3 -c 'import json; print("yes" if json.load(open("branches.json"))["totals"]["branch_wait"] > 1000 else "no")')"
# Waits at different costs are not compared without a word.
"$hardmeter" record -q --pmu=soft -e memory_wait -o stated.data -- ./shop 1000 1 >out 2>said
"$hardmeter" record -q --pmu=soft -e memory_wait --as typical -o typical.data -- ./shop 1000 1 >out 2>said
expect_match "recordings at different costs" 'costs of cycles and waits' "$("$hardmeter" diff stated.data typical.data 2>&1)"

# A gate compares counts, not estimates.
"$hardmeter" record -q --pmu=soft -e l1_cache_miss -o before.data -- ./shop 1000 1000 >out 2>said
"$hardmeter" diff --save-baseline baseline.json before.data >out 2>&1
"$hardmeter" run -q --pmu=soft -e l1_cache_miss -o gated.data --baseline baseline.json --fail-above l1_cache_miss:50% -- ./shop 1000 1000 >gated 2>&1
expect_match "the gate" 'l1_cache_miss .*exact' "$(cat gated)"
finish
