// SPDX-License-Identifier: MIT
// Two benchmarks of the same sum. Filling the table is not counted.
#include <vector>

#include "hardmeter_benchmark.h"

namespace {

constexpr long kRows = 512, kColumns = 512;

void by_rows(benchmark::State& state) {
  std::vector<int> table(kRows * kColumns, 1);
  for (auto _ : hardmeter::measured(state)) {
    long sum = 0;
    for (long row = 0; row < kRows; ++row) {
      for (long column = 0; column < kColumns; ++column) sum += table[row * kColumns + column];
    }
    benchmark::DoNotOptimize(sum);
  }
}
BENCHMARK(by_rows);

void by_columns(benchmark::State& state) {
  std::vector<int> table(kRows * kColumns, 1);
  for (auto _ : hardmeter::measured(state)) {
    long sum = 0;
    for (long column = 0; column < kColumns; ++column) {
      for (long row = 0; row < kRows; ++row) sum += table[row * kColumns + column];
    }
    benchmark::DoNotOptimize(sum);
  }
}
BENCHMARK(by_columns)->Iterations(2);

}  // namespace

BENCHMARK_MAIN();
