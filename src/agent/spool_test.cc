// SPDX-License-Identifier: MIT
#include "agent/spool.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "agent/roll_up.h"
#include "base/temporary_folder.h"

namespace hm::agent {
namespace {

using ::testing::HasSubstr;

store::Batch batch_of(const std::string& id, uint64_t time_s) {
  store::Row row;
  row.series = {"db", "aa", "clock", "clock", "cpu_ns"};
  row.is_total = true;
  row.samples = 1;
  return {id, "host", time_s, {row}};
}

class Spooling : public ::testing::Test {
 protected:
  Spool open() {
    Result<Spool> spool = Spool::open(folder_.file("spool"));
    EXPECT_TRUE(spool) << spool.error().message;
    return *std::move(spool);
  }

  TemporaryFolder folder_;
};

TEST_F(Spooling, GivesWhatWaitsOldestFirst) {
  {
    Spool spool = open();
    ASSERT_TRUE(spool.add(batch_of("b", 2000)));
    ASSERT_TRUE(spool.add(batch_of("a", 900)));
  }
  Spool spool = open();  // opened by the next agent
  Result<std::vector<Waiting>> names = spool.waiting();
  ASSERT_TRUE(names);
  ASSERT_EQ(names->size(), 2u);
  Result<store::Batch> first = spool.read(names->front());
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(first->id, "a");
  ASSERT_TRUE(spool.remove(names->front()));
  ASSERT_TRUE(spool.remove(names->front()));  // the file may already be gone
  EXPECT_EQ(spool.waiting()->size(), 1u);
}

TEST_F(Spooling, IsOneAgentsAlone) {
  Spool spool = open();
  Result<Spool> second = Spool::open(folder_.file("spool"));
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message, HasSubstr("another agent uses"));
}

TEST_F(Spooling, ForgetsWhatAKillLeftUnfinished) {
  { Spool made = open(); }
  std::ofstream(folder_.file("spool/000000000001-x.batch.part")) << "half";
  Spool spool = open();
  EXPECT_TRUE(spool.waiting()->empty());
  EXPECT_FALSE(std::filesystem::exists(folder_.file("spool/000000000001-x.batch.part")));
}

TEST_F(Spooling, PutsAsideWhatIsDamaged) {
  Spool spool = open();
  std::ofstream(folder_.file("spool/000000000001-x.batch")) << "half";
  Result<store::Batch> read = spool.read(spool.waiting()->front());
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("is not a batch"));
  EXPECT_TRUE(spool.waiting()->empty());
  EXPECT_TRUE(std::filesystem::exists(folder_.file("spool/000000000001-x.batch.damaged")));
}

TEST_F(Spooling, WhatWasSentKeepsItsServer) {
  {
    Spool spool = open();
    ASSERT_TRUE(spool.add(batch_of("a", 900)));
    Waiting waiting = spool.waiting()->front();
    EXPECT_EQ(waiting.server, "");
    ASSERT_TRUE(spool.note_attempt(waiting, "one"));
    EXPECT_TRUE(spool.read(waiting));
    ASSERT_TRUE(spool.note_attempt(waiting, "two"));
  }
  Spool spool = open();
  ASSERT_EQ(spool.waiting()->size(), 1u);
  EXPECT_EQ(spool.waiting()->front().server, "two");
  EXPECT_EQ(spool.read(spool.waiting()->front())->id, "a");
}

// A batch with the usual number of places, of which only few stay after a merge.
store::Batch large_batch(uint64_t number) {
  store::Batch batch = batch_of(fmt::format("large-{}", number), 1000 + number);
  batch.rows[0].samples = 0;
  batch.rows[0].load = 10;
  for (uint64_t i = 1; i <= 200; ++i) {
    store::Row row = batch.rows[0];
    row.is_total = false;
    row.place.function = fmt::format("function {}", i * number);
    row.samples = i;
    batch.rows.push_back(row);
    batch.rows[0].samples += i;
  }
  return batch;
}

struct SpooledSums {
  uint64_t totals = 0, places = 0;
  double load = 0;
};
SpooledSums spooled_sums(Spool& spool) {
  SpooledSums sums;
  const std::vector<Waiting> all = *spool.waiting();
  for (const Waiting& waiting : all) {
    const store::Batch batch = *spool.read(waiting);
    for (const store::Row& row : batch.rows) {
      (row.is_total ? sums.totals : sums.places) += row.samples;
      if (row.is_total) sums.load += row.load;
    }
  }
  return sums;
}

