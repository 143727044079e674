// SPDX-License-Identifier: MIT
#include "agent/rows.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/temporary_folder.h"
#include "record/extension.h"
#include "symbol/file_resolver.h"

namespace hm::agent {
namespace {

using ::testing::ElementsAre;

// Process 7 with a thread of another name, and an idle processor; one function with a name and one without.
profile::Profile example() {
  profile::Profile profile;
  profile.events = {{"l1_cache_miss", {}}, {"instr_retired", {}}};
  profile.threads = {{7, 7, "server"}, {7, 8, "worker"}, {0, 0, "swapper"}};
  profile.dsos = {{"[unknown]", ""}, {"/nowhere/server", "beef"}};
  profile.functions = {{1, "scan", 0x100, 0x100}, {1, "[server+0x200]", 0x200, 0x100}};
  profile.locations = {{1, 0x110, 0, 0x110}, {1, 0x120, 0, 0x120}, {1, 0x210, 1, 0x210}};
  return profile;
}

void add(profile::Profile& profile, uint32_t event, uint32_t thread, uint32_t location, uint64_t period,
         record::MissClass miss_class = record::MissClass::kCapacity) {
  profile::Samples& samples = profile.samples;
  samples.period.set(samples.size(), period);
  samples.l1_class.set(samples.size(), static_cast<uint64_t>(miss_class));
  samples.thread.push_back(thread);
  samples.location.push_back(location);
  samples.event.push_back(event);
}

// "SERVICE EVENT FUNCTION@OFFSET CLASS SAMPLES COUNT / LOAD UNIT"
std::vector<std::string> texts(const profile::Profile& profile, const Privacy& privacy = {}) {
  static const TemporaryFolder proc;  // a /proc without processes
  Services services(proc.file(""));
  std::vector<std::string> lines;
  for (const store::Row& row : rows_of(profile, symbol::FileResolver(), services, privacy)) {
    const store::CodeLocation& place = row.place;
    lines.push_back(fmt::format(
        "{} {} {} {} {} / {} {}", row.series.service, row.series.event,
        row.is_total ? "total" : fmt::format("{}@{:x} {}", place.function, place.offset, place.miss_class),
        row.samples, row.count, row.load, row.series.unit));
  }
  return lines;
}

TEST(Rows, AddUpByServiceEventAndPlace) {
  profile::Profile profile = example();
  add(profile, 0, 0, 0, 100);
  add(profile, 0, 1, 0, 100);  // another thread belongs to the same service
  add(profile, 0, 0, 1, 100);
  add(profile, 0, 0, 0, 100, record::MissClass::kConflict);
  add(profile, 0, 0, 2, 100);
  add(profile, 0, 2, 2, 100);  // idle
  add(profile, 1, 0, 0, 5000);
  EXPECT_THAT(texts(profile),
              ElementsAre("server l1_cache_miss total 5 500 / 5000 instructions",
                          "server l1_cache_miss scan@110 capacity 2 200 / 5000 instructions",
                          "server l1_cache_miss scan@110 conflict 1 100 / 5000 instructions",
                          "server l1_cache_miss scan@120 capacity 1 100 / 5000 instructions",
                          "server l1_cache_miss [server+0x200]@210 capacity 1 100 / 5000 instructions",
                          "server instr_retired total 1 5000 / 5000 instructions",
                          "server instr_retired scan@110  1 5000 / 5000 instructions"));
}

TEST(Rows, SayNoNamesWhereTheseAreToStay) {
  profile::Profile profile = example();
  add(profile, 0, 0, 0, 100);
  EXPECT_THAT(texts(profile, {true, false}),
              ElementsAre("server l1_cache_miss total 1 100 / 0 ",
                          "server l1_cache_miss [server+0x100]@110 capacity 1 100 / 0 "));
}

TEST(Rows, StayBelowWhatABatchMayHave) {
  profile::Profile profile = example();
  profile.locations.clear();
  for (uint32_t i = 0; i < store::kMaxRows + 1000; ++i) profile.locations.push_back({1, i, 0, i});
  for (uint32_t i = 0; i < profile.locations.size(); ++i) add(profile, 0, 0, i, 10);
  static const TemporaryFolder proc;
  Services services(proc.file(""));
  std::vector<store::Row> rows = rows_of(profile, symbol::FileResolver(), services, {});
  EXPECT_LE(rows.size(), store::kMaxRows);
  uint64_t samples = 0;
  for (const store::Row& row : rows) samples += row.is_total ? 0 : row.samples;
  EXPECT_EQ(samples, store::kMaxRows + 1000);
  EXPECT_TRUE(rows.front().is_total);
}

}  // namespace
}  // namespace hm::agent
