// SPDX-License-Identifier: MIT
#include "pmu/linux/running_processes.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>

#include "pmu/linux/fake_kernel.h"
#include "record/comm.h"
#include "record/ksymbol.h"
#include "record/mmap.h"
#include "record/task.h"

namespace hm::linux_pmu {
namespace {

std::vector<record::Record> split(Bytes bytes) {
  std::vector<record::Record> records;
  while (bytes.size() >= sizeof(perf_event_header)) {
    perf_event_header header;
    std::memcpy(&header, bytes.data(), sizeof header);
    records.push_back(
        {header.type, header.misc, false, bytes.subspan(sizeof header, header.size - sizeof header), 0});
    bytes = bytes.subspan(header.size);
  }
  EXPECT_TRUE(bytes.empty());
  return records;
}

std::vector<record::Mmap> mappings(Bytes bytes) {
  std::vector<record::Mmap> all;
  for (const record::Record& each : split(bytes)) {
    if (each.type == PERF_RECORD_MMAP || each.type == PERF_RECORD_MMAP2)
      all.push_back(*record::decode_mmap(each));
  }
  return all;
}

constexpr const char* kMaps =
    "55d0a000-55d0b000 r--p 00000000 fe:01 77                         /usr/bin/sort\n"
    "55d0b000-55d0d000 r-xp 00001000 fe:01 77                         /usr/bin/sort\n"
    "7f0000000000-7f0000001000 r-xp 00000000 fe:01 78                 /opt/my program/a b.so\n"
    "7f0000002000-7f0000003000 r-xp 00002000 fe:01 79                 /tmp/old.so (deleted)\n"
    "7f0000004000-7f0000005000 r-xs 00000000 fe:01 80                 /tmp/two\\012lines.so\n"
    "7f0000006000-7f0000007000 rwxp 00000000 00:00 0 \n"
    "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0          [vsyscall]";

struct RunningProcess : ::testing::Test {
  RunningProcess() {
    kernel.folders["/proc/7/task"] = {"7", "8", "9"};
    kernel.files["/proc/7/task/7/comm"] = "sort";
    kernel.files["/proc/7/task/8/comm"] = "a (b) c";  // thread 9 has ended
    kernel.files["/proc/7/maps"] = kMaps;
    attr.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
    attr.sample_id_all = 1;
  }

  std::vector<std::byte> described(bool data_too) {
    ByteWriter out;
    describe_process(kernel, 7, attr, data_too, out);
    return std::move(out).take();
  }

