// SPDX-License-Identifier: MIT
#include "pmu/soft/inject/address_ranges.h"

#include <gtest/gtest.h>

namespace hm::soft {
namespace {

constexpr uint64_t kBegin = 0x554000000000, kImageEnd = 0x554000200000, kEnd = 0x554100000000;

RangeUse use_of(std::string_view maps) { return use_of_range(maps, kBegin, kImageEnd, kEnd); }

TEST(ImageRange, IsFreeBetweenOtherMappings) {
  EXPECT_EQ(use_of(""), RangeUse::kFree);
  EXPECT_EQ(use_of("00400000-00401000 r-xp 00000000 fe:01 42 /bin/program\n"
                   "553fff000000-554000000000 rw-p 00000000 00:00 0 \n"
                   "554100000000-554100001000 rw-p 00000000 00:00 0 [heap]\n"),
            RangeUse::kFree);
}

TEST(ImageRange, KnowsAnEngineThatWasNotFinished) {
  EXPECT_EQ(use_of("554000000000-554000200000 rw-p 00000000 00:00 0 \n"), RangeUse::kCutOff);
  EXPECT_EQ(use_of("554000000000-554000001000 r--p 00000000 00:00 0 \n"
                   "554000001000-554000050000 r-xp 00000000 00:00 0\n"
                   "554000050000-554000200000 rw-p 00000000 00:00 0 \n"
                   "7ffff7fc1000-7ffff7fc3000 r-xp 00000000 00:00 0                          [vdso]"),
            RangeUse::kCutOff);
}

TEST(ImageRange, LeavesTheProgramItsOwnMemory) {
  EXPECT_EQ(use_of("554000000000-554000100000 rw-p 00000000 00:00 0 \n"), RangeUse::kTaken);  // too short
  EXPECT_EQ(use_of("554000000000-554000300000 rw-p 00000000 00:00 0 \n"), RangeUse::kTaken);  // too long
  EXPECT_EQ(use_of("553fffff0000-554000200000 ---p 00000000 00:00 0 \n"), RangeUse::kTaken);  // begins before
  EXPECT_EQ(use_of("554000000000-554000200000 rw-s 00000000 00:01 7 /memfd:x\n"), RangeUse::kTaken);
  EXPECT_EQ(use_of("554000000000-554000200000 rw-p 00000000 00:00 0 \n"
                   "554040000000-554040001000 rw-p 00000000 00:00 0 \n"),
            RangeUse::kTaken);
  EXPECT_EQ(use_of("554000000000-554000001000 rw-p 00000000 00:00 0 \n"
                   "554000002000-554000200000 rw-p 00000000 00:00 0 \n"),
            RangeUse::kTaken);  // has a gap
}

TEST(LargestFreeRange, IsBetweenMappingsOrBehindThem) {
  EXPECT_EQ(largest_free_range(""), (uint64_t{1} << 47) - 0x10000);
  EXPECT_EQ(largest_free_range("100000000000-200000000000 ---p 00000000 00:00 0 \n"
                               "600000000000-7ffffffff000 rw-p 00000000 00:00 0 \n"
                               "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 [vsyscall]\n"),
            uint64_t{0x400000000000});
}

}  // namespace
}  // namespace hm::soft
