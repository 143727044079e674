// SPDX-License-Identifier: MIT
#include "record/writer.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>

#include "record/example_recording.h"
#include "record/reader.h"

namespace hm::record {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Counts {
  uint64_t records = 0;
  uint64_t samples = 0;
  std::vector<std::string> problems;
};

Counts count(Reader& reader) {
  Counts counts;
  while (auto record = reader.next()) {
    ++counts.records;
    counts.samples += record->type == PERF_RECORD_SAMPLE ? 1 : 0;
  }
  counts.problems = reader.problems();
  return counts;
}

Features some_features() {
  Features features;
  features.hostname = "somewhere";
  features.arch = "x86_64";
  features.cmdline = {"hardmeter", "record", "./example"};
  features.caches = {
      {.level = 1, .line_bytes = 64, .sets = 64, .ways = 8, .type = "Data", .size = "32K", .cpus = "0"}};
  features.sample_time = TimeSpan{.first_ns = 1, .last_ns = 2};
  features.build_ids = {{.misc = PERF_RECORD_MISC_USER,
                         .pid = -1,
                         .id = std::vector<std::byte>(20, std::byte{7}),
                         .path = "/usr/bin/example"}};
  features.hardmeter = R"({"pmu":")" + std::string(40'000, 'x') + R"("})";
  return features;
}

void expect_some_features(const Features& read) {
  Features wrote = some_features();
  EXPECT_EQ(read.hostname, wrote.hostname);
  EXPECT_EQ(read.arch, wrote.arch);
  EXPECT_EQ(read.cmdline, wrote.cmdline);
  EXPECT_EQ(read.caches, wrote.caches);
  EXPECT_EQ(read.sample_time, wrote.sample_time);
  EXPECT_EQ(read.build_ids, wrote.build_ids);
  EXPECT_EQ(read.hardmeter, wrote.hardmeter);
}

void write_example(const std::string& path, const Features& features) {
  auto events = example::events();
  auto writer = Writer::create(path, events);
  ASSERT_TRUE(writer.ok()) << writer.error().message;
  auto records = example::records(events, 10);
  ASSERT_TRUE(writer->append(records).ok());
  ASSERT_TRUE(writer->finish(features).ok());
}

TEST(Writer, AReaderFindsWhatWasWritten) {
  example::TemporaryFolder folder;
  write_example(folder.file("perf.data"), some_features());
  auto reader = Reader::open(folder.file("perf.data"));
  ASSERT_TRUE(reader.ok()) << reader.error().message;
  ASSERT_EQ(reader->events().size(), 2u);
  EXPECT_EQ(reader->events()[1].name, "tlb-miss");
  EXPECT_THAT(reader->events()[1].ids, ElementsAre(102));
  EXPECT_EQ(reader->events()[0].attr.sample_type, example::kMemorySample);
  expect_some_features(reader->features());
  Counts counts = count(*reader);
  EXPECT_EQ(counts.samples, 10u);
  EXPECT_EQ(counts.records, 13u);
  EXPECT_THAT(counts.problems, IsEmpty());
}

TEST(Writer, APipeCarriesTheSame) {
  example::TemporaryFolder folder;
  std::string fifo = folder.file("fifo");
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  UniqueFd keeps_it_open(::open(fifo.c_str(), O_RDWR | O_CLOEXEC));  // keeps both ends open: no open blocks
  ASSERT_GT(::fcntl(keeps_it_open.get(), F_SETPIPE_SZ, 1 << 18), 0);
  write_example(fifo, some_features());
  std::vector<std::byte> bytes(1 << 18);
  ssize_t got = ::read(keeps_it_open.get(), bytes.data(), bytes.size());
  ASSERT_GT(got, 0);
  auto reader = Reader::over(Bytes(bytes).first(static_cast<size_t>(got)));
  ASSERT_TRUE(reader.ok()) << reader.error().message;
  EXPECT_TRUE(reader->is_pipe());
  ASSERT_EQ(reader->events().size(), 2u);
  EXPECT_EQ(reader->events()[1].name, "tlb-miss");
  expect_some_features(reader->features());
  Counts counts = count(*reader);
  EXPECT_EQ(counts.samples, 10u);
  EXPECT_THAT(counts.problems, IsEmpty());
}

TEST(Writer, ADashIsStandardOutput) {
  example::TemporaryFolder folder;
  std::string path = folder.file("out");
  int before = ::dup(STDOUT_FILENO);
  {
    UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    ASSERT_EQ(::dup2(file.get(), STDOUT_FILENO), STDOUT_FILENO);
  }
  write_example("-", {});
  ASSERT_EQ(::dup2(before, STDOUT_FILENO), STDOUT_FILENO);
  ::close(before);
  auto reader = Reader::open(path);
  ASSERT_TRUE(reader.ok()) << reader.error().message;
  EXPECT_TRUE(reader->is_pipe());
  EXPECT_EQ(count(*reader).samples, 10u);
}

TEST(Writer, KeepsTheRecordingBefore) {
  example::TemporaryFolder folder;
  std::string path = folder.file("perf.data");
  std::ofstream(path) << "before";
  write_example(path, {});
  std::string before;
  std::ifstream(path + ".old") >> before;
  EXPECT_EQ(before, "before");
}

TEST(Writer, OnlyTheOwnerMayReadIt) {
  example::TemporaryFolder folder;
  write_example(folder.file("perf.data"), {});
  struct stat status {};
  ASSERT_EQ(::stat(folder.file("perf.data").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST(Writer, ARecordingWithoutRecordsIsFinishedToo) {
  example::TemporaryFolder folder;
  auto writer = Writer::create(folder.file("perf.data"), example::events());
  ASSERT_TRUE(writer.ok());
  ASSERT_TRUE(writer->finish({}).ok());
  auto reader = Reader::open(folder.file("perf.data"));
  ASSERT_TRUE(reader.ok());
  EXPECT_THAT(count(*reader).problems, IsEmpty());
}

TEST(Writer, AKilledRecorderLeavesWhatItWrote) {
  example::TemporaryFolder folder;
  std::string path = folder.file("perf.data");
  auto events = example::events();
  {
    auto writer = Writer::create(path, events);
    ASSERT_TRUE(writer.ok());
    ASSERT_TRUE(writer->append(example::records(events, 10)).ok());
  }
  auto reader = Reader::open(path);
  ASSERT_TRUE(reader.ok()) << reader.error().message;
  Counts counts = count(*reader);
  EXPECT_EQ(counts.samples, 10u);
  EXPECT_THAT(counts.problems, ElementsAre(HasSubstr("did not finish")));
}

TEST(Writer, WhatIsKnownAtTheStartOutlivesAKilledRecorder) {
  example::TemporaryFolder folder;
  std::string path = folder.file("perf.data");
  auto events = example::events();
  {
    auto writer = Writer::create(path, events, some_features());
    ASSERT_TRUE(writer.ok());
    ASSERT_TRUE(writer->append(example::records(events, 10)).ok());
  }
  auto reader = Reader::open(path);
  ASSERT_TRUE(reader.ok()) << reader.error().message;
  expect_some_features(reader->features());
  EXPECT_EQ(reader->events()[1].name, "tlb-miss");
  Counts counts = count(*reader);
  EXPECT_EQ(counts.samples, 10u);
  EXPECT_THAT(counts.problems, ElementsAre(HasSubstr("(totals, build IDs) is missing")));
}

TEST(Writer, TheNewestDescriptionOutlivesAKilledRecorder) {
  example::TemporaryFolder folder;
  std::string path = folder.file("perf.data");
  auto events = example::events();
  {
    auto writer = Writer::create(path, events, some_features(), {.keeps_newest_description = true});
    ASSERT_TRUE(writer.ok());
    ASSERT_TRUE(writer->append(example::records(events, 5)).ok());
    writer->describe("{\"so_far\":1}");
    ASSERT_TRUE(writer->append(example::records(events, 5)).ok());
    writer->describe("{\"so_far\":2}");
  }
  auto reader = Reader::open(path);
  ASSERT_TRUE(reader.ok()) << reader.error().message;
  EXPECT_EQ(reader->features().hardmeter, "{\"so_far\":2}");
  EXPECT_EQ(reader->features().hostname, "somewhere");
  Counts counts = count(*reader);
  EXPECT_EQ(counts.samples, 10u);
  EXPECT_THAT(counts.problems,
              ElementsAre(HasSubstr("totals are those counted until shortly before the end")));
}

TEST(Writer, AFinishedRecordingHasItsOwnDescription) {
  example::TemporaryFolder folder;
  auto events = example::events();
  auto writer =
      Writer::create(folder.file("perf.data"), events, some_features(), {.keeps_newest_description = true});
  ASSERT_TRUE(writer.ok());
  writer->describe("{}");
  ASSERT_TRUE(writer->append(example::records(events, 10)).ok());
  ASSERT_TRUE(writer->finish(some_features()).ok());
  auto reader = Reader::open(folder.file("perf.data"));
  ASSERT_TRUE(reader.ok()) << reader.error().message;
  expect_some_features(reader->features());
  EXPECT_THAT(count(*reader).problems, IsEmpty());
}

TEST(Writer, WhatIsKnownAtTheEndReplacesWhatWasAtTheStart) {
  example::TemporaryFolder folder;
  Features before = some_features();
  before.hardmeter = "{}";
  before.os_release = "of before";
  auto events = example::events();
  auto writer = Writer::create(folder.file("perf.data"), events, before);
  ASSERT_TRUE(writer.ok());
  ASSERT_TRUE(writer->append(example::records(events, 10)).ok());
  ASSERT_TRUE(writer->finish(some_features()).ok());
  auto reader = Reader::open(folder.file("perf.data"));
  ASSERT_TRUE(reader.ok()) << reader.error().message;
  expect_some_features(reader->features());
  EXPECT_FALSE(reader->features().os_release);
}

// If writing stops at any byte, as in a machine crash, at most the last record is lost.
TEST(Writer, EveryBeginningOfAnUnfinishedFileIsReadable) {
  example::TemporaryFolder folder;
  std::string path = folder.file("perf.data");
  auto events = example::events();
  size_t head = 0;
  {
    auto writer = Writer::create(path, events);
    ASSERT_TRUE(writer.ok());
    head = std::filesystem::file_size(path);
    ASSERT_TRUE(writer->append(example::records(events, 3)).ok());
  }
  std::vector<std::byte> whole = example::read_file(path);
  uint64_t records_before = 0;
  for (size_t size = head; size <= whole.size(); ++size) {
    auto reader = Reader::over(Bytes(whole).first(size));
    ASSERT_TRUE(reader.ok()) << size << ": " << reader.error().message;
    Counts counts = count(*reader);
    EXPECT_GE(counts.records, records_before);
    records_before = counts.records;
  }
  EXPECT_EQ(records_before, 6u);
}

TEST(Writer, SaysWhyItCannotWrite) {
  auto full = Writer::create("/dev/full", example::events());
  ASSERT_FALSE(full.ok());
  EXPECT_EQ(full.error().code, ErrorCode::kIo);
  EXPECT_THAT(full.error().message, HasSubstr("No space left"));

  auto nowhere = Writer::create("/nonexistent/perf.data", example::events());
  ASSERT_FALSE(nowhere.ok());
  EXPECT_THAT(nowhere.error().message, HasSubstr("/nonexistent/perf.data"));

  EXPECT_FALSE(Writer::create("/", example::events()).ok());
  EXPECT_TRUE(Writer::create("/dev/null", example::events()).ok());
}

// Limits the size of files for its lifetime, to simulate a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    handler_before_ = std::signal(SIGXFSZ, SIG_IGN);
    rlimit limit{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_before_);
  }

 private:
  rlimit before_{};
  void (*handler_before_)(int) = nullptr;
};

TEST(Writer, WhereNoMoreFitsTheRecordsBeforeStayReadable) {
  example::TemporaryFolder folder;
  std::string path = folder.file("perf.data");
  auto events = example::events();
  auto writer = Writer::create(path, events);
  ASSERT_TRUE(writer.ok());
  auto records = example::records(events, 10);
  ASSERT_TRUE(writer->append(records).ok());
  {
    FileSizeLimit limit(std::filesystem::file_size(path) + 100);
    Status failed = writer->append(records);
    ASSERT_FALSE(failed.ok());
    EXPECT_EQ(failed.error().code, ErrorCode::kIo);
    EXPECT_THAT(failed.error().message, HasSubstr(path));
    EXPECT_FALSE(writer->append(records).ok());
    EXPECT_FALSE(writer->finish(some_features()).ok());
  }
  auto reader = Reader::open(path);
  ASSERT_TRUE(reader.ok()) << reader.error().message;
  Counts counts = count(*reader);
  EXPECT_EQ(counts.samples, 10u);
  EXPECT_THAT(counts.problems, ElementsAre(HasSubstr("could not write to the end")));
}

}  // namespace
}  // namespace hm::record
