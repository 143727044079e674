// SPDX-License-Identifier: MIT
#include "record/sample.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "record/example_recording.h"

namespace hm::record {
namespace {

using ::testing::ElementsAre;

std::vector<uint64_t> words_of(const U64View& view) { return {view.begin(), view.end()}; }
std::vector<std::byte> copy_of(Bytes bytes) { return {bytes.begin(), bytes.end()}; }

// A sample with random contents in random fields, and the memory that its views point to.
class RandomSample {
 public:
  explicit RandomSample(std::mt19937_64& random) : random_(random) {
    for (uint64_t& word : words_) word = random_();
    attr_.sample_type = random_() & example::kAllSampleFields;
    if ((attr_.sample_type & PERF_SAMPLE_WEIGHT) != 0)
      attr_.sample_type &= ~uint64_t{PERF_SAMPLE_WEIGHT_STRUCT};
    attr_.read_format = random_() & (PERF_FORMAT_MAX - 1);
    attr_.branch_sample_type = random_() & (PERF_SAMPLE_BRANCH_HW_INDEX | kBranchCounters);
    attr_.sample_regs_user = random_();
    attr_.sample_regs_intr = random_();
    fill_scalars();
    fill_views();
  }

  [[nodiscard]] const perf_event_attr& attr() const { return attr_; }
  [[nodiscard]] const Sample& sample() const { return sample_; }

 private:
  U64View some_words(size_t count) { return U64View(std::span(words_).subspan(random_() % 64, count)); }
  U64View some_words() { return some_words(random_() % 64); }
  Bytes some_bytes(size_t multiple_of, size_t plus) {
    return std::as_bytes(std::span(words_)).first(random_() % 32 * multiple_of + plus);
  }

  Registers registers(uint64_t mask) {
    if (random_() % 4 == 0) return {.abi = PERF_SAMPLE_REGS_ABI_NONE, .mask = mask, .values = {}};
    return {.abi = PERF_SAMPLE_REGS_ABI_64, .mask = mask, .values = some_words(std::popcount(mask))};
  }

  void fill_scalars() {
    for (uint64_t* field :
         {&sample_.id, &sample_.ip, &sample_.time_ns, &sample_.addr, &sample_.stream_id, &sample_.period,
          &sample_.weight, &sample_.data_source, &sample_.transaction, &sample_.phys_addr, &sample_.cgroup,
          &sample_.data_page_bytes, &sample_.code_page_bytes}) {
      *field = random_();
    }
    for (uint32_t* field : {&sample_.pid, &sample_.tid, &sample_.cpu})
      *field = static_cast<uint32_t>(random_());
  }

  void fill_views() {
    bool group = (attr_.read_format & PERF_FORMAT_GROUP) != 0;
    size_t read_words = ReadValues::words_per_value(attr_.read_format);
    sample_.read = group ? ReadValues(attr_.read_format, some_words(read_words * (random_() % 5)))
                         : ReadValues(attr_.read_format,
                                      ReadValue{.value = random_(), .id = random_(), .lost = random_()});
    sample_.read.time_enabled_ns = random_();
    sample_.read.time_running_ns = random_();
    sample_.callchain = some_words();
    sample_.raw = some_bytes(8, 4);
    size_t branches = random_() % 20;
    sample_.branches = BranchStack(some_words(3 * branches));
    sample_.branches.hardware_index = random_();
    sample_.branches.counters = some_words(branches);
    sample_.user_regs = registers(attr_.sample_regs_user);
    sample_.intr_regs = registers(attr_.sample_regs_intr);
    sample_.user_stack = {.bytes = some_bytes(8, 0), .used_bytes = random_()};
    sample_.aux = some_bytes(8, 0);
  }

