// SPDX-License-Identifier: MIT
// Tests restartable sequences: how they are found, and that an interrupted one stores nothing.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "pmu/soft/direct/translate/harness/harness.h"
#include "pmu/soft/direct/translate/restartable_sequences.h"

namespace hm::soft::direct {
namespace {

using Code = std::vector<uint8_t>;

const Code kStoreTwice{0x48, 0x89, 0x0e, 0x48, 0x89, 0x4e, 0x08};  // mov [rsi], rcx; mov [rsi + 8], rcx
const Code kStoreAndLoad{0x48, 0x89, 0x0e, 0x48, 0x8b, 0x16};      // mov [rsi], rcx; mov rdx, [rsi]

class Restartable : public Translation {
 protected:
  Restartable() : from_(random_state(1)) {}

  uint64_t put_as_sequence(const Code& code) {
    uint64_t source = put_ending(code);
    put_sequence(source, source + code.size());
    return source;
  }
  uint64_t word_at(const Left& left, uint64_t address) const {
    uint64_t word = 0;
    std::memcpy(&word, left.data.data() + (address - data()), sizeof(word));
    return word;
  }
  uint64_t address_of(const RestartDescriptor& each) { return reinterpret_cast<uint64_t>(&each); }

  State from_;
};

TEST_F(Restartable, ASequenceThatIsNotInterruptedStores) {
  Left left = run_copy(copy(put_as_sequence(kStoreTwice)), from_);
  uint64_t at = from_.registers[kSi];
  EXPECT_EQ(word_at(left, at), from_.registers[kCx]);
  EXPECT_EQ(word_at(left, at + 8), from_.registers[kCx]);
  EXPECT_EQ(area_.descriptor, address_of(descriptor_));
  EXPECT_EQ(left.stores, 2u);
}

TEST_F(Restartable, ABlockOfAnInterruptedSequenceIsNotBegun) {
  const Block& block = copy(put_as_sequence(kStoreTwice));
  area_.descriptor = 0;
  Left left = run_copy(block, from_);
  EXPECT_EQ(left.exit, kExitElsewhere);
  EXPECT_EQ(left.target, descriptor_.abort);
  EXPECT_EQ(left.stores, 0u);
  EXPECT_NE(word_at(left, from_.registers[kSi]), from_.registers[kCx]);
  EXPECT_EQ(left.state.flags & kStatusFlags, from_.flags & kStatusFlags);
}

// The first store clears the descriptor, as the kernel does at an interruption.
TEST_F(Restartable, AnInterruptedSequenceStoresNothingMore) {
  Code code{0x48, 0xc7, 0x07, 0x00, 0x00, 0x00, 0x00};  // mov qword [rdi], 0
  code.insert(code.end(), kStoreTwice.begin(), kStoreTwice.end());
  from_.registers[kDi] = reinterpret_cast<uint64_t>(&area_.descriptor);
  Left left = run_copy(copy(put_as_sequence(code)), from_);
  EXPECT_EQ(left.target, descriptor_.abort);
  EXPECT_EQ(area_.descriptor, 0u);
  EXPECT_NE(word_at(left, from_.registers[kSi]), from_.registers[kCx]);
  for (unsigned each = 0; each < 16; ++each)
    EXPECT_EQ(left.state.registers[each], from_.registers[each]) << each;
  EXPECT_EQ(left.state.flags & kStatusFlags, from_.flags & kStatusFlags);
}

TEST_F(Restartable, ABlockEndsWhereASequenceBegins) {
  uint64_t source = put_ending(kStoreAndLoad);
  put_sequence(source + 3, source + kStoreAndLoad.size());
  Left left = run_copy(copy(source), from_);
  EXPECT_EQ(left.target, source + 3);
  EXPECT_EQ(left.stores, 1u);
}

TEST_F(Restartable, ADescriptorIsFoundByTheConstantThatNamesIt) {
  for (const Code& opcode :
       {Code{0x48, 0xb8}, Code{0x48, 0x8d, 0x05}}) {  // mov rax, imm64; lea rax, [rip + disp32]
    SCOPED_TRACE(opcode.size());
    program_.sequences = {};
    program_.sequences.begin(kSignature);
    uint64_t abort = put(Code{0x53, 0x30, 0x05, 0x53, 0x90}) + sizeof(kSignature);
    Code place(sizeof(RestartDescriptor));
    uint64_t descriptor = put(place), sequence = put_ending(kStoreTwice);
    RestartDescriptor contents{0, 0, sequence, kStoreTwice.size(), abort};
    std::memcpy(reinterpret_cast<void*>(descriptor), &contents, sizeof(contents));
    bool is_move = opcode.size() == 2;
    Code code = opcode;
    code.resize(is_move ? 10 : 7);
    uint64_t source = put_ending(code);
    uint64_t constant = is_move ? descriptor : descriptor - (source + code.size());
    std::memcpy(reinterpret_cast<void*>(source + opcode.size()), &constant, code.size() - opcode.size());
    copy(source);
    RestartableSequence found;
    ASSERT_TRUE(program_.sequences.find(sequence, found));
    EXPECT_EQ(found.abort, abort);
    EXPECT_EQ(found.end, sequence + kStoreTwice.size());
    EXPECT_FALSE(program_.sequences.find(found.end, found));
  }
}

TEST_F(Restartable, OnlyWhatTheKernelAcceptsIsADescriptor) {
  uint64_t source = put_as_sequence(kStoreTwice);
  const RestartDescriptor good = descriptor_;
  const auto is_learned = [&](const RestartDescriptor& each) {
    RestartableSequences sequences;
    sequences.begin(kSignature);
    descriptor_ = each;
    return sequences.learn(address_of(descriptor_));
  };
  EXPECT_TRUE(is_learned(good));
  for (auto change :
       {+[](RestartDescriptor& each) { each.version = 1; }, +[](RestartDescriptor& each) { each.bytes = 0; },
        +[](RestartDescriptor& each) { each.bytes = ~uint64_t{0}; },
        +[](RestartDescriptor& each) { each.start = ~uint64_t{0}; },
        +[](RestartDescriptor& each) { each.abort += 1; },  // another signature
        +[](RestartDescriptor& each) { each.abort = each.start; },
        +[](RestartDescriptor& each) { each.abort = 16; }}) {
    RestartDescriptor bad = good;
    change(bad);
    EXPECT_FALSE(is_learned(bad));
  }
  RestartableSequences unused;
  descriptor_ = good;
  EXPECT_FALSE(unused.learn(address_of(descriptor_)));
  EXPECT_FALSE(program_.sequences.learn(8));  // cannot be read
  RestartableSequence found;
  EXPECT_TRUE(program_.sequences.find(source, found));
}

TEST_F(Restartable, ASequenceWhoseDescriptorHasChangedIsForgotten) {
  uint64_t source = put_as_sequence(kStoreTwice);
  RestartableSequence found;
  ASSERT_TRUE(program_.sequences.find(source, found));
  descriptor_.bytes = 3;
  EXPECT_FALSE(program_.sequences.find(source, found));
  EXPECT_TRUE(program_.sequences.learn(address_of(descriptor_)));
  ASSERT_TRUE(program_.sequences.find(source, found));
  EXPECT_EQ(found.end, source + 3);
}

}  // namespace
}  // namespace hm::soft::direct
