// SPDX-License-Identifier: MIT
#include "store/batch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hm::store {
namespace {

using ::testing::HasSubstr;

Batch example() {
  Series series{"db", "aa11", "l1_cache_miss", "software", "instructions"};
  return {"b-1",
          "host",
          1'700'000'000,
          {{series, true, {}, 3, 1500.5, 1e6},
           {series,
            false,
            {"beef", "program", 0x1234, "f(int)", "a \"b\".c", 7, "conflict", "\xff"},
            2,
            1000,
            1e6}}};
}

std::string error_of(const std::string& text) {
  Result<Batch> batch = read_batch(text, "FILE");
  return batch ? "" : batch.error().message;
}

TEST(Batch, IsReadAsItWasWritten) {
  Result<Batch> read = read_batch(write_batch(example()), "FILE");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->id, "b-1");
  EXPECT_EQ(read->host, "host");
  EXPECT_EQ(read->time_s, 1'700'000'000u);
  ASSERT_EQ(read->rows.size(), 2u);
  EXPECT_TRUE(read->rows[0].is_total);
  EXPECT_EQ(read->rows[1].series, example().rows[1].series);
  EXPECT_EQ(read->rows[1].place.offset, 0x1234u);
  EXPECT_EQ(read->rows[1].place.file, "a \"b\".c");
  EXPECT_EQ(read->rows[1].place.object, "\xEF\xBF\xBD");  // invalid UTF-8 is replaced
  EXPECT_DOUBLE_EQ(read->rows[0].count, 1500.5);
}

TEST(Batch, ThatIsCutOffIsRefused) {
  std::string whole = write_batch(example());
  for (size_t i = 0; i + 1 < whole.size(); ++i) EXPECT_FALSE(read_batch(whole.substr(0, i), "FILE")) << i;
}

TEST(Batch, ThatIsNoneIsRefusedInASentence) {
  EXPECT_THAT(error_of(""), HasSubstr("FILE: it is not a batch"));
  EXPECT_THAT(error_of("{\"format\":2,\"batch\":\"b\",\"host\":\"h\",\"time\":1}\n"),
              HasSubstr("is not a batch"));
  EXPECT_THAT(error_of("{\"format\":1,\"batch\":\"b\",\"host\":\"h\",\"time\":1}\n[1]\n"),
              HasSubstr("row 1 is none"));
  EXPECT_THAT(error_of("{\"format\":1,\"batch\":\"b\",\"host\":\"h\",\"time\":1}\n{\"rows\":1}\n"),
              HasSubstr("row 1"));
}

}  // namespace
}  // namespace hm::store