  FakeKernel kernel;
  perf_event_attr attr{};
};

TEST_F(RunningProcess, ThreadsWithTheirNames) {
  std::vector<std::byte> bytes = described(false);
  std::vector<record::Record> records = split(bytes);
  ASSERT_GE(records.size(), 3u);
  EXPECT_EQ(record::decode_comm(records[0])->name, "sort");
  EXPECT_EQ(record::decode_task(records[1])->tid, 8u);
  EXPECT_EQ(record::decode_comm(records[2])->name, "a (b) c");
  EXPECT_EQ(records[3].type, uint32_t{PERF_RECORD_MMAP2});
}

TEST_F(RunningProcess, CodeWithWhateverPathItHas) {
  std::vector<std::byte> bytes = described(false);
  std::vector<record::Mmap> code = mappings(bytes);
  ASSERT_EQ(code.size(), 6u);
  const char* paths[] = {
      "/usr/bin/sort", "/opt/my program/a b.so", "/tmp/old.so (deleted)", "/tmp/two\\012lines.so", "//anon",
      "[vsyscall]"};
  for (size_t i = 0; i < code.size(); ++i) EXPECT_EQ(code[i].path, paths[i]);
  EXPECT_EQ(code[0].address, 0x55d0b000u);
  EXPECT_EQ(code[0].length, 0x2000u);
  EXPECT_EQ(code[0].file_offset, 0x1000u);
  EXPECT_EQ(code[0].protection, unsigned{PROT_READ | PROT_EXEC});
  EXPECT_EQ(code[0].identity->major, 0xfeu);
  EXPECT_EQ(code[0].identity->inode, 77u);
  EXPECT_EQ(code[3].flags, unsigned{MAP_SHARED});
}

TEST_F(RunningProcess, DataWhereSamplesHaveAddresses) {
  std::vector<std::byte> bytes = described(true);
  std::vector<record::Mmap> all = mappings(bytes);
  ASSERT_EQ(all.size(), 7u);
  EXPECT_FALSE(all[0].executable);
}

TEST_F(RunningProcess, APathLongerThanARecordIsLeftOut) {
  kernel.files["/proc/7/maps"] = "1000-2000 r-xp 0 0:0 0 /" + std::string(70000, 'x') + "\n" + kMaps;
  std::vector<std::byte> bytes = described(false);
  EXPECT_EQ(mappings(bytes).size(), 6u);
}

TEST_F(RunningProcess, OneThatHasEndedIsNotTold) {
  ByteWriter out;
  describe_process(kernel, 5, attr, true, out);
  EXPECT_TRUE(std::move(out).take().empty());
}

TEST(RunningProcesses, AreTheNumbersInProc) {
  FakeKernel kernel;
  kernel.folders["/proc"] = {"1", "10", "9", "cpuinfo", "self"};
  EXPECT_EQ(running_processes(kernel), (std::vector<pid_t>{1, 9, 10}));
  kernel.files["/proc/10/status"] = "Name:\tTgid:\t3\nTgid:\t9\nPid:\t10";
  EXPECT_EQ(process_of(kernel, 10), 9);
  EXPECT_EQ(process_of(kernel, 11), 11);
}

TEST(TheKernel, ItsCodeAndModules) {
  FakeKernel kernel;
  kernel.files["/proc/kallsyms"] =
      "ffffffff81000000 T _text\nffffffff81000040 t other\nffffffff82000000 T _etext";
  kernel.files["/proc/modules"] =
      "ext4 1000 2 - Live 0xffffffffa0000000\nhidden 1000 0 a,b, Live 0x0000000000000000";
  ByteWriter out;
  describe_kernel(files_of(kernel), {}, out);
  std::vector<std::byte> bytes = std::move(out).take();
  std::vector<record::Mmap> maps = mappings(bytes);
  ASSERT_EQ(maps.size(), 2u);
  EXPECT_EQ(maps[0].path, "[kernel.kallsyms]_text");
  EXPECT_EQ(maps[0].length, 0x1000000u);
  EXPECT_EQ(maps[1].path, "[ext4]");
  EXPECT_EQ(maps[1].address, 0xffffffffa0000000u);
}

// A program ends at the next one, if that is near.
TEST(TheKernel, ItsBpfPrograms) {
  FakeKernel kernel;
  kernel.files["/proc/kallsyms"] =
      "ffffffff81000000 T _text\nffffffff82000000 T _etext\nffffffffc0000a40 t bpf_prog_2_b\t[bpf]\n"
      "ffffffffc0000a00 t bpf_prog_1_a\t[bpf]\nffffffffc0100000 t other\t[ext4]\n0000000000000000 t "
      "hidden\t[bpf]";
  ByteWriter out;
  describe_kernel(files_of(kernel), {}, out);
  std::vector<std::byte> bytes = std::move(out).take();
  std::vector<record::Ksymbol> programs;
  for (const record::Record& record : split(bytes)) {
    if (record.type == PERF_RECORD_KSYMBOL) programs.push_back(*record::decode_ksymbol(record));
  }
  ASSERT_EQ(programs.size(), 2u);
  EXPECT_EQ(programs[0].name, "bpf_prog_1_a");
  EXPECT_EQ(programs[0].address, 0xffffffffc0000a00u);
  EXPECT_EQ(programs[0].bytes, 0x40u);
  EXPECT_EQ(programs[1].name, "bpf_prog_2_b");
  EXPECT_EQ(programs[1].address + programs[1].bytes, 0xffffffffc0002000u);
}

TEST(TheKernel, ItsBuildId) {
  FakeKernel kernel;
  record::Features features;
  add_kernel_build_id(files_of(kernel), features);
  EXPECT_TRUE(features.build_ids.empty());
  constexpr char kNotes[] = "\4\0\0\0\3\0\0\0\3\0\0\0GNU\0abc";
  kernel.files["/sys/kernel/notes"] = std::string(kNotes, sizeof kNotes);
  add_kernel_build_id(files_of(kernel), features);
  ASSERT_EQ(features.build_ids.size(), 1u);
  EXPECT_EQ(features.build_ids[0].path, "[kernel.kallsyms]");
  EXPECT_EQ(features.build_ids[0].id, (std::vector{std::byte{'a'}, std::byte{'b'}, std::byte{'c'}}));
}

TEST(TheKernel, HiddenAddressesTellNothing) {
  FakeKernel kernel;
  kernel.files["/proc/kallsyms"] = "0000000000000000 T _text\n0000000000000000 T _etext";
  ByteWriter out;
  describe_kernel(files_of(kernel), {}, out);
  EXPECT_TRUE(std::move(out).take().empty());
}

}  // namespace
}  // namespace hm::linux_pmu
