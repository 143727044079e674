// SPDX-License-Identifier: MIT
// Checks that perf itself can read the output of Writer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "record/example_perf.h"
#include "record/example_recording.h"
#include "record/writer.h"

namespace hm::record {
namespace {

using example::occurrences;
using example::Outcome;
using example::run;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr uint64_t kSamples = 20;

class PerfReadsIt : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!example::has_perf()) {
      GTEST_SKIP() << "perf is not installed: whether it reads our recordings was not tested";
    }
    path_ = folder_.file("perf.data");
  }

  void write(const std::string& to, int compression_level = 0) {
    auto events = example::events();
    Features features;
    features.hostname = "somewhere";
    features.os_release = "6.1.0";
    features.version = "0.1.0";
    features.arch = "x86_64";
    features.cpus = CpuCount{.available = 2, .online = 2};
    features.cpu_desc = "Some CPU";
    features.total_mem_kib = 1048576;
    features.cmdline = {"hardmeter", "record", "./example"};
    features.pmus = {{.type = 1, .name = "software"}};
    features.caches = {
        {.level = 1, .line_bytes = 64, .sets = 64, .ways = 8, .type = "Data", .size = "32K", .cpus = "0"}};
    features.sample_time = TimeSpan{.first_ns = 1'000'000, .last_ns = 1'019'000};
    features.clock_resolution_ns = 1;
    features.build_ids = {{.misc = PERF_RECORD_MISC_USER,
                           .pid = -1,
                           .id = std::vector<std::byte>(20, std::byte{0xab}),
                           .path = "/usr/bin/example"}};
    features.hardmeter = R"({"pmu":"software"})";
    auto writer = Writer::create(to, events, features,
                                 {.compression_level = compression_level, .keeps_newest_description = true});
    ASSERT_TRUE(writer.ok()) << writer.error().message;
    ASSERT_TRUE(writer->append(example::records(events, kSamples)).ok());
    ASSERT_TRUE(writer->finish(features).ok());
  }

  // PERF_CONFIG keeps perf from reading the user's own settings.
  Outcome perf(const std::string& arguments) { return run("PERF_CONFIG=/dev/null perf " + arguments); }

  example::TemporaryFolder folder_;
  std::string path_;
};

TEST_F(PerfReadsIt, Header) {
  write(path_);
  Outcome header = perf("report --header-only -I -i " + path_);
  EXPECT_EQ(header.status, 0) << header.text;
  for (const char* line :
       {"hostname : somewhere", "os release : 6.1.0", "arch : x86_64", "nrcpus online : 2",
        "cpudesc : Some CPU", "total memory : 1048576 kB", "cmdline : hardmeter record ./example",
        "event : name = cache-miss", "event : name = tlb-miss", "L1 Data", "pmu mappings: software = 1",
        "time of first sample : 0.001000"}) {
    EXPECT_THAT(header.text, HasSubstr(line));
  }
}

TEST_F(PerfReadsIt, Report) {
  write(path_);
  Outcome report = perf("report --stdio --no-branch-stack -i " + path_);
  EXPECT_EQ(report.status, 0) << report.text;
  EXPECT_THAT(report.text, HasSubstr("Samples: 10  of event 'cache-miss'"));
  EXPECT_THAT(report.text, HasSubstr("Samples: 10  of event 'tlb-miss'"));
  EXPECT_THAT(report.text, HasSubstr("Event count (approx.): 10000"));
  EXPECT_THAT(report.text, HasSubstr("example"));
}

TEST_F(PerfReadsIt, Compressed) {
  write(path_, 3);
  EXPECT_THAT(perf("report --header-only -I -i " + path_).text, HasSubstr("compressed : Zstd, level = 3"));
  Outcome script = perf("script -F event,ip -i " + path_);
  EXPECT_EQ(script.status, 0) << script.text;
  EXPECT_EQ(occurrences(script.text, "cache-miss:"), kSamples / 2) << script.text;
}

TEST_F(PerfReadsIt, Script) {
  write(path_);
  Outcome script = perf("script -F comm,tid,time,event,ip,addr,period,weight,brstack -i " + path_);
  EXPECT_EQ(script.status, 0) << script.text;
  EXPECT_EQ(occurrences(script.text, "cache-miss:"), kSamples / 2) << script.text;
  EXPECT_EQ(occurrences(script.text, "tlb-miss:"), kSamples / 2) << script.text;
  EXPECT_THAT(script.text, HasSubstr("0x400008/0x400000/M"));
  Outcome tasks = perf("script --show-task-events --show-mmap-events -i " + path_);
  EXPECT_THAT(tasks.text, HasSubstr("PERF_RECORD_COMM exec: example:4242/4242"));
  EXPECT_THAT(tasks.text, HasSubstr("PERF_RECORD_MMAP2 4242/4242: [0x400000(0x10000) @ 0"));
  EXPECT_THAT(tasks.text, HasSubstr("PERF_RECORD_EXIT"));
}

TEST_F(PerfReadsIt, BuildIds) {
  write(path_);
  EXPECT_THAT(perf("buildid-list -i " + path_).text, HasSubstr("abababab"));
}

TEST_F(PerfReadsIt, MemoryReport) {
  write(path_);
  Outcome report = perf("mem -i " + path_ + " report --stdio");
  EXPECT_EQ(report.status, 0) << report.text;
  EXPECT_THAT(report.text, HasSubstr("Local Weight"));
  EXPECT_THAT(report.text, HasSubstr("[.] 0x0000000070000040"));
}

TEST_F(PerfReadsIt, BranchReport) {
  write(path_);
  Outcome report = perf("report --stdio -b -i " + path_);
  EXPECT_EQ(report.status, 0) << report.text;
  EXPECT_THAT(report.text, HasSubstr("Target Symbol"));
  EXPECT_THAT(report.text, HasSubstr("[.] 0x0000000000000008"));
}

TEST_F(PerfReadsIt, Pipe) {
  ASSERT_EQ(run("mkfifo " + path_).status, 0);
  std::FILE* script =
      ::popen(("PERF_CONFIG=/dev/null perf script -i - -F event,ip < " + path_ + " 2>&1").c_str(), "r");
  ASSERT_NE(script, nullptr);
  write(path_);
  std::string text;
  std::array<char, 4096> buffer{};
  while (size_t got = std::fread(buffer.data(), 1, buffer.size(), script)) text.append(buffer.data(), got);
  EXPECT_EQ(::pclose(script), 0) << text;
  EXPECT_EQ(occurrences(text, "cache-miss:"), kSamples / 2) << text;
  EXPECT_EQ(occurrences(text, "tlb-miss:"), kSamples / 2) << text;
  EXPECT_THAT(text, Not(HasSubstr("rror")));
  EXPECT_THAT(text, Not(HasSubstr("failed")));
}

}  // namespace
}  // namespace hm::record
