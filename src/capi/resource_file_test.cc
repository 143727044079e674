// SPDX-License-Identifier: MIT
#include "capi/resource_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>

namespace hm::capi {
namespace {

using ::testing::HasSubstr;

Result<Resource> find(const std::string& text, const std::string& name = "load") {
  return find_resource(text, name, "the file");
}
const std::string kLeast = "load.user 1\nload.event l1_cache_miss\nload.dumpfile /tmp/d\n";

TEST(ResourceFile, HasDefaults) {
  auto resource = find(kLeast);
  ASSERT_TRUE(resource.ok()) << resource.error().message;
  EXPECT_TRUE(resource->user);
  EXPECT_FALSE(resource->kernel);
  EXPECT_EQ(resource->event.id, event::EventId::kL1CacheMiss);
  EXPECT_EQ(resource->dump_file, "/tmp/d");
  EXPECT_EQ(resource->format, Format::kDump);
  EXPECT_EQ(resource->count, 2000u);
  EXPECT_EQ(resource->interval, 10000u);
}

// The example of the original's documentation.
TEST(ResourceFile, OfTheOriginalIsRead) {
  auto resource = find(
      "# sample events in user-mode when non-zero. default 0.\n"
      "resource_name.user 1\n"
      "resource_name.kernel 0\n"
      "resource_name.event l1_cache_miss\n"
      "resource_name.dumpfile /tmp/hardmeter.%y%m%d-%H%M%S.%P\n"
      "resource_name.count 200\n"
      "resource_name.interval 10000\n"
      "other.event nonsense\n",
      "resource_name");
  ASSERT_TRUE(resource.ok()) << resource.error().message;
  EXPECT_EQ(resource->count, 200u);
}

TEST(ResourceFile, HasCommentsBlanksAndOtherResources) {
  auto resource =
      find("\n  load.user\t1   # yes\r\n" + std::string("load.kernel 1\nother.user 7\n#load.user 2\n") +
           "load.event dtlb_store_miss\nload.dumpfile /tmp/a#b c\nload.format perf");
  ASSERT_TRUE(resource.ok()) << resource.error().message;
  EXPECT_EQ(resource->dump_file, "/tmp/a#b c");
  EXPECT_EQ(resource->event.id, event::EventId::kDtlbStoreMiss);
  EXPECT_EQ(resource->format, Format::kPerf);
}

struct Wrong {
  std::string text;
  std::string sentence;
};
class WrongResource : public ::testing::TestWithParam<Wrong> {};

TEST_P(WrongResource, IsSaid) {
  auto resource = find(GetParam().text);
  ASSERT_FALSE(resource.ok());
  EXPECT_THAT(resource.error().message, HasSubstr(GetParam().sentence));
}

INSTANTIATE_TEST_SUITE_P(
    Of, WrongResource,
    ::testing::Values(
        Wrong{"", "the file has no resource 'load'"},
        Wrong{"other.user 1\n", "the file has no resource 'load'"},
        Wrong{kLeast + "load.user 1\n", "the file line 4: load.user is given twice"},
        Wrong{kLeast + "load.colour red\n", "line 4: unknown parameter 'colour'"},
        Wrong{kLeast + "load.count\n", "line 4: 'load.count' is not of the form"},
        Wrong{kLeast + "nonsense 1\n", "line 4: 'nonsense 1' is not of the form"},
        Wrong{kLeast + ".user 1\n", "line 4: '.user 1' is not of the form"},
        Wrong{kLeast + "load.count 0\n", "line 4: '0' is not a number from 1 to"},
        Wrong{kLeast + "load.count 5x\n", "line 4: '5x' is not a number"},
        Wrong{kLeast + "load.count 524271\n", "524271 samples of a precise event; at most 524270"},
        Wrong{kLeast + "load.interval 99999999999999999999\n", "line 4: '99999999999999999999' is no"},
        Wrong{kLeast + "load.kernel yes\n", "line 4: 'yes' is neither 0 nor 1"},
        Wrong{kLeast + "load.format text\n", "line 4: unknown format 'text'"},
        Wrong{"load.user 1\nload.event l1_mis\n", "line 2: "},
        Wrong{"load.event l1_cache_miss,l2_cache_miss\n", "is more than one event"},
        Wrong{"load.user 1\nload.dumpfile /tmp/d\n", "names no event"},
        Wrong{"load.user 1\nload.event clock\n", "has no dumpfile"},
        Wrong{"load.event clock\nload.dumpfile d\n", "neither user nor kernel mode"}));

TEST(ResourceFile, OfTimeMayHaveMoreSamples) {
  EXPECT_TRUE(find("load.user 1\nload.event clock\nload.dumpfile d\nload.count 524271\n").ok());
}

TEST(ResourceFile, KnowsNames) {
  EXPECT_FALSE(find(kLeast, "").ok());
  EXPECT_FALSE(find(kLeast, "lo.ad").ok());
  EXPECT_FALSE(find(kLeast, "lo ad").ok());
}

TEST(DumpFile, HasTheTimeAndTheProcess) {
  std::tm local{};
  local.tm_year = 126;
  local.tm_mon = 10;
  local.tm_mday = 2;
  local.tm_hour = 3;
  local.tm_min = 4;
  local.tm_sec = 5;
  local.tm_isdst = -1;
  EXPECT_EQ(expand_dump_file("/tmp/%Y-%y%m%d-%H%M%S.%P.%%.%x%", std::mktime(&local), 17),
            "/tmp/2026-261102-030405.17.%.%x%");
}

}  // namespace
}  // namespace hm::capi