TEST_F(Spooling, MergesTheOldestWhereTooMuchWaits) {
  Spool spool = open();
  constexpr uint64_t kBatches = 40;
  for (uint64_t i = 1; i <= kBatches; ++i) ASSERT_TRUE(spool.add(large_batch(i)));
  Waiting oldest = spool.waiting()->front();
  ASSERT_TRUE(spool.note_attempt(oldest, "tried"));
  uint64_t limit = oldest.bytes * 10;
  Status bounded = spool.bound(limit);
  ASSERT_TRUE(bounded) << bounded.error().message;
  uint64_t bytes = 0;
  std::vector<Waiting> left = *spool.waiting();
  for (const Waiting& each : left) bytes += each.bytes;
  EXPECT_LE(bytes, limit);
  EXPECT_EQ(left.front().name, oldest.name) << "a server may have it: it stays as it is";
  EXPECT_GT(left[1].merges, left.back().merges) << "what is older is coarser";
  SpooledSums sums = spooled_sums(spool);
  EXPECT_EQ(sums.totals, kBatches * 200 * 201 / 2);
  EXPECT_EQ(sums.places, sums.totals);
  EXPECT_EQ(sums.load, kBatches * 10);
}

TEST_F(Spooling, GivesUpTheOldestWhereMergingDoesNotHelp) {
  Spool spool = open();
  for (uint64_t i = 0; i < 20; ++i) {
    store::Batch batch = batch_of(fmt::format("b{}", i), 1000 + i);
    batch.rows[0].series.service = fmt::format("a service of its own {}", i);
    ASSERT_TRUE(spool.add(batch));
  }
  Status bounded = spool.bound(1000);
  ASSERT_TRUE(bounded) << bounded.error().message;
  ASSERT_FALSE(spool.waiting()->empty());
  EXPECT_LT(spool.waiting()->size(), 10u);
  EXPECT_EQ(spool.read(spool.waiting()->back())->time_s, 1019u);
}

// The replacement is complete before the originals are removed, so a crash leaves one or the other.
TEST_F(Spooling, AnEndWhileBatchesAreMergedLosesNothing) {
  SpooledSums before;
  {
    Spool spool = open();
    for (uint64_t i = 1; i <= 2; ++i) ASSERT_TRUE(spool.add(large_batch(i)));
    before = spooled_sums(spool);
  }
  namespace fs = std::filesystem;
  const std::string folder = folder_.file("spool");
  const fs::path merged = folder + "/000000001001-new+1.batch.merged";
  std::ofstream(merged) << store::write_batch(merge({large_batch(1), large_batch(2)}, "new"));
  EXPECT_EQ(spooled_sums(*std::make_unique<Spool>(open())).totals, before.totals);
  EXPECT_FALSE(fs::exists(merged)) << "nothing says that it is whole";

  std::ofstream(merged) << store::write_batch(merge({large_batch(1), large_batch(2)}, "new"));
  std::ofstream(folder + "/replaced") << "000000001001-new+1.batch\n000000001001-large-1.batch\n"
                                         "000000001002-large-2.batch\n";
  Spool spool = open();
  ASSERT_EQ(spool.waiting()->size(), 1u);
  EXPECT_EQ(spool.waiting()->front().merges, 1u);
  EXPECT_EQ(spooled_sums(spool).totals, before.totals);
  EXPECT_FALSE(fs::exists(folder + "/replaced"));
}

TEST_F(Spooling, IsNotForOthersToRead) {
  Spool spool = open();
  EXPECT_EQ(std::filesystem::status(folder_.file("spool")).permissions(), std::filesystem::perms::owner_all);
}

TEST(BatchId, IsNewEachTime) {
  Result<std::string> one = make_batch_id("a host!", 7), two = make_batch_id("a host!", 7);
  ASSERT_TRUE(one && two);
  EXPECT_NE(*one, *two);
  EXPECT_THAT(*one, ::testing::StartsWith("a-host--7-"));
}

}  // namespace
}  // namespace hm::agent
