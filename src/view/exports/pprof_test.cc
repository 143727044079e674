// SPDX-License-Identifier: MIT
#include "view/exports/pprof.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "view/exports/gzip.h"
#include "view/exports/protobuf.h"
#include "view/exports/protobuf_fields.h"
#include "view/exports/test_profile.h"

namespace hm::exports {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;

std::string decompressed(const std::string& bytes) {
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  std::string text(size_t{8} << 20, '\0'), input = bytes;
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  text.resize(stream.total_out);
  inflateEnd(&stream);
  return text;
}

TEST(ProtobufMessage, IsAsTheSpecificationHasIt) {
  Message message;
  message.number(1, 150).number(2, 0).bytes(2, "testing").packed(6, std::vector<uint64_t>{3, 270, 86942});
  EXPECT_EQ(message.text(), std::string_view("\x08\x96\x01\x12\x07testing\x32\x06\x03\x8e\x02\x9e\xa7\x05"));
}

TEST(ProtobufMessage, HasNumbersOfEightBytes) {
  using namespace std::string_view_literals;
  EXPECT_EQ(Message().fixed64(3, 0x0102030405060708).text(), "\x19\x08\x07\x06\x05\x04\x03\x02\x01"sv);
  EXPECT_EQ(Message().fixed64(3, 0).text(), "");
}

TEST(GzipStream, IsReadAsItWasTaken) {
  std::string compressed, much;
  for (uint32_t i = 0; i < 300000; ++i) much += std::to_string(i * 2654435761U);
  GzipStream gzip([&](std::string_view piece) {
    compressed += piece;
    return Status();
  });
  EXPECT_TRUE(gzip.take(much));
  EXPECT_TRUE(gzip.take("end"));
  EXPECT_TRUE(gzip.finish());
  EXPECT_EQ(decompressed(compressed), much + "end");
}

TEST(PprofFile, HasTwoSampleTypesForEachEvent) {
  TestProfile test;
  auto fields = fields_of(decompressed(written(write_pprof, test.selection())));
  std::vector<std::string> strings = all_of(fields, 6);
  EXPECT_EQ(strings.front(), "");
  std::vector<std::string> types;
  for (const std::string& type : all_of(fields, 1)) {
    auto parts = fields_of(type);
    types.push_back(strings[std::stoul(parts.find(1)->second)] + "/" +
                    strings[std::stoul(parts.find(2)->second)]);
  }
  EXPECT_THAT(types, ElementsAre("l1_cache_miss_samples/count", "l1_cache_miss/count",
                                 "cpu/mem-loads,ldlat=30/_samples/count", "cpu/mem-loads,ldlat=30//count"));
  EXPECT_THAT(strings, Contains("(2) a;b\\x0a\"c\" \xef\xbf\xbd"));
  EXPECT_THAT(strings, Contains("global table (program)"));
}

TEST(PprofFile, LeavesOutNamesThatAreNotToBeTold) {
  TestProfile test;
  std::string compressed;
  PprofOptions options{{.paths = false, .functions = false}, 1'700'000'000'000'000'000, 10'000'000'000};
  Status status = write_pprof(
      test.selection(),
      [&](std::string_view piece) {
        compressed += piece;
        return Status();
      },
      options);
  ASSERT_TRUE(status);
  auto fields = fields_of(decompressed(compressed));
  std::vector<std::string> strings = all_of(fields, 6);
  for (const char* name : {"main", "work<int, long>", "(2) a;b\\x0a\"c\" \xef\xbf\xbd", "/no/program",
                           "object", "global table (program)"})
    EXPECT_THAT(strings, Not(Contains(name)));
  for (const char* name : {"[program+0x100]", "[program+0x200]", "[program+0x300]", "program"})
    EXPECT_THAT(strings, Contains(name));
  EXPECT_THAT(all_of(fields, 9), ElementsAre("1700000000000000000"));
  EXPECT_THAT(all_of(fields, 10), ElementsAre("10000000000"));
}

TEST(PprofFile, JoinsSamplesOfOneStackThreadAndObject) {
  TestProfile test;
  auto fields = fields_of(decompressed(written(write_pprof, test.selection())));
  std::vector<std::string> stacks, values;
  for (const std::string& sample : all_of(fields, 2)) {
    stacks.push_back(fields_of(sample).find(1)->second);
    values.push_back(fields_of(sample).find(2)->second);
  }
  using namespace std::string_literals;
  EXPECT_THAT(stacks, ElementsAre("\3\1"s, "\2\1"s, "\4"s));
  EXPECT_THAT(values, ElementsAre("\1\x14\1\3"s, "\1\x0a\0\0"s, "\1\5\0\0"s));
  EXPECT_EQ(all_of(fields, 3).size(), 1u);
  EXPECT_EQ(all_of(fields, 4).size(), 4u);
  EXPECT_EQ(all_of(fields, 5).size(), 3u);
}

}  // namespace
}  // namespace hm::exports
