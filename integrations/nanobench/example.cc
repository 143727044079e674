// SPDX-License-Identifier: MIT
// Two benchmarks that read a table of 65,536 lines of 64 bytes. Filling the table is not counted.
#define ANKERL_NANOBENCH_IMPLEMENT
#include "hardmeter_nanobench.h"

#include <vector>

namespace {

constexpr size_t kLine = 64 / sizeof(long), kLines = 65536;

long sum(const std::vector<long>& table, size_t step) {
  long result = 0;
  for (size_t i = 0; i < table.size(); i += step) result += table[i];
  return result;
}

}  // namespace

int main() {
  std::vector<long> table(kLines * kLine, 1);
  ankerl::nanobench::Bench bench;
  hardmeter::run(bench, "every line", [&] { ankerl::nanobench::doNotOptimizeAway(sum(table, kLine)); });
  hardmeter::run(bench, "every second line",
                 [&] { ankerl::nanobench::doNotOptimizeAway(sum(table, 2 * kLine)); });
}
