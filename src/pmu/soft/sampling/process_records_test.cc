// SPDX-License-Identifier: MIT
// Process records are read back with the recording's own decoders.
#include "pmu/soft/sampling/process_records.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <string>

#include "pmu/soft/sampling/sample_record.h"
#include "record/comm.h"
#include "record/mmap.h"
#include "record/sample_id.h"
#include "record/task.h"

namespace hm::soft {
namespace {

constexpr Origin kThread{11, 12, 13};

// Returns a finished record as the reader decodes it. `bytes` has to outlive it.
record::Record read_back(RecordBuilder& bytes) {
  const auto* begin = static_cast<const std::byte*>(bytes.finish());
  perf_event_header header;
  std::memcpy(&header, begin, sizeof(header));
  EXPECT_EQ(header.size, bytes.size());
  EXPECT_EQ(bytes.size() % 8, 0u);
  record::Record record;
  record.type = header.type;
  record.misc = header.misc;
  record.payload = {begin + sizeof(header), bytes.size() - sizeof(header)};
  return record;
}

void expect_origin(const record::Record& record) {
  perf_event_attr attr{};
  attr.size = sizeof(attr);
  attr.sample_type = kSampleType;
  attr.sample_id_all = 1;
  record::SampleId id = record::decode_sample_id(attr, record);
  EXPECT_EQ(id.pid, kThread.pid);
  EXPECT_EQ(id.tid, kThread.tid);
  EXPECT_EQ(id.time_ns, kThread.time_ns);
  EXPECT_EQ(id.id, 0u);
}

TEST(ProcessRecords, AName) {
  for (bool by_exec : {false, true}) {
    RecordBuilder bytes = comm_record(kThread, "sort", by_exec);
    record::Record record = read_back(bytes);
    EXPECT_EQ(record.type, uint32_t{PERF_RECORD_COMM});
    auto comm = record::decode_comm(record);
    ASSERT_TRUE(comm.ok()) << comm.error().message;
    EXPECT_EQ(*comm, (record::Comm{11, 12, "sort", by_exec}));
    expect_origin(record);
  }
}

TEST(ProcessRecords, ANameIsCutAsTheKernelCutsIt) {
  for (const auto& [name, kept] : {std::pair{"fifteen letters", "fifteen letters"},
                                   std::pair{"sixteen letters.", "sixteen letters"}, std::pair{"", ""}}) {
    RecordBuilder bytes = comm_record(kThread, name, false);
    record::Record record = read_back(bytes);
    auto comm = record::decode_comm(record);
    ASSERT_TRUE(comm.ok()) << comm.error().message;
    EXPECT_EQ(comm->name, kept);
    expect_origin(record);
  }
}

TEST(ProcessRecords, BeginningAndEnd) {
  RecordBuilder fork = fork_record(kThread, 7, 8);
  record::Record record = read_back(fork);
  EXPECT_EQ(record.type, uint32_t{PERF_RECORD_FORK});
  auto task = record::decode_task(record);
  ASSERT_TRUE(task.ok()) << task.error().message;
  EXPECT_EQ(*task, (record::Task{.pid = 11, .parent_pid = 7, .tid = 12, .parent_tid = 8, .time_ns = 13}));
  expect_origin(record);

  RecordBuilder exit = exit_record(kThread);
  record = read_back(exit);
  EXPECT_EQ(record.type, uint32_t{PERF_RECORD_EXIT});
  task = record::decode_task(record);
  ASSERT_TRUE(task.ok()) << task.error().message;
  EXPECT_EQ(*task, (record::Task{.pid = 11, .parent_pid = 11, .tid = 12, .parent_tid = 11, .time_ns = 13}));
  expect_origin(record);
}

Mapping library() {
  Mapping mapping;
  mapping.start = 0x7f0000001000;
  mapping.bytes = 0x2000;
  mapping.file_offset = 0x1000;
  mapping.device_major = 8;
  mapping.device_minor = 3;
  mapping.inode = 4711;
  mapping.protection = PROT_READ | PROT_EXEC;
  mapping.of_file = true;
  mapping.name = "/usr/lib/libm.so.6";
  return mapping;
}

TEST(ProcessRecords, AMapping) {
  RecordBuilder bytes = mapping_record(kThread, library());
  record::Record record = read_back(bytes);
  EXPECT_EQ(record.type, uint32_t{PERF_RECORD_MMAP2});
  EXPECT_EQ(record.misc, PERF_RECORD_MISC_USER);
  auto mmap = record::decode_mmap(record);
  ASSERT_TRUE(mmap.ok()) << mmap.error().message;
  EXPECT_EQ(mmap->pid, 11u);
  EXPECT_EQ(mmap->tid, 12u);
  EXPECT_EQ(mmap->address, 0x7f0000001000u);
  EXPECT_EQ(mmap->length, 0x2000u);
  EXPECT_EQ(mmap->file_offset, 0x1000u);
  EXPECT_EQ(mmap->path, "/usr/lib/libm.so.6");
  EXPECT_TRUE(mmap->executable);
  EXPECT_EQ(mmap->protection, uint32_t{PROT_READ | PROT_EXEC});
  EXPECT_EQ(mmap->flags, uint32_t{MAP_PRIVATE});
  EXPECT_EQ(mmap->identity, (record::FileIdentity{8, 3, 4711, 0}));
  expect_origin(record);
}

TEST(ProcessRecords, AMappingOfDataSaysSo) {
  Mapping mapping = library();
  mapping.protection = PROT_READ | PROT_WRITE;
  RecordBuilder bytes = mapping_record(kThread, mapping);
  EXPECT_EQ(read_back(bytes).misc, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_DATA);
}

TEST(ProcessRecords, MemoryThatProcessesShareSaysSo) {
  Mapping mapping = library();
  mapping.shared = true;
  RecordBuilder bytes = mapping_record(kThread, mapping);
  record::Record record = read_back(bytes);
  EXPECT_EQ(record::decode_mmap(record)->flags, uint32_t{MAP_SHARED});
}

TEST(ProcessRecords, AThreadsStack) {
  RecordBuilder bytes = thread_stack_record(kThread, 0x7f0000000000, 0x7f0000800000);
  record::Record record = read_back(bytes);
  EXPECT_EQ(record.misc, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_DATA);
  auto mmap = record::decode_mmap(record);
  ASSERT_TRUE(mmap.ok()) << mmap.error().message;
  EXPECT_EQ(mmap->path, "[stack:12]");
  EXPECT_EQ(mmap->length, 0x800000u);
}

TEST(ProcessRecords, FilesCodeAndWhatHasANameAreWorthOne) {
  Mapping mapping = library();
  EXPECT_TRUE(mapping.worth_recording());
  mapping.protection = PROT_READ;
  EXPECT_TRUE(mapping.worth_recording());
  mapping.of_file = false;
  mapping.name = "//anon";
  EXPECT_FALSE(mapping.worth_recording());
  mapping.name = "[anon:arena]";
  EXPECT_FALSE(mapping.worth_recording());
  mapping.name = "[stack]";
  EXPECT_TRUE(mapping.worth_recording());
  mapping.name = "//anon";
  mapping.protection = PROT_EXEC;
  EXPECT_TRUE(mapping.worth_recording());
}

TEST(ProcessRecords, AnInstructionThatCannotRunIsReadNoFurtherThanItMayBe) {
  const uint8_t code[16] = {0x62, 0xf1, 0x7c, 0x48, 0x58, 0xc1, 0x90, 0x90, 1, 2, 3, 4, 5, 6, 7, 8};
  auto ip = reinterpret_cast<uint64_t>(code);
  for (uint64_t available : {0u, 6u, 16u, 4096u}) {
    NoticeRecord notice = undecodable_notice(11, ip, available);
    EXPECT_EQ(notice.header.type, kNoticeRecord);
    EXPECT_EQ(notice.header.size, sizeof(notice));
    EXPECT_EQ(notice.notice, static_cast<uint32_t>(Notice::kUndecodable));
    EXPECT_EQ(notice.pid, 11u);
    EXPECT_EQ(notice.ip, ip);
    for (uint64_t i = 0; i < 16; ++i) EXPECT_EQ(notice.bytes[i], i < available ? code[i] : 0);
  }
}

TEST(ProcessRecords, TheLastPartOfAPath) {
  EXPECT_STREQ(base_name("/usr/bin/ls"), "ls");
  EXPECT_STREQ(base_name("ls"), "ls");
  EXPECT_STREQ(base_name("/"), "");
}

}  // namespace
}  // namespace hm::soft
