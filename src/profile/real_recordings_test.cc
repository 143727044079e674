// SPDX-License-Identifier: MIT
// Real recordings from many machines: no data is lost between the records and the columns.
#include <gtest/gtest.h>

#include "profile/loader.h"
#include "record/example_real.h"
#include "symbol/file_resolver.h"

namespace hm::profile {
namespace {

using nlohmann::json;

uint64_t sum_of_periods(const Samples& samples) {
  uint64_t sum = 0;
  for (size_t i = 0; i < samples.size(); ++i) sum += samples.period.at(i).value_or(0);
  return sum;
}

std::vector<uint64_t> samples_per_event(const Profile& profile) {
  std::vector<uint64_t> counts(profile.events.size());
  for (uint32_t event : profile.samples.event) ++counts[event];
  return counts;
}

TEST(RealRecordings, AreLoadedWhole) {
  json list = record::example::expected_of_real_recordings();
  if (list.empty()) GTEST_SKIP() << record::example::why_no_real_recordings();
  for (const json& expected : list) {
    std::string name = expected["name"];
    SCOPED_TRACE(name);
    auto reader = record::Reader::open((record::example::real_recordings() / name).string());
    ASSERT_TRUE(reader.ok()) << reader.error().message;
    Result<Profile> loaded = load(*reader, symbol::FileResolver());
    ASSERT_TRUE(loaded.ok()) << loaded.error().message;
    const Profile profile = *std::move(loaded);
    EXPECT_EQ(json(samples_per_event(profile)), expected["samples_per_attr"]);
    const json& totals = expected["totals"];
    EXPECT_EQ(profile.samples.branches.size(), totals.value("br_entries", uint64_t{0}));
    if (totals.contains("period_sum")) {
      EXPECT_EQ(sum_of_periods(profile.samples), totals["period_sum"]);
    }
  }
}

}  // namespace
}  // namespace hm::profile
