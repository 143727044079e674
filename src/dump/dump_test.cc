// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

#include "base/text_file.h"
#include "dump/reader.h"
#include "dump/writer.h"
#include "record/example_recording.h"
#include "record/reader.h"

namespace hm::dump {
namespace {

using ::testing::HasSubstr;

Header some_header(const std::string& file) {
  Header header;
  header.date = "2026-11-22 12:00:00 +0000";
  header.command = "ps";
  header.event = "dtlb_load_miss";
  header.pmu = "software";
  header.precise = true;
  header.counter = "the machine's model";
  header.events_per_sample = Period{100, 100, 100};
  header.sample_type = "user";
  header.max_samples = 2000;
  header.file = file;
  return header;
}

Sample some_sample(Thread thread, uint64_t first) {
  Sample sample;
  sample.thread = thread;
  for (size_t column = 0; column < kColumns.size(); ++column) sample.set(column, first + column);
  return sample;
}

class DumpFile : public ::testing::Test {
 protected:
  std::string write_some() {
    std::string path = folder_.file("dump");
    Result<Writer> writer = Writer::create(path, some_header(path));
    EXPECT_TRUE(writer.ok());
    writer->mapping({7, 0x400000, 0x402000, 0x1000, "/bin/a b\nc"});
    writer->name({7, 7}, "ps");
    writer->sample(some_sample({7, 7}, 0x401000));
    writer->fork({8, 7});
    writer->sample(some_sample({8, 8}, 0x401000));
    Sample without_registers;
    without_registers.thread = {8, 8};
    without_registers.set(kIpColumn, 0xffffffff81000000);
    writer->sample(without_registers);
    EXPECT_TRUE(writer->finish({.dropped = 0, .samples_to_buffer = 3000}).ok());
    return read_text(path).value_or("");
  }

