// SPDX-License-Identifier: MIT
// Call chains from copies of the stack and from the processor's call stack.
#include <asm/perf_regs.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <fstream>

#include "profile/test_recording.h"

namespace hm::profile {

// Functions of this test program. Samples are placed at their first instruction, at which the return address
// is on top of the stack (System V ABI for x86-64).
__attribute__((noinline)) int call_chain_test_inner(int value) { return value * 3; }
__attribute__((noinline)) int call_chain_test_outer(int value) { return call_chain_test_inner(value) + 1; }

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr uint32_t kPid = 5;
constexpr uint64_t kRegisters = 1 << PERF_REG_X86_SP | 1 << PERF_REG_X86_IP;
constexpr uint64_t kStackPointer = 0x7fff0000;
constexpr uint64_t kKernelPlace = 0xffffffff81000100;

uint64_t address_of(int (*function)(int)) { return reinterpret_cast<uint64_t>(function); }

std::vector<uint64_t> addresses(const Profile& profile) {
  std::vector<uint64_t> addresses;
  const Samples& samples = profile.samples;
  Slice slice = samples.chain_of(0);
  for (uint32_t i = 0; i < slice.count; ++i)
    addresses.push_back(profile.locations[samples.chain_locations[slice.offset + i]].offset);
  return addresses;
}

std::vector<std::string> functions(const Profile& profile) {
  std::vector<std::string> names;
  for (uint32_t location : profile.samples.chain_locations)
    names.push_back(profile.functions[profile.locations[location].function].name);
  return names;
}

record::EventDescription stack_event() {
  auto event = test_event("clock", 1, PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER);
  event.attr.sample_regs_user = kRegisters;
  return event;
}

class StackCopies : public ::testing::Test {
 protected:
  // Maps all code of this program, as in /proc/self/maps.
  void map_this_program(TestRecording& recording) {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
      unsigned long start = 0, end = 0, offset = 0;
      std::array<char, 5> mode{};
      int path_at = 0;
      if (std::sscanf(line.c_str(), "%lx-%lx %4s %lx %*s %*s %n", &start, &end, mode.data(), &offset,
                      &path_at) < 4)
        continue;
      uint64_t inside = address_of(call_chain_test_outer);
      if (start <= inside && inside < end)
        recording.map(1, kPid, start, end - start, line.substr(static_cast<size_t>(path_at)), offset);
    }
  }

  // Returns a sample at the start of the inner function, called by the outer function.
  record::Sample sample() {
    registers_ = {kStackPointer, address_of(call_chain_test_inner)};
    if (PERF_REG_X86_IP < PERF_REG_X86_SP) std::ranges::reverse(registers_);
    record::Sample sample;
    sample.user_regs = {PERF_SAMPLE_REGS_ABI_64, kRegisters, record::U64View(registers_)};
    sample.user_stack = {std::as_bytes(std::span(stack_)), stack_.size() * sizeof(uint64_t)};
    return sample;
  }

  std::vector<uint64_t> registers_;
  std::vector<uint64_t> stack_{address_of(call_chain_test_outer) + 1, 0, 0, 0};
};

TEST_F(StackCopies, GiveTheCallers) {
  TestRecording recording({stack_event()});
  map_this_program(recording);
  recording.sample(2, kPid, address_of(call_chain_test_inner), sample());
  EXPECT_THAT(functions(recording.load()), ElementsAre("hm::profile::call_chain_test_inner(int)",
                                                       "hm::profile::call_chain_test_outer(int)"));
  EXPECT_THAT(functions(recording.load({.needs = kPlacesOnly})), IsEmpty());
}

TEST_F(StackCopies, FollowTheKernelsPart) {
  TestRecording recording({stack_event()});
  map_this_program(recording);
  std::vector<uint64_t> chain{static_cast<uint64_t>(PERF_CONTEXT_KERNEL), kKernelPlace, kKernelPlace + 0x10};
  record::Sample kernel = sample();
  kernel.callchain = record::U64View(chain);
  recording.sample(2, kPid, kKernelPlace, kernel, 0, PERF_RECORD_MISC_KERNEL);
  Profile profile = recording.load();
  ASSERT_EQ(profile.samples.chain_of(0).count, 4u);
  EXPECT_EQ(addresses(profile)[0], kKernelPlace);
  EXPECT_EQ(addresses(profile)[1], kKernelPlace + 0xf);
  EXPECT_EQ(functions(profile)[2], "hm::profile::call_chain_test_inner(int)");
  EXPECT_EQ(functions(profile)[3], "hm::profile::call_chain_test_outer(int)");
}

