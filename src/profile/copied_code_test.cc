// SPDX-License-Identifier: MIT
#include "profile/copied_code.h"

#include <gtest/gtest.h>

#include "profile/process_table.h"

namespace hm::profile {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;
constexpr uint32_t kProgram = 3, kOther = 5, kMemory = 4;

Mapping file(uint64_t start, uint64_t end, uint64_t offset, uint32_t dso = kProgram) {
  return {start, end, offset, dso};
}
Mapping memory(uint64_t start, uint64_t end, bool executable = true) {
  return {start, end, start, kMemory, executable, 0, true};
}

class CopiedCode : public testing::Test {
 protected:
  void map(const Mapping& mapping) { processes_.apply({0, MapUser{7, mapping}}); }
  // Returns the mapping of an address, in which the offset is that of the address itself.
  Mapping at(uint64_t address) {
    const Mapping* found = processes_.user(7).mappings.find(address);
    if (found == nullptr) return {};
    Mapping mapping = *found;
    mapping.offset += address - mapping.start;
    return mapping;
  }
  void expect_program(uint64_t address, uint64_t offset) {
    EXPECT_EQ(at(address).dso, kProgram) << std::hex << address;
    EXPECT_EQ(at(address).offset, offset) << std::hex << address;
  }

  ProcessTable processes_;
};

// node --use-largepages=on
TEST_F(CopiedCode, BelongsToTheFileThatItHides) {
  map(file(11 * kMiB, 38 * kMiB, 7 * kMiB));
  map(memory(12 * kMiB, 36 * kMiB));
  for (uint64_t address : {11 * kMiB, 12 * kMiB, 12 * kMiB + 0x1234, 36 * kMiB - 1, 36 * kMiB})
    expect_program(address, address - 4 * kMiB);
}

TEST_F(CopiedCode, OfAnySizeIsKnownByItsContents) {
  map(file(11 * kMiB, 38 * kMiB, 7 * kMiB));
  Mapping copy = memory(12 * kMiB + 0x1000, 12 * kMiB + 0x3000);
  copy.same_code = SameCode::kYes;
  map(copy);
  expect_program(12 * kMiB + 0x1234, 8 * kMiB + 0x1234);
  expect_program(12 * kMiB + 0x3000, 8 * kMiB + 0x3000);
}

// The copy of a running process may be all of the file's code but its end, or its beginning.
TEST_F(CopiedCode, OfARunningProcessIsFoundBesideTheFile) {
  Mapping copy = memory(11 * kMiB, 12 * kMiB);
  copy.same_code = SameCode::kYes;
  map(copy);
  map(file(12 * kMiB, 13 * kMiB, 8 * kMiB));
  expect_program(11 * kMiB + 7, 7 * kMiB + 7);
  Mapping end = memory(13 * kMiB, 14 * kMiB);
  end.same_code = SameCode::kYes;
  map(end);
  expect_program(13 * kMiB + 7, 9 * kMiB + 7);
}

TEST_F(CopiedCode, IsNotBesideAFileIfItWasNotCompared) {
  map(memory(12 * kMiB, 14 * kMiB));
  map(file(14 * kMiB, 15 * kMiB, 8 * kMiB));
  map(memory(16 * kMiB, 18 * kMiB));
  EXPECT_EQ(at(12 * kMiB).dso, kMemory);
  EXPECT_EQ(at(16 * kMiB).dso, kMemory);
}

TEST_F(CopiedCode, IsNoneIfItsContentsDiffer) {
  map(file(11 * kMiB, 38 * kMiB, 7 * kMiB));
  Mapping compiled = memory(12 * kMiB, 36 * kMiB);
  compiled.same_code = SameCode::kNo;
  map(compiled);
  EXPECT_EQ(at(20 * kMiB).dso, kMemory);
}

// A shared memory file, as of memfd_create(2), is no program if it has the code of one.
TEST_F(CopiedCode, MayBeInAFile) {
  map(file(11 * kMiB, 38 * kMiB, 7 * kMiB));
  Mapping copy = file(12 * kMiB, 13 * kMiB, 0, kOther);
  copy.same_code = SameCode::kYes;
  map(copy);
  expect_program(12 * kMiB + 5, 8 * kMiB + 5);
  copy.same_code = SameCode::kNo;
  map(copy);
  EXPECT_EQ(at(12 * kMiB + 5).dso, kOther);
}

// The text of BOLT's programs need not end at a huge page.
TEST_F(CopiedCode, EndsWithTheFile) {
  map(file(2 * kMiB, 5 * kMiB, 0));
  map(memory(2 * kMiB, 6 * kMiB));
  expect_program(5 * kMiB - 1, 3 * kMiB - 1);
  EXPECT_EQ(at(5 * kMiB).dso, kMemory);
}

TEST_F(CopiedCode, OfARunningProcessFillsAGap) {
  map(file(11 * kMiB, 12 * kMiB, 7 * kMiB));
  map(memory(12 * kMiB, 36 * kMiB));
  EXPECT_EQ(at(20 * kMiB).dso, kMemory);
  map(file(36 * kMiB, 38 * kMiB, 32 * kMiB));
  expect_program(20 * kMiB, 16 * kMiB);
}

TEST_F(CopiedCode, ACopyOfACopy) {
  map(file(2 * kMiB, 8 * kMiB, 0));
  map(memory(2 * kMiB, 6 * kMiB));
  map(memory(4 * kMiB, 8 * kMiB));
  expect_program(7 * kMiB, 5 * kMiB);
}

TEST_F(CopiedCode, OtherMemoryIsItsOwn) {
  map(file(2 * kMiB, 12 * kMiB, 0));
  map(memory(4 * kMiB, 6 * kMiB, false));     // no code
  map(memory(8 * kMiB, 8 * kMiB + 0x10000));  // smaller than a page
  EXPECT_EQ(at(4 * kMiB).dso, kMemory);
  EXPECT_EQ(at(8 * kMiB).dso, kMemory);
  map(memory(20 * kMiB, 22 * kMiB));  // over nothing
  EXPECT_EQ(at(20 * kMiB).dso, kMemory);
}

TEST_F(CopiedCode, AGapBetweenOtherFilesIsNone) {
  map(file(2 * kMiB, 4 * kMiB, 0));
  map(memory(4 * kMiB, 6 * kMiB));
  map(file(6 * kMiB, 8 * kMiB, 4 * kMiB, kOther));
  EXPECT_EQ(at(5 * kMiB).dso, kMemory);
  map(file(12 * kMiB, 14 * kMiB, 0));
  map(memory(14 * kMiB, 16 * kMiB));
  map(file(16 * kMiB, 18 * kMiB, 0));  // another part of the file
  EXPECT_EQ(at(15 * kMiB).dso, kMemory);
}

}  // namespace
}  // namespace hm::profile
