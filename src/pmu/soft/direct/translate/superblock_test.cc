// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/translate/superblock.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "pmu/soft/direct/translate/harness/harness.h"

namespace hm::soft::direct {
namespace {

using Bytes = std::vector<uint8_t>;

class SuperblockTest : public Translation {
 protected:
  Superblock read(const Bytes& code, bool exact_flags = false) {
    Superblock block;
    read_superblock(program_, cache_, put(code), Mode::kCollecting, exact_flags, block);
    return block;
  }
};

Bytes operator+(Bytes first, const Bytes& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

const Bytes kCall{0xe8, 0x40, 0x00, 0x00, 0x00}, kSetc{0x0f, 0x92, 0xc0}, kRet{0xc3}, kTest{0x48, 0x85, 0xc0};
const Bytes kJrcxzToNext{0xe3, 0x00}, kLoopToItself{0xe2, 0xfe}, kMove{0x48, 0x89, 0xd1};
const Bytes kStc{0xf9}, kJncToNext{0x73, 0x00}, kSetz{0x0f, 0x94, 0xc0};

Bytes moves(unsigned count) {
  Bytes all;
  for (unsigned i = 0; i < count; ++i) all = all + kMove;
  return all;
}

TEST_F(SuperblockTest, SeesWhoReadsFlagsThatAFunctionReturns) {
  for (const Bytes& behind : {kSetc, kJrcxzToNext + kSetc, kLoopToItself + kSetc, moves(30) + kSetc,
                              kStc + kJncToNext + kSetz, kJrcxzToNext + kJrcxzToNext + kSetc})
    EXPECT_TRUE(read(kCall + behind + kRet).returns_flags) << behind.size() << " bytes";
}

TEST_F(SuperblockTest, SeesThatWhatIsBehindACallWritesFlagsFirst) {
  for (const Bytes& behind : {kTest + kSetc, kJrcxzToNext + kTest + kSetc, kLoopToItself + kTest + kSetz,
                              moves(200) + kSetc, kRet + kSetc, kStc + kSetc, kCall + kSetc})
    EXPECT_FALSE(read(kCall + behind + kRet).returns_flags) << behind.size() << " bytes";
}

TEST_F(SuperblockTest, EndsBeforeQuestionsToADefinedProcessor) {
  struct Question {
    Bytes code;
    MachineQuery query;
  };
  const Question questions[] = {{{0x0f, 0xa2}, MachineQuery::kCpuid},
                                {{0x0f, 0x01, 0xd0}, MachineQuery::kStateComponents},
                                {{0x0f, 0x31}, MachineQuery::kTime},
                                {{0x0f, 0x01, 0xf9}, MachineQuery::kTimeAndCpu},
                                {{0x48, 0x0f, 0xc7, 0xf0}, MachineQuery::kRandom},      // rdrand rax
                                {{0x66, 0x0f, 0xc7, 0xf9}, MachineQuery::kRandom},      // rdseed cx
                                {{0xf3, 0x0f, 0xc7, 0xf8}, MachineQuery::kCpuNumber}};  // rdpid rax
  for (const Question& each : questions) {
    program_.defined_machine = false;
    Superblock block = read(kMove + each.code + kRet);
    EXPECT_EQ(block.count, 3u);
    EXPECT_EQ(machine_query(block.steps[1].instruction), each.query);
    EXPECT_FALSE(block.queries_machine);
    program_.defined_machine = true;
    block = read(kMove + each.code + kRet);
    EXPECT_EQ(block.count, 1u);
    EXPECT_TRUE(block.queries_machine);
    EXPECT_EQ(block.next, block.steps[0].next());
  }
  Superblock block = read({0x0f, 0xc7, 0x0e, 0xc3});  // cmpxchg8b [rsi]; ret
  EXPECT_EQ(block.count, 2u);
}

TEST_F(SuperblockTest, KeepsFlagsThroughASystemCall) {
  const Bytes system_call{0x0f, 0x05};
  EXPECT_TRUE(read(system_call).steps[0].flags_live);
  EXPECT_TRUE(read(kMove + system_call).steps[0].flags_live);
  EXPECT_FALSE(read(kTest + system_call).steps[0].flags_live);
  EXPECT_FALSE(
      reads_flags(read(kMove + system_call)));  // functions that make a call need no flags of their caller
}

TEST_F(SuperblockTest, KeepsFlagsWhereABranchMayLeadToCodeThatReadsThem) {
  const Bytes call_register{0xff, 0xd0}, jump_register{0xff, 0xe0}, jump_table{0xff, 0x24, 0xc5, 0, 0, 0, 0},
      jump_place{0xff, 0x25, 0, 0, 0, 0}, call_reader{0xe8, 0x01, 0x00, 0x00, 0x00};
  for (const Bytes& branch : {call_register, jump_register, jump_table, call_reader + kRet + kSetc})
    EXPECT_TRUE(read(branch).flags_live) << branch.size() << " bytes";
  for (const Bytes& branch : {jump_place, kRet, call_reader + kRet + kTest}) {
    EXPECT_FALSE(read(branch).flags_live) << branch.size() << " bytes";
    EXPECT_TRUE(read(branch, true).flags_live) << branch.size() << " bytes";
  }
}

}  // namespace
}  // namespace hm::soft::direct
