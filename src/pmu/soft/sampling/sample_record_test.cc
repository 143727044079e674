// SPDX-License-Identifier: MIT
// Samples are written and read back, for every combination of their optional parts.
#include "pmu/soft/sampling/sample_record.h"

#include <asm/perf_regs.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "pmu/soft/sampling/heap_site_record.h"
#include "record/extension_pieces.h"
#include "record/sample.h"

namespace hm::soft {
namespace {

perf_event_attr attr_of(const Session& session) {
  perf_event_attr attr{};
  attr.size = sizeof(attr);
  attr.sample_type = sample_type(session);
  attr.sample_regs_intr = kRegisterMask;
  attr.branch_sample_type = session.branch_filter != 0 ? PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY : 0;
  return attr;
}

struct Written {
  Cause cause;
  Moment moment;
  BranchStack branches{};
  std::vector<uint64_t> chain;
};

Written example(uint64_t branches, size_t chain_length) {
  Written written;
  written.cause.ip = 0x401000;
  written.cause.address = 0x7fff12345678;
  written.cause.bytes = 16;
  written.cause.kind = record::AccessKind::kLoad;
  written.cause.outcome.level = model::Level::kL3;
  written.cause.outcome.translation = model::Translation::kSecondTlb;
  written.cause.outcome.latency_cycles = 57;
  written.cause.outcome.l1_class = record::MissClass::kConflict;
  written.cause.outcome.l2_class = record::MissClass::kCapacity;
  written.moment.pid = 11;
  written.moment.tid = 12;
  written.moment.time_ns = 13;
  written.moment.run_cycles = 14;
  for (unsigned i = 0; i < kRegisterCount; ++i) {
    uint64_t value = 0x1000 + i;
    std::memcpy(reinterpret_cast<char*>(&written.moment.registers) + 8 * i, &value, 8);
  }
  for (uint64_t i = 0; i < branches; ++i) {
    written.branches.entries[i % kBranchDepth] = {2 * i, 2 * i + 1};
    written.branches.next = i + 1;
  }
  for (size_t i = 0; i < chain_length; ++i) written.chain.push_back(0x500000 + i);
  return written;
}

void expect_branches(const record::Sample& sample, uint64_t branches) {
  uint64_t kept = std::min<uint64_t>(branches, kBranchDepth);
  ASSERT_EQ(sample.branches.size(), kept);
  for (uint64_t i = 0; i < kept; ++i) {  // newest first
    EXPECT_EQ(sample.branches[i].from, 2 * (branches - 1 - i));
    EXPECT_EQ(sample.branches[i].to, 2 * (branches - 1 - i) + 1);
  }
}

void expect_plain_fields(const record::Sample& sample) {
  EXPECT_EQ(sample.id, 77u);
  EXPECT_EQ(sample.ip, 0x401000u);
  EXPECT_EQ(sample.pid, 11u);
  EXPECT_EQ(sample.tid, 12u);
  EXPECT_EQ(sample.time_ns, 13u);
  EXPECT_EQ(sample.addr, 0x7fff12345678u);
  EXPECT_EQ(sample.period, 1009u);
  EXPECT_EQ(sample.weight, 57u);
  ASSERT_EQ(sample.intr_regs.values.size(), kRegisterCount);
  for (unsigned i = 0; i < kRegisterCount; ++i) EXPECT_EQ(sample.intr_regs.values[i], 0x1000u + i);
  record::SampleExtension extension;
  ASSERT_GE(sample.raw.size(), sizeof(extension));
  std::memcpy(&extension, sample.raw.data(), sizeof(extension));
  EXPECT_EQ(+extension.magic, record::kExtensionMagic);
  EXPECT_EQ(+extension.cycles, 14u);
  EXPECT_EQ(+extension.access_bytes, 16u);
  EXPECT_EQ(extension.access_kind, record::AccessKind::kLoad);
  EXPECT_EQ(extension.l1_class, record::MissClass::kConflict);
  EXPECT_EQ(extension.l2_class, record::MissClass::kCapacity);
  EXPECT_EQ(extension.l3_class, record::MissClass::kNone);
}

void round_trip(uint32_t branch_filter, uint64_t branches, uint32_t depth, size_t chain_length) {
  Session session{};
  session.branch_filter = branch_filter;
  session.call_chain_depth = depth;
  Written written = example(branches, chain_length);
  written.moment.branches = &written.branches;
  written.moment.call_chain = written.chain.data();
  written.moment.call_chain_length = static_cast<uint32_t>(chain_length);
  RecordBuilder record = sample_record(session, 77, 1009, written.cause, written.moment);
  const auto* bytes = static_cast<const std::byte*>(record.finish());
  ASSERT_EQ(record.size() % 8, 0u);
  perf_event_header header;
  std::memcpy(&header, bytes, sizeof(header));
  ASSERT_EQ(header.size, record.size());
  EXPECT_EQ(header.type, uint32_t{PERF_RECORD_SAMPLE});
  EXPECT_EQ(header.misc, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_EXACT_IP);

  auto sample = record::decode_sample(attr_of(session), {bytes + 8, record.size() - 8}, false);
  ASSERT_TRUE(sample.ok()) << sample.error().message;
  expect_plain_fields(*sample);
  if (branch_filter != 0) expect_branches(*sample, branches);
  if (depth == 0) return;
  ASSERT_EQ(sample->callchain.size(), chain_length + 1);
  EXPECT_EQ(sample->callchain[0], static_cast<uint64_t>(PERF_CONTEXT_USER));
  for (size_t i = 0; i < chain_length; ++i) EXPECT_EQ(sample->callchain[i + 1], written.chain[i]);
}

TEST(SampleRecord, ComesBackWhole) {
  for (uint32_t filter : {0u, uint32_t{kBranchAny}, uint32_t{kBranchCall | kBranchReturn}}) {
    for (uint64_t branches : {0u, 1u, 31u, 32u, 33u, 1000u}) {
      for (uint32_t depth : {0u, kMaxCallChain}) {
        for (size_t length : {1u, 2u, 127u}) {
          SCOPED_TRACE(testing::Message() << filter << ' ' << branches << ' ' << depth << ' ' << length);
          round_trip(filter, branches, depth, length);
        }
      }
    }
  }
}

// `record` has to outlive the result.
Result<record::Sample> decoded(const Session& session, RecordBuilder& record) {
  const auto* bytes = static_cast<const std::byte*>(record.finish());
  EXPECT_EQ(record.size() % 8, 0u);
  return record::decode_sample(attr_of(session), {bytes + 8, record.size() - 8}, false);
}

TEST(SampleRecord, SaysInWhichHeapBlockTheDataLies) {
  Session session{};
  Written written = example(0, 0);
  HeapBlock block{0x7fff12345000, 5000, 42};
  written.moment.heap_block = &block;
  RecordBuilder record = sample_record(session, 77, 1009, written.cause, written.moment);
  auto sample = decoded(session, record);
  ASSERT_TRUE(sample.ok()) << sample.error().message;
  expect_plain_fields(*sample);
  record::HeapBlockExtension extension;
  ASSERT_EQ(sample->raw.size(), sizeof(record::SampleExtension) + sizeof(extension));
  std::memcpy(&extension, sample->raw.data() + sizeof(record::SampleExtension), sizeof(extension));
  EXPECT_EQ(+extension.magic, record::kHeapBlockMagic);
  EXPECT_EQ(+extension.start, block.start);
  EXPECT_EQ(+extension.bytes, block.bytes);
  EXPECT_EQ(+extension.site, block.site);
}

TEST(SampleRecord, ASampleOfAKernelSaysWhatItsDataIs) {
  Session session{};
  session.guest_modes = 3;
  Written written = example(0, 0);
  written.moment.in_kernel = true;
  written.moment.has_registers = false;
  written.moment.physical_address = 0x5008;
  written.moment.kernel_object = "dentry (slab)";
  RecordBuilder record = sample_record(session, 77, 1009, written.cause, written.moment);
  const auto* bytes = static_cast<const std::byte*>(record.finish());
  ASSERT_EQ(record.size() % 8, 0u);
  perf_event_header header;
  std::memcpy(&header, bytes, sizeof(header));
  EXPECT_EQ(header.misc, PERF_RECORD_MISC_KERNEL | PERF_RECORD_MISC_EXACT_IP);
  auto sample = record::decode_sample(attr_of(session), {bytes + 8, record.size() - 8}, false);
  ASSERT_TRUE(sample.ok()) << sample.error().message;
  EXPECT_EQ(sample->phys_addr, 0x5008u);
  EXPECT_TRUE(sample->intr_regs.values.empty());
  EXPECT_EQ(record::kernel_object_in(sample->raw), "dentry (slab)");
  written.moment.kernel_object = "a name that is longer than the record's part for it, which is cut";
  RecordBuilder longer = sample_record(session, 77, 1009, written.cause, written.moment);
  bytes = static_cast<const std::byte*>(longer.finish());
  sample = record::decode_sample(attr_of(session), {bytes + 8, longer.size() - 8}, false);
  ASSERT_TRUE(sample.ok());
  EXPECT_EQ(record::kernel_object_in(sample->raw).size(), record::kKernelObjectName);
}

TEST(SampleRecord, SaysThatTheKernelMadeTheAccess) {
  Session session{};
  Written written = example(0, 0);
  written.cause.by_kernel = true;
  RecordBuilder record = sample_record(session, 77, 1009, written.cause, written.moment);
  auto sample = decoded(session, record);
  ASSERT_TRUE(sample.ok()) << sample.error().message;
  expect_plain_fields(*sample);
  record::SystemCallExtension extension;
  ASSERT_EQ(sample->raw.size(), sizeof(record::SampleExtension) + sizeof(extension));
  std::memcpy(&extension, sample->raw.data() + sizeof(record::SampleExtension), sizeof(extension));
  EXPECT_EQ(+extension.magic, record::kSystemCallMagic);
}

void expect_site_record(uint64_t stack_bytes) {
  Session session{};
  session.heap_site_id = 9;
  perf_event_attr attr{};
  attr.sample_type = kHeapSiteSampleType;
  attr.sample_regs_user = kRegisterMask;
  Written written = example(0, 0);
  StackCopy stack{};
  stack.count = stack_bytes;
  for (uint64_t i = 0; i < stack_bytes; ++i) stack.bytes[i] = static_cast<uint8_t>(i);
  RecordBuilder record =
      heap_site_record(session, {11, 12, 13}, 42, {written.moment.registers, 0x401005, true}, stack);
  const auto* bytes = static_cast<const std::byte*>(record.finish());
  ASSERT_EQ(record.size() % 8, 0u);
  auto sample = record::decode_sample(attr, {bytes + 8, record.size() - 8}, false);
  ASSERT_TRUE(sample.ok()) << sample.error().message;
  EXPECT_EQ(sample->id, 9u);
  EXPECT_EQ(sample->ip, written.moment.registers.ip);
  EXPECT_EQ(sample->addr, 0x401005u);
  EXPECT_EQ(sample->pid, 11u);
  EXPECT_EQ(sample->tid, 12u);
  EXPECT_EQ(sample->time_ns, 13u);
  EXPECT_EQ(sample->user_regs.values.size(), kRegisterCount);
  EXPECT_EQ(sample->user_stack.used_bytes, stack_bytes);
  ASSERT_EQ(sample->user_stack.bytes.size(), stack_bytes);
  EXPECT_EQ(std::memcmp(sample->user_stack.bytes.data(), stack.bytes, stack_bytes), 0);
  record::HeapSiteExtension extension;
  ASSERT_EQ(sample->raw.size(), sizeof(extension));
  std::memcpy(&extension, sample->raw.data(), sizeof(extension));
  EXPECT_EQ(+extension.site, 42u);
  EXPECT_EQ(+extension.any_caller, 1u);
}

TEST(SampleRecord, TellsOfAnAllocationSite) {
  for (uint64_t stack_bytes : {uint64_t{0}, uint64_t{8}, uint64_t{1000}, kSiteStackBytes})
    expect_site_record(stack_bytes);
}

TEST(SampleRecord, ACopyOfTheStackEndsWithTheStack) {
  constexpr uint64_t kPages = 3 * kPageBytes;
  auto* pages =
      static_cast<char*>(::mmap(nullptr, kPages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(pages, MAP_FAILED);
  ASSERT_EQ(::munmap(pages + 2 * kPageBytes, kPageBytes), 0);
  std::memset(pages, 7, 2 * kPageBytes);
  auto start = reinterpret_cast<uint64_t>(pages);
  const std::pair<uint64_t, uint64_t> cases[] = {{0, kSiteStackBytes},          {100, kSiteStackBytes},
                                                 {kPageBytes, kSiteStackBytes}, {kPageBytes + 1000, 3096},
                                                 {2 * kPageBytes - 8, 8},       {2 * kPageBytes, 0}};
  for (auto [offset, expected] : cases) {
    StackCopy copy{};
    copy_stack(start + offset, copy);
    EXPECT_EQ(copy.count, expected) << offset;
    EXPECT_EQ(copy.bytes[expected == 0 ? 0 : expected - 1], expected == 0 ? 0 : 7);
  }
  ::munmap(pages, 2 * kPageBytes);
}

TEST(SampleRecord, RegistersAreInTheKernelsOrder) {
  // Bit n of the mask is register n of asm/perf_regs.h; Registers lists them in that order.
  std::vector<int> numbers;
  for (int i = 0; i < 64; ++i) {
    if ((kRegisterMask >> i & 1) != 0) numbers.push_back(i);
  }
  ASSERT_EQ(numbers.size(), kRegisterCount);
  const auto index = [&](int number) { return std::ranges::find(numbers, number) - numbers.begin(); };
  EXPECT_EQ(index(PERF_REG_X86_AX) * 8, static_cast<long>(offsetof(Registers, ax)));
  EXPECT_EQ(index(PERF_REG_X86_SP) * 8, static_cast<long>(offsetof(Registers, sp)));
  EXPECT_EQ(index(PERF_REG_X86_IP) * 8, static_cast<long>(offsetof(Registers, ip)));
  EXPECT_EQ(index(PERF_REG_X86_FLAGS) * 8, static_cast<long>(offsetof(Registers, flags)));
  EXPECT_EQ(index(PERF_REG_X86_R8) * 8, static_cast<long>(offsetof(Registers, r8)));
  EXPECT_EQ(index(PERF_REG_X86_R15) * 8, static_cast<long>(offsetof(Registers, r15)));
}

perf_mem_data_src source_of(record::AccessKind kind, model::Level level, model::Translation translation) {
  Cause cause;
  cause.kind = kind;
  cause.outcome.level = level;
  cause.outcome.translation = translation;
  perf_mem_data_src source{};
  source.val = data_source(cause);
  return source;
}

TEST(DataSource, SaysWhereTheDataWas) {
  using enum model::Level;
  using record::AccessKind;
  auto walk = model::Translation::kPageWalk;
  EXPECT_EQ(source_of(AccessKind::kLoad, kL1, walk).mem_lvl_num, PERF_MEM_LVLNUM_L1);
  EXPECT_EQ(source_of(AccessKind::kLoad, kL2, walk).mem_lvl_num, PERF_MEM_LVLNUM_L2);
  EXPECT_EQ(source_of(AccessKind::kLoad, kL3, walk).mem_lvl_num, PERF_MEM_LVLNUM_L3);
  EXPECT_EQ(source_of(AccessKind::kLoad, kMemory, walk).mem_lvl_num, PERF_MEM_LVLNUM_RAM);
  EXPECT_EQ(source_of(AccessKind::kLoad, kL2, walk).mem_op, PERF_MEM_OP_LOAD);
  EXPECT_EQ(source_of(AccessKind::kStore, kL2, walk).mem_op, PERF_MEM_OP_STORE);
  EXPECT_EQ(source_of(AccessKind::kFetch, kL2, walk).mem_op, PERF_MEM_OP_EXEC);
  EXPECT_EQ(source_of(AccessKind::kReadModifyWrite, kL2, walk).mem_op, PERF_MEM_OP_LOAD | PERF_MEM_OP_STORE);
  EXPECT_EQ(source_of(AccessKind::kLoad, kL2, walk).mem_dtlb, PERF_MEM_TLB_L2 | PERF_MEM_TLB_MISS);
  EXPECT_EQ(source_of(AccessKind::kLoad, kL2, model::Translation::kFirstTlb).mem_dtlb,
            PERF_MEM_TLB_L1 | PERF_MEM_TLB_HIT);
  EXPECT_EQ(source_of(AccessKind::kNone, kL1, walk).mem_op, PERF_MEM_OP_NA);
  EXPECT_EQ(source_of(AccessKind::kNone, kL1, walk).mem_lvl, PERF_MEM_LVL_NA);
}

}  // namespace
}  // namespace hm::soft