  record::example::TemporaryFolder folder_;
};

TEST_F(DumpFile, HoldsAHeaderAndALineForEachSample) {
  std::string text = write_some();
  EXPECT_THAT(text, HasSubstr("# hardmeter dump 1: samples of one event, a line each\n"));
  EXPECT_THAT(text, HasSubstr("# EBS type: precise\n"));
  EXPECT_THAT(text, HasSubstr("# events per sample: 100  "));
  EXPECT_THAT(text, HasSubstr("# samples to buffer: 3000  "));
  EXPECT_THAT(text, HasSubstr("# samples collected: 3  "));
  EXPECT_THAT(
      text, HasSubstr("# rflags linear_ip rax rbx rcx rdx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15\n"));
  EXPECT_THAT(text, HasSubstr("# mapping: 7 400000-402000 1000 /bin/a b\\012c\n"));
  EXPECT_THAT(text, HasSubstr("# thread: 7 7 ps\n0000000000401000 0000000000401001 0000000000401002 "));
  EXPECT_THAT(text, HasSubstr("\n- ffffffff81000000 - - "));
}

TEST_F(DumpFile, IsReadBackAsItWas) {
  Result<Dump> dump = read(write_some());
  ASSERT_TRUE(dump.ok()) << dump.error().message;
  Header expected = some_header(folder_.file("dump"));
  expected.collected = 3;
  expected.dropped = 0;
  expected.samples_to_buffer = 3000;
  EXPECT_EQ(dump->header, expected);
  EXPECT_EQ(dump->damaged_lines, 0u);
  ASSERT_EQ(dump->lines.size(), 7u);
  EXPECT_EQ(std::get<Mapping>(dump->lines[0]), (Mapping{7, 0x400000, 0x402000, 0x1000, "/bin/a b\nc"}));
  EXPECT_EQ(std::get<Name>(dump->lines[1]), (Name{{7, 7}, "ps"}));
  EXPECT_EQ(std::get<Sample>(dump->lines[2]), some_sample({7, 7}, 0x401000));
  EXPECT_EQ(std::get<Fork>(dump->lines[3]), (Fork{8, 7}));
  EXPECT_EQ(std::get<Sample>(dump->lines[6]).known, 1u << kIpColumn);
}

TEST_F(DumpFile, BecomesARecordingWithItsRegisters) {
  Result<Dump> dump = read(write_some());
  ASSERT_TRUE(dump.ok());
  std::vector<std::byte> bytes = as_recording(*dump);
  auto reader = record::Reader::over(bytes);
  ASSERT_TRUE(reader.ok()) << reader.error().message;
  ASSERT_EQ(reader->events().size(), 1u);
  EXPECT_EQ(reader->events()[0].name, "dtlb_load_miss");
  std::vector<Sample> samples;
  size_t mappings = 0;
  while (auto record = reader->next()) {
    mappings += record->type == PERF_RECORD_MMAP ? 1 : 0;
    if (record->type != PERF_RECORD_SAMPLE) continue;
    auto sample = record::decode_sample(reader->events()[0].attr, record->payload, record->swap);
    ASSERT_TRUE(sample.ok());
    EXPECT_EQ(sample->period, 100u);
    samples.push_back(sample_of(*sample));
  }
  EXPECT_EQ(mappings, 1u);
  ASSERT_EQ(samples.size(), 3u);
  Sample first = some_sample({7, 7}, 0x401000);
  first.details.period = 100;  // from the header
  EXPECT_EQ(samples[0], first);
  EXPECT_EQ(samples[2].known, 1u << kIpColumn);
  EXPECT_THAT(reader->problems(), ::testing::IsEmpty());
}

// Data that samples refer to: the caches, the allocation site of a block, the event counts, and the build IDs
// of the files.
TEST_F(DumpFile, HoldsWhatSamplesReferTo) {
  Header header = some_header("");
  header.caches = {{1, 64, 64, 8, "Data"}};
  HeapSite site{3, true, 0x401234, some_sample({7, 8}, 0x500000), {std::byte{0xab}, std::byte{1}}};
  Counted counted{{7, 8}, 1234, 99, 98};
  std::string path = folder_.file("dump");
  Result<Writer> writer = Writer::create(path, header);
  ASSERT_TRUE(writer.ok());
  writer->exec({7, "a b"});
  writer->heap_site(site);
  writer->counted(counted);
  std::string run = R"({"totals":{"a":1},"padding":")" + std::string(40000, ' ') + "\"}";
  record::BuildId kernel{.id = {std::byte{0x12}, std::byte{0xcd}}, .path = "[kernel.kallsyms]"};
  ASSERT_TRUE(writer->finish({.extent = "all", .run = run, .build_ids = {kernel}}).ok());
  Result<Dump> dump = read(read_text(path).value_or(""));
  ASSERT_TRUE(dump.ok()) << dump.error().message;
  EXPECT_EQ(dump->damaged_lines, 0u);
  EXPECT_EQ(dump->header.caches, header.caches);
  ASSERT_EQ(dump->lines.size(), 3u);
  EXPECT_EQ(std::get<Exec>(dump->lines[0]), (Exec{7, "a b"}));
  EXPECT_EQ(std::get<HeapSite>(dump->lines[1]), site);
  EXPECT_EQ(std::get<Counted>(dump->lines[2]), counted);
  EXPECT_EQ(dump->build_ids, std::vector{kernel});
  EXPECT_EQ(dump->run, run);
}

// Samples of a clock recording are attributed to the instruction that waited, so the event type must be kept.
TEST(Dump, OfTheKernelsClockKeepsItsEventsType) {
  Dump dump;
  dump.header.event = "clock";
  auto type_of = [&](const char* pmu) {
    dump.header.pmu = pmu;
    std::vector<std::byte> bytes = as_recording(dump);
    auto reader = record::Reader::over(bytes);
    return reader.ok() && reader->events().size() == 1 ? reader->events()[0].attr.type : UINT32_MAX;
  };
  EXPECT_EQ(type_of("kernel"), uint32_t{PERF_TYPE_SOFTWARE});
  EXPECT_EQ(type_of("software"), uint32_t{PERF_TYPE_RAW});
}

TEST_F(DumpFile, ThatCannotBeWrittenToItsEndSaysSo) {
  Result<Writer> writer = Writer::create(folder_.file("full"), some_header(""));
  ASSERT_TRUE(writer.ok());
  writer->sample(some_sample({7, 7}, 1));
  ASSERT_TRUE(writer->flush().ok());
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  auto* handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{.rlim_cur = 1500, .rlim_max = before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &limit);
  for (int i = 0; i < 10; ++i) writer->sample(some_sample({7, 7}, 1));
  EXPECT_FALSE(writer->flush().ok());
  EXPECT_FALSE(writer->finish({}).ok());
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  Result<Dump> dump = read(read_text(folder_.file("full")).value_or(""));
  ASSERT_TRUE(dump.ok()) << dump.error().message;
  EXPECT_FALSE(dump->header.collected.has_value());
  EXPECT_EQ(dump->damaged_lines, 0u);
  EXPECT_EQ(dump->lines.size(), 2u);  // the thread line and its sample
}

// Format of the listing in the original's report.
TEST(Dump, OfTheOriginalIsRead) {
  std::string text =
      "eflags linear_ip eax ebx ecx edx esi edi ebp esp\n"
      "00000246 400074e6 40011c6c 40014dc0 080487ed 40011ceb bfffd8f8 40015438 bfffd724 bfffd2cc\n"
      "00000286 c012936c c1ab71f0 f7501a00 f73b7c30 00000000 00000009 00000000 f73b7c30 f7391e90\n";
  EXPECT_TRUE(is_dump(text));
  Result<Dump> dump = read(text);
  ASSERT_TRUE(dump.ok()) << dump.error().message;
  EXPECT_TRUE(dump->is_32_bit);
  ASSERT_EQ(dump->lines.size(), 2u);
  const auto& sample = std::get<Sample>(dump->lines[1]);
  EXPECT_EQ(sample.values[kIpColumn], 0xc012936cu);
  EXPECT_EQ(sample.values[9], 0xf7391e90u);
  EXPECT_FALSE(sample.knows(10));
}

TEST(Dump, ThatIsDamagedLosesItsDamagedLines) {
  std::string columns = "# rflags linear_ip rax\n";
  Result<Dump> dump =
      read(columns + "1 2 3\n1 2\n1 2 3 4\nx 2 3\n# mapping: 1 5-4 0 /bin/a\n# anything\n\n4 5 -\n");
  ASSERT_TRUE(dump.ok());
  EXPECT_EQ(dump->lines.size(), 2u);
  EXPECT_EQ(dump->damaged_lines, 4u);
  EXPECT_EQ(dump->first_damaged_line, 3u);
  EXPECT_FALSE(read("").ok());
  EXPECT_FALSE(read("1 2 3\n").ok());
  EXPECT_FALSE(is_dump("PERFILE2"));
}

TEST(Dump, ThatIsPipedWaitsForItsCounts) {
  record::example::TemporaryFolder folder;
  std::string path = folder.file("out");
  int before = ::dup(STDOUT_FILENO);
  UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  ASSERT_EQ(::dup2(file.get(), STDOUT_FILENO), STDOUT_FILENO);
  Result<Writer> writer = Writer::create("-", some_header(""));
  bool finished = writer.ok();
  if (finished) {
    writer->sample(some_sample({1, 1}, 1));
    finished = writer->flush().ok() && writer->finish({}).ok();
  }
  ASSERT_EQ(::dup2(before, STDOUT_FILENO), STDOUT_FILENO);
  ::close(before);
  ASSERT_TRUE(finished);
  std::string text = read_text(path).value_or("");
  EXPECT_THAT(text, HasSubstr("# samples collected: 1 "));
  EXPECT_THAT(text, HasSubstr("# dropped samples: unknown"));
  EXPECT_THAT(text, HasSubstr("\n0000000000000001 0000000000000002 "));
}

}  // namespace
}  // namespace hm::dump
