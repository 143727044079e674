// SPDX-License-Identifier: MIT
#include "agent/spool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

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
  Spool spool = open();  // of the next agent
  Result<std::vector<std::string>> names = spool.waiting();
  ASSERT_TRUE(names);
  ASSERT_EQ(names->size(), 2u);
  Result<store::Batch> first = spool.read(names->front());
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(first->id, "a");
  ASSERT_TRUE(spool.remove(names->front()));
  ASSERT_TRUE(spool.remove(names->front()));  // it may be gone already
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
  EXPECT_THAT(read.error().message, HasSubstr("does not begin as a batch"));
  EXPECT_TRUE(spool.waiting()->empty());
  EXPECT_TRUE(std::filesystem::exists(folder_.file("spool/000000000001-x.batch.damaged")));
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