  std::mt19937_64& random_;
  std::array<uint64_t, 128> words_{};
  perf_event_attr attr_{};
  Sample sample_;
};

void expect_same_scalars(const Sample& read, const Sample& wrote) {
  auto expect = [&](uint64_t fields, auto member) {
    if (read.has(fields)) {
      EXPECT_EQ(read.*member, wrote.*member);
    } else {
      EXPECT_EQ(read.*member, 0u);
    }
  };
  expect(PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER, &Sample::id);
  expect(PERF_SAMPLE_IP, &Sample::ip);
  expect(PERF_SAMPLE_TID, &Sample::pid);
  expect(PERF_SAMPLE_TID, &Sample::tid);
  expect(PERF_SAMPLE_TIME, &Sample::time_ns);
  expect(PERF_SAMPLE_ADDR, &Sample::addr);
  expect(PERF_SAMPLE_STREAM_ID, &Sample::stream_id);
  expect(PERF_SAMPLE_CPU, &Sample::cpu);
  expect(PERF_SAMPLE_PERIOD, &Sample::period);
  expect(PERF_SAMPLE_WEIGHT_TYPE, &Sample::weight);
  expect(PERF_SAMPLE_DATA_SRC, &Sample::data_source);
  expect(PERF_SAMPLE_TRANSACTION, &Sample::transaction);
  expect(PERF_SAMPLE_PHYS_ADDR, &Sample::phys_addr);
  expect(PERF_SAMPLE_CGROUP, &Sample::cgroup);
  expect(PERF_SAMPLE_DATA_PAGE_SIZE, &Sample::data_page_bytes);
  expect(PERF_SAMPLE_CODE_PAGE_SIZE, &Sample::code_page_bytes);
}

void expect_same_read(const ReadValues& read, const ReadValues& wrote, uint64_t format) {
  ASSERT_EQ(read.size(), wrote.size());
  for (size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(read[i].value, wrote[i].value);
    EXPECT_EQ(read[i].id, (format & PERF_FORMAT_ID) != 0 ? wrote[i].id : 0);
    EXPECT_EQ(read[i].lost, (format & PERF_FORMAT_LOST) != 0 ? wrote[i].lost : 0);
  }
  EXPECT_EQ(read.time_enabled_ns, (format & PERF_FORMAT_TOTAL_TIME_ENABLED) != 0 ? wrote.time_enabled_ns : 0);
  EXPECT_EQ(read.time_running_ns, (format & PERF_FORMAT_TOTAL_TIME_RUNNING) != 0 ? wrote.time_running_ns : 0);
}

void expect_same_branches(const BranchStack& read, const BranchStack& wrote, uint64_t branch_sample_type) {
  ASSERT_EQ(read.size(), wrote.size());
  for (size_t i = 0; i < read.size(); ++i) EXPECT_EQ(read[i], wrote[i]);
  bool has_index = (branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX) != 0;
  EXPECT_EQ(read.hardware_index, has_index ? wrote.hardware_index : kNoHardwareIndex);
  bool has_counters = (branch_sample_type & kBranchCounters) != 0;
  EXPECT_EQ(words_of(read.counters), has_counters ? words_of(wrote.counters) : std::vector<uint64_t>{});
}

void expect_same_registers(const Registers& read, const Registers& wrote) {
  EXPECT_EQ(read.abi, wrote.abi);
  EXPECT_EQ(read.mask, wrote.mask);
  EXPECT_EQ(words_of(read.values), words_of(wrote.values));
}

void expect_same(const Sample& read, const Sample& wrote, const perf_event_attr& attr) {
  expect_same_scalars(read, wrote);
  if (read.has(PERF_SAMPLE_READ)) expect_same_read(read.read, wrote.read, attr.read_format);
  if (read.has(PERF_SAMPLE_CALLCHAIN)) {
    EXPECT_EQ(words_of(read.callchain), words_of(wrote.callchain));
  }
  if (read.has(PERF_SAMPLE_RAW)) {
    EXPECT_EQ(copy_of(read.raw), copy_of(wrote.raw));
  }
  if (read.has(PERF_SAMPLE_BRANCH_STACK))
    expect_same_branches(read.branches, wrote.branches, attr.branch_sample_type);
  if (read.has(PERF_SAMPLE_REGS_USER)) expect_same_registers(read.user_regs, wrote.user_regs);
  if (read.has(PERF_SAMPLE_REGS_INTR)) expect_same_registers(read.intr_regs, wrote.intr_regs);
  if (read.has(PERF_SAMPLE_AUX)) {
    EXPECT_EQ(copy_of(read.aux), copy_of(wrote.aux));
  }
  if (read.has(PERF_SAMPLE_STACK_USER)) {
    EXPECT_EQ(copy_of(read.user_stack.bytes), copy_of(wrote.user_stack.bytes));
    EXPECT_EQ(read.user_stack.used_bytes, wrote.user_stack.bytes.empty() ? 0 : wrote.user_stack.used_bytes);
  }
}

TEST(Sample, RandomOnesComeBack) {
  std::mt19937_64 random(20240901);
  for (int round = 0; round < 5000; ++round) {
    RandomSample wrote(random);
    ByteWriter payload;
    encode_sample(wrote.attr(), wrote.sample(), payload);
    ASSERT_EQ(payload.size() % 8, 0u);
    auto read = decode_sample(wrote.attr(), payload.bytes(), false);
    ASSERT_TRUE(read.ok()) << read.error().message;
    expect_same(*read, wrote.sample(), wrote.attr());
    ASSERT_FALSE(::testing::Test::HasFailure())
        << "round " << round << ", sample_type " << wrote.attr().sample_type;
  }
}

TEST(Sample, NoBeginningIsTakenForTheWhole) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 20; ++round) {
    RandomSample wrote(random);
    ByteWriter payload;
    encode_sample(wrote.attr(), wrote.sample(), payload);
    for (size_t size = 0; size < payload.size(); ++size) {
      auto read = decode_sample(wrote.attr(), payload.bytes().first(size), false);
      ASSERT_FALSE(read.ok()) << size << " of " << payload.size();
      EXPECT_EQ(read.error().code, ErrorCode::kDamaged);
    }
  }
}

