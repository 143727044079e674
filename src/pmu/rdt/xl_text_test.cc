// SPDX-License-Identifier: MIT
#include "pmu/rdt/xl_text.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hm::rdt {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::string kHead =
    "Total RMID: 71\n"
    "Name                                        ID        Socket 0        Socket 1\n"
    "Total L3 Cache Size                                   46080 KB        46080 KB\n";

TEST(XlText, TellsWhatDomainsHoldOnEachSocket) {
  std::optional<XlOccupancy> found = parse_xl_occupancy(
      kHead +
      "Domain-0                                     0          2112 KB             0 KB\n"
      "web server 7 of 9 KB                        12       1048576 KB            64 KB\n");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->ids, 71U);
  EXPECT_THAT(found->sockets, ElementsAre(Domain{0, 46080 << 10}, Domain{1, 46080 << 10}));
  EXPECT_THAT(found->held_bytes[0], ElementsAre(2112U << 10, 0U));
  EXPECT_THAT(found->held_bytes[12], ElementsAre(1U << 30, 64U << 10));
  EXPECT_EQ(found->held_bytes.size(), 2U);
}

TEST(XlText, WhatIsMissingIsNotMeasured) {
  std::optional<XlOccupancy> found = parse_xl_occupancy(kHead + "a   1   5 KB\nb   2\n9 KB   3\n");
  ASSERT_TRUE(found);
  EXPECT_THAT(found->held_bytes[1], ElementsAre(std::nullopt, std::nullopt));
  EXPECT_THAT(found->held_bytes[2], ElementsAre(std::nullopt, std::nullopt));
  EXPECT_THAT(found->held_bytes[3], ElementsAre(std::nullopt, std::nullopt));
}

TEST(XlText, OfNobodyThereIsNothing) {
  std::optional<XlOccupancy> found = parse_xl_occupancy(kHead);
  ASSERT_TRUE(found);
  EXPECT_THAT(found->held_bytes, IsEmpty());
}

class WrongXlText : public ::testing::TestWithParam<const char*> {};

TEST_P(WrongXlText, IsNotUnderstood) {
  EXPECT_FALSE(parse_xl_occupancy(kHead + GetParam())) << GetParam();
  EXPECT_FALSE(parse_xl_occupancy(GetParam())) << GetParam();
  EXPECT_FALSE(parse_xl_list(GetParam())) << GetParam();
}

INSTANTIATE_TEST_SUITE_P(All, WrongXlText,
                         ::testing::Values("\n", "web\n", "7\n", "web 1 2 KB 3 KB 4 KB\n",
                                           "web -1 2 KB 3 KB\n", "web 1 2 MB 3 MB\n", "web 1 2KB 3KB\n",
                                           "web 4294967296 2 KB 3 KB\n", "KB\n", "KB KB KB KB\n",
                                           "a 1 2 KB 3 KB\nb 1 2 KB 3 KB\n",
                                           "web 1 18446744073709551615 KB 18446744073709551616 KB\n"));

TEST(XlText, ItsHeadIsComplete) {
  for (size_t bytes = 0; bytes + 1 < kHead.size(); ++bytes)
    EXPECT_FALSE(parse_xl_occupancy(kHead.substr(0, bytes))) << bytes;
  for (size_t line : {kHead.find("Total RMID"), kHead.find("Name"), kHead.find("Total L3")}) {
    std::string other = kHead;
    other[line] = '?';
    EXPECT_FALSE(parse_xl_occupancy(other)) << other;
  }
  EXPECT_FALSE(parse_xl_occupancy("Total RMID: 1\nName ID\nTotal L3 Cache Size\n"));
  EXPECT_FALSE(
      parse_xl_occupancy("Total RMID: 1\nName ID Socket 0 Socket 0\nTotal L3 Cache Size 1 KB 1 KB\n"));
}

const std::string kListHead = "Name                                        ID   Mem VCPUs\tState\tTime(s)\n";

TEST(XlText, ListsDomainsByNumberAndName) {
  std::optional<std::vector<XenDomain>> found =
      parse_xl_list(kListHead +
                    "Domain-0                                     0  4096     4     r-----     320.1\n"
                    "web server                                   3   512     2     -b----      12.3\n"
                    "(null)                                       4     0     1     --psc-       2.0\n"
                    "(null)                                       5     0     1     --ps-d       2.0\n");
  ASSERT_TRUE(found);
  EXPECT_THAT(*found, ElementsAre(XenDomain{0, "Domain-0"}, XenDomain{3, "web server"}, XenDomain{4, ""}));
}

TEST(XlText, ListsNothingThatItDoesNotUnderstand) {
  EXPECT_FALSE(parse_xl_list(""));
  EXPECT_FALSE(parse_xl_list("ERROR: no hypervisor\n"));
  EXPECT_FALSE(parse_xl_list(kListHead + "web 3 512 2 xx---- 12.3\n"));
  EXPECT_FALSE(parse_xl_list(kListHead + "3 512 2 -b---- 12.3\n"));
  EXPECT_FALSE(parse_xl_list(kListHead + "a 3 1 2 -b---- 1.0\nb 3 1 2 -b---- 1.0\n"));
  EXPECT_TRUE(parse_xl_list(kListHead));
}

}  // namespace
}  // namespace hm::rdt
