// SPDX-License-Identifier: MIT
#include "host/sweep.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

namespace hm::host {
namespace {

TEST(SweepSizes, AreWholeLinesThatGrow) {
  std::vector<uint64_t> sizes = sweep_sizes(1 << 20, 8);
  EXPECT_EQ(sizes.size(), 8 * 8 + 1);
  EXPECT_EQ(sizes.front(), 4096);
  EXPECT_EQ(sizes.back(), 1 << 20);
  EXPECT_TRUE(std::ranges::all_of(sizes, [](uint64_t size) { return size % 64 == 0; }));
  EXPECT_TRUE(std::ranges::is_sorted(sizes, std::less_equal<>()));
}

TEST(SweepSizes, NeverGoBeyondTheLargest) {
  EXPECT_EQ(sweep_sizes(4096, 4), (std::vector<uint64_t>{4096}));
  EXPECT_TRUE(sweep_sizes(4095, 4).empty());
}

SweepOptions short_sweep() {
  SweepOptions options;
  options.sizes_bytes = sweep_sizes(64 << 10, 2);
  options.repetitions = 5;
  options.repetition_ns = 1000;
  return options;
}

TEST(Sweep, MeasuresEachSizeInBothKindsOfPages) {
  SweepOptions options = short_sweep();
  size_t reports = 0;
  options.progress = [&](const SweepProgress& progress) {
    EXPECT_EQ(progress.done, reports++);
    EXPECT_EQ(progress.all, options.sizes_bytes.size());
  };
  Result<Sweep> sweep = measure_latency(options);
  ASSERT_TRUE(sweep.ok()) << sweep.error().message;
  EXPECT_EQ(reports, options.sizes_bytes.size());
  EXPECT_FALSE(sweep->interrupted);
  for (const Curve* curve : {&sweep->small_pages, &sweep->huge_pages}) {
    ASSERT_EQ(curve->size(), options.sizes_bytes.size());
    for (size_t i = 0; i < curve->size(); ++i) {
      const Point& point = (*curve)[i];
      EXPECT_EQ(point.size_bytes, options.sizes_bytes[i]);
      EXPECT_GT(point.ns.low, 0);
      EXPECT_LE(point.ns.low, point.ns.value);
      EXPECT_LE(point.ns.value, point.ns.high);
      EXPECT_GT(point.core_ghz, 0);
    }
  }
}

TEST(Sweep, EndsWhereItIsInterruptedWithWhatThereIs) {
  SweepOptions options = short_sweep();
  size_t sizes = 0;
  options.progress = [&](const SweepProgress&) { ++sizes; };
  options.interrupts = [&] { return sizes > 3 ? 1 : 0; };
  Result<Sweep> sweep = measure_latency(options);
  ASSERT_TRUE(sweep.ok()) << sweep.error().message;
  EXPECT_TRUE(sweep->interrupted);
  EXPECT_EQ(sweep->small_pages.size(), 3);
  EXPECT_EQ(sweep->huge_pages.size(), 3);
}

TEST(Sweep, RefusesACpuThatIsNotThere) {
  auto beyond = static_cast<int>(::sysconf(_SC_NPROCESSORS_CONF));
  for (int cpu : {-1, beyond, 1 << 20}) {
    SweepOptions options = short_sweep();
    options.cpu = cpu;
    Result<Sweep> sweep = measure_latency(options);
    ASSERT_FALSE(sweep.ok());
    EXPECT_EQ(sweep.error().code, ErrorCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace hm::host
