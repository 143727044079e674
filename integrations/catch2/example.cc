// SPDX-License-Identifier: MIT
// Two benchmarks that read a table of 65,536 lines of 64 bytes. Filling the table is not counted.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>  // Catch2 3; link with libCatch2Main and libCatch2
#else
#define CATCH_CONFIG_MAIN
#define CATCH_CONFIG_ENABLE_BENCHMARKING
#include <catch2/catch.hpp>
#endif

#include <vector>

#include "hardmeter_catch2.h"

namespace {

constexpr size_t kLine = 64 / sizeof(long), kLines = 65536;

long sum(const std::vector<long>& table, size_t step) {
  long result = 0;
  for (size_t i = 0; i < table.size(); i += step) result += table[i];
  return result;
}

}  // namespace

TEST_CASE("table") {
  std::vector<long> table(kLines * kLine, 1);
  REQUIRE(sum(table, kLine) == kLines);

  HARDMETER_BENCHMARK("every line")(hardmeter::Meter meter) {
    meter.measure([&] { return sum(table, kLine); });
  };
  HARDMETER_BENCHMARK("every second line")(hardmeter::Meter meter) {
    std::vector<long> copy = table;
    meter.measure([&] { return sum(copy, 2 * kLine); });
  };
}
