// SPDX-License-Identifier: MIT
#include "agent/sender.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/temporary_folder.h"

namespace hm::agent {
namespace {

using ::testing::IsEmpty;

TEST(Sending, MakesAnEmbeddedStoreAndEmptiesTheSpool) {
  TemporaryFolder folder;
  Result<Spool> spool = Spool::open(folder.file("spool"));
  ASSERT_TRUE(spool);
  store::Row row;
  row.series = {"db", "aa", "clock", "clock", "cpu_ns"};
  row.is_total = true;
  row.samples = 1;
  for (const char* id : {"a", "b"}) ASSERT_TRUE(spool->add({id, "host", 1000, {row}}));
  // This batch was already sent to a server that is no longer in the list.
  Waiting first = spool->waiting()->front();
  ASSERT_TRUE(spool->note_attempt(first, "0123456789abcdef"));
  std::vector<std::string> said;
  Sender sender(*store::parse_address(folder.file("store")), {}, "host",
                [&](const std::string& sentence) { said.push_back(sentence); });
  Status sent = sender.send(*spool, std::chrono::hours(1));
  ASSERT_TRUE(sent) << sent.error().message;
  EXPECT_EQ(sender.batches(), 2u);
  EXPECT_THAT(*spool->waiting(), IsEmpty());
  EXPECT_EQ(sender.clock_offset_s(), 0) << "an embedded store has this machine's clock";
  EXPECT_THAT(said, IsEmpty());
}

}  // namespace
}  // namespace hm::agent