TEST_F(StackCopies, AreReadAsFarAsTheKernelCopied) {
  TestRecording recording({stack_event()});
  map_this_program(recording);
  record::Sample cut = sample();
  cut.user_stack.used_bytes = 7;
  recording.sample(2, kPid, address_of(call_chain_test_inner), cut);
  EXPECT_THAT(functions(recording.load()), ElementsAre("hm::profile::call_chain_test_inner(int)"));
}

TEST_F(StackCopies, OfOtherCodeAreNotRead) {
  std::vector<uint64_t> chain{static_cast<uint64_t>(PERF_CONTEXT_USER), 0x1000};
  record::Sample other = sample();
  other.callchain = record::U64View(chain);
  TestRecording recording({stack_event()});
  map_this_program(recording);
  recording.features.arch = "aarch64";
  recording.sample(2, kPid, 0x1000, other);
  EXPECT_THAT(addresses(recording.load()), ElementsAre(0x1000)) << "what was recorded stays";
  other.user_regs.abi = PERF_SAMPLE_REGS_ABI_32;
  TestRecording narrow({stack_event()});
  map_this_program(narrow);
  narrow.sample(2, kPid, 0x1000, other);
  EXPECT_THAT(addresses(narrow.load()), ElementsAre(0x1000));
}

class CallStacks : public ::testing::Test {
 protected:
  CallStacks() {
    event_.attr.branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK;
    record::encode_branch({.from = 0x2004, .to = 0x1000}, words_);
    record::encode_branch({.from = 0x3004, .to = 0x2000}, words_);
    record::encode_branch({}, words_);
  }

  std::vector<uint64_t> chain_of(uint64_t ip, const std::vector<uint64_t>& chain, uint16_t mode) {
    record::Sample sample;
    sample.callchain = record::U64View(chain);
    sample.branches = record::BranchStack(record::U64View(words_.bytes(), false));
    TestRecording recording({event_});
    recording.sample(1, kPid, ip, sample, 0, mode);
    return addresses(recording.load());
  }

  record::EventDescription event_ = test_event("cycles", 1, PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_BRANCH_STACK);
  ByteWriter words_;
};

constexpr auto kUser = static_cast<uint64_t>(PERF_CONTEXT_USER);
constexpr auto kKernel = static_cast<uint64_t>(PERF_CONTEXT_KERNEL);

TEST_F(CallStacks, GiveTheCallers) {
  EXPECT_THAT(chain_of(0x1008, {}, PERF_RECORD_MISC_USER), ElementsAre(0x1008, 0x2004, 0x3004));
  EXPECT_THAT(chain_of(0x1008, {kUser, 0x1008, 0x77}, PERF_RECORD_MISC_USER),
              ElementsAre(0x1008, 0x2004, 0x3004))
      << "frame pointers tell less";
}

TEST_F(CallStacks, FollowTheKernelsPart) {
  EXPECT_THAT(chain_of(kKernelPlace, {kKernel, kKernelPlace, kUser, 0x1008, 0x77}, PERF_RECORD_MISC_KERNEL),
              ElementsAre(kKernelPlace, 0x1008, 0x2004, 0x3004));
  EXPECT_THAT(chain_of(kKernelPlace, {kKernel, kKernelPlace}, PERF_RECORD_MISC_KERNEL),
              ElementsAre(kKernelPlace, 0x1000, 0x2004, 0x3004))
      << "where user code stood is known as the last call's target only";
}

TEST_F(CallStacks, LeaveTheChainWhereTheyAreEmpty) {
  words_ = {};
  EXPECT_THAT(chain_of(0x1008, {kUser, 0x1008, 0x2009}, PERF_RECORD_MISC_USER), ElementsAre(0x1008, 0x2008));
}

TEST_F(CallStacks, AreNotTheLastBranches) {
  event_.attr.branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY;
  EXPECT_THAT(chain_of(0x1008, {kUser, 0x1008, 0x2009}, PERF_RECORD_MISC_USER), ElementsAre(0x1008, 0x2008));
}

}  // namespace
}  // namespace hm::profile