TEST(Sample, AbsurdCountsAreRefused) {
  perf_event_attr attr{};
  for (uint64_t field :
       {PERF_SAMPLE_CALLCHAIN, PERF_SAMPLE_BRANCH_STACK, PERF_SAMPLE_STACK_USER, PERF_SAMPLE_AUX}) {
    attr.sample_type = field;
    for (uint64_t count : {uint64_t{2}, uint64_t{1} << 61, ~uint64_t{0}, ~uint64_t{0} / 24 + 1}) {
      ByteWriter payload;
      payload.u64(count);
      payload.u8(0);
      EXPECT_FALSE(decode_sample(attr, payload.bytes(), false).ok()) << field << ' ' << count;
    }
  }
}

TEST(Sample, WeightInThreeParts) {
  perf_event_attr attr{};
  attr.sample_type = PERF_SAMPLE_WEIGHT_STRUCT;
  ByteWriter payload;
  payload.u32(120);
  payload.u16(40);
  payload.u16(0);
  auto read = decode_sample(attr, payload.bytes(), false);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->latency_cycles(), 120u);
}

// Writes words as a machine with the other byte order does.
class SwappedWriter {
 public:
  void u32(uint32_t value) { out_.u32(byte_swap(value)); }
  void u64(uint64_t value) { out_.u64(byte_swap(value)); }
  [[nodiscard]] Bytes bytes() const { return out_.bytes(); }

 private:
  ByteWriter out_;
};

TEST(Sample, VectorRegistersArePassedOver) {
  perf_event_attr attr{};
  attr.sample_type = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_WEIGHT;
  attr.sample_regs_user = 0x3;
  ByteWriter out;
  out.u64(PERF_SAMPLE_REGS_ABI_64 | 4);
  for (uint64_t value : {11, 12}) out.u64(value);
  for (uint16_t size : std::initializer_list<uint16_t>{1, 2, 1, 1}) out.u16(size);  // counts, words of each
  for (uint64_t word : {21, 22, 31}) out.u64(word);
  out.u64(99);
  auto sample = decode_sample(attr, out.bytes(), false);
  ASSERT_TRUE(sample.ok());
  EXPECT_EQ(sample->user_regs.abi, uint64_t{PERF_SAMPLE_REGS_ABI_64});
  ASSERT_EQ(sample->user_regs.values.size(), 2u);
  EXPECT_EQ(sample->user_regs.values[1], 12u);
  EXPECT_EQ(sample->weight, 99u);
  EXPECT_FALSE(decode_sample(attr, out.bytes().first(out.size() - 16), false).ok());
}

TEST(Sample, OfABigEndianMachine) {
  perf_event_attr attr{};
  attr.sample_type =
      PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW | PERF_SAMPLE_BRANCH_STACK;
  SwappedWriter out;
  out.u64(0x1234);
  out.u32(7);
  out.u32(8);
  out.u64(2);
  out.u64(0xaaa);
  out.u64(0xbbb);
  out.u32(4);
  out.u32(0x01020304);
  out.u64(1);
  out.u64(0x100);
  out.u64(0x200);
  // Bit-fields from the highest bit down: mispredicted, not predicted, in a transaction, not aborted, 5
  // cycles, type 9.
  out.u64(uint64_t{1} << 63 | uint64_t{1} << 61 | uint64_t{5} << 44 | uint64_t{9} << 40);
  auto read = decode_sample(attr, out.bytes(), true);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->ip, 0x1234u);
  EXPECT_EQ(read->pid, 7u);
  EXPECT_EQ(read->tid, 8u);
  EXPECT_THAT(words_of(read->callchain), ElementsAre(0xaaa, 0xbbb));
  EXPECT_EQ(read->raw.size(), 4u);
  EXPECT_EQ(read->raw[0], std::byte{1});
  ASSERT_EQ(read->branches.size(), 1u);
  EXPECT_EQ(
      read->branches[0],
      (BranchEntry{
          .from = 0x100, .to = 0x200, .mispredicted = true, .in_transaction = true, .cycles = 5, .type = 9}));
}

}  // namespace
}  // namespace hm::record
