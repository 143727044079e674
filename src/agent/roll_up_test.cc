// SPDX-License-Identifier: MIT
#include "agent/roll_up.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace hm::agent {
namespace {

store::Row row_of(const std::string& service, const std::string& module, const std::string& function,
                  uint64_t samples) {
  store::Row row;
  row.series = {service, "aa", "clock", "clock", "cpu_ns"};
  row.is_total = module.empty();
  row.place.module = module;
  row.place.function = function;
  row.samples = samples;
  row.count = 10.0 * static_cast<double>(samples);
  return row;
}

struct Sums {
  uint64_t totals = 0, places = 0;
  bool operator==(const Sums&) const = default;
};
Sums sums_of(const std::vector<store::Row>& rows) {
  Sums sums;
  for (const store::Row& row : rows) (row.is_total ? sums.totals : sums.places) += row.samples;
  return sums;
}

std::vector<store::Row> many_rows() {
  std::vector<store::Row> rows;
  for (int service = 0; service < 3; ++service) {
    std::string name = fmt::format("service {}", service);
    uint64_t sum = 0;
    for (int i = 0; i < 100; ++i) {
      uint64_t samples = 1 + static_cast<uint64_t>(i) * static_cast<uint64_t>(service + 1);
      rows.push_back(row_of(name, fmt::format("module {}", i % 10), fmt::format("function {}", i), samples));
      sum += samples;
    }
    rows.push_back(row_of(name, "", "", sum));
  }
  return rows;
}

TEST(Coarsen, KeepsSumsTotalsAndWhatIsHot) {
  const std::vector<store::Row> all = many_rows();
  for (size_t most : {300, 100, 40, 20, 6}) {
    std::vector<store::Row> rows = all;
    coarsen(rows, most);
    EXPECT_LE(rows.size(), most);
    EXPECT_EQ(sums_of(rows), sums_of(all)) << most;
    EXPECT_EQ(std::ranges::count_if(rows, &store::Row::is_total), 3) << most;
  }
  std::vector<store::Row> rows = all;
  coarsen(rows, 100);
  EXPECT_TRUE(std::ranges::any_of(rows, [](const store::Row& row) { return row.samples == 298; }));
  coarsen(rows, 1);
  EXPECT_EQ(rows.size(), 6u) << "a total of each series, and what is left of its places";
}

TEST(Merge, AddsUpPlacesAndLoads) {
  std::vector<store::Batch> batches;
  for (uint64_t i = 0; i < 3; ++i) {
    store::Batch& batch = batches.emplace_back(store::Batch{fmt::format("b{}", i), "host", 100 + i, {}});
    for (auto [module, function] : {std::pair{"", ""}, {"libc", "memcpy"}}) {
      if (i == 1 && *module != '\0') continue;  // the service ran, but had no samples at this place
      batch.rows.push_back(row_of("db", module, function, 5));
      batch.rows.back().load = 1000;
    }
  }
  store::Batch merged = merge(batches, "all");
  EXPECT_EQ(merged.id, "all");
  EXPECT_EQ(merged.time_s, 100u);
  ASSERT_EQ(merged.rows.size(), 2u);
  for (const store::Row& row : merged.rows) {
    EXPECT_EQ(row.samples, row.is_total ? 15u : 10u);
    EXPECT_EQ(row.count, row.is_total ? 150 : 100);
    EXPECT_EQ(row.load, 3000) << "of the whole time";
  }
}

}  // namespace
}  // namespace hm::agent
