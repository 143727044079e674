// SPDX-License-Identifier: MIT
// Threads on separate cores: one thread's writes cause the other's misses. tests/programs/hand_over.c
// documents the number.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/statvfs.h>

#include <algorithm>

#include "base/json.h"
#include "base/shell_word.h"
#include "event/event_template.h"
#include "measuring.h"
#include "meeting.h"
#include "support/paths.h"

namespace hm::soft_pmu_test {
namespace {

using record::MissClass;
using ::testing::HasSubstr;

constexpr uint64_t kExchanges = 5000;
constexpr const char* kOddPeriod = "7";  // odd: alternates between the two loads of a turn
constexpr uint64_t kBeside = 200;        // misses on lines that the C library's threads share
const Words kSharedLines = {"--cpu", "zen4", "-e", "shared_line_hit"};

size_t of_class(const std::vector<Sample>& samples, MissClass which) {
  return static_cast<size_t>(std::ranges::count(samples, which, &Sample::l2_class));
}

// Checks the lines in the output of perf c2c.
void expect_that_perf_finds(const std::string& row, const Words& command) {
  if (!installed("perf")) GTEST_SKIP() << "there is no perf here; apt install linux-perf brings it";
  TemporaryFolder folder;
  std::string path = folder.file("perf.data");
  Outcome recorded = hardmeter(Words{"record", "-q", "-o", path} + soft_pmu() + kSharedLines +
                               Words{"-c", kOddPeriod, "--"} + command);
  ASSERT_EQ(recorded.status, 0) << recorded.err;
  Outcome found = run({"perf", "c2c", "report", "-i", path, "--stdio"});
  EXPECT_EQ(found.status, 0) << found.err;
  EXPECT_THAT(found.out, HasSubstr(row));
}

class Sharing : public ::testing::Test {
 protected:
  void SetUp() override { skip_without_cores(); }

  // Threads that alternate.
  static Words hand_over(const char* apart) {
    return {program("hand_over"), std::to_string(kExchanges), apart};
  }
};

TEST_F(Sharing, EachHandOverIsTwoLoadsOfModifiedLines) {
  Counts counts = count({"--cpu", "zen4", "-e", "shared_line_hit,l1_cache_miss"}, hand_over("0"));
  // A check and its access are two instructions. The model sees the other core's writes in between late, and
  // a load that had passed reads the new value.
  EXPECT_GE(counts["shared_line_hit"], 2 * kExchanges * 3 / 4);
  EXPECT_LE(counts["shared_line_hit"], 2 * kExchanges + kBeside);
  EXPECT_GE(counts["l1_cache_miss"], counts["shared_line_hit"]);
}

TEST_F(Sharing, SamplesSayWhatTheOtherHasWritten) {
  Recording same = record(kSharedLines + Words{"-c", kOddPeriod}, hand_over("0"));
  EXPECT_GE(of_class(same.samples, MissClass::kTrueSharing), same.samples.size() * 95 / 100);
  for (const Sample& sample : same.samples) {
    EXPECT_EQ(sample.source.mem_snoop, unsigned{PERF_MEM_SNOOP_HITM});
    EXPECT_EQ(sample.source.mem_lvl_num, unsigned{PERF_MEM_LVLNUM_L3});
  }
  Recording beside = record(kSharedLines + Words{"-c", kOddPeriod}, hand_over("8"));
  size_t of_true = of_class(beside.samples, MissClass::kTrueSharing);
  size_t of_false = of_class(beside.samples, MissClass::kFalseSharing);
  EXPECT_GE(of_true + of_false, beside.samples.size() * 95 / 100);
  EXPECT_GE(of_true, beside.samples.size() / 4);
  EXPECT_GE(of_false, beside.samples.size() / 4);
}

TEST_F(Sharing, OneThreadSharesNothing) {
  EXPECT_EQ(count(kSharedLines, {program("memory")})["shared_line_hit"], 0u);
}

TEST_F(Sharing, PerfFindsTheLines) { expect_that_perf_finds("[.] work  hand_over", hand_over("8")); }

// Each turn has two lines that the other process has written last.
class SharingOfProcesses : public ::testing::Test {
 protected:
  void SetUp() override {
    if (engine() != "direct") GTEST_SKIP() << "Valgrind's processes do not know of each other; not tested";
    struct statvfs room {};
    if (::statvfs("/dev/shm", &room) != 0 || room.f_bavail * room.f_frsize < kRoomToMeet)
      GTEST_SKIP() << "processes meet in 256 MiB of /dev/shm, which has less; not tested";
  }
  static constexpr uint64_t kRoomToMeet = uint64_t{256} << 20;
  static constexpr uint64_t kHandOvers = 2000;
};

TEST_F(SharingOfProcesses, EachHandOverIsTwoLoadsOfModifiedLines) {
  for (const Words& how : {Words{}, Words{"pause"}, Words{"segment"}}) {
    Counts counts = count(kSharedLines, Words{program("shared_memory")} + how);
    EXPECT_GE(counts["shared_line_hit"],
              2 * kHandOvers * 3 / 4);  // a thread may lose its processor while it looks
    EXPECT_LE(counts["shared_line_hit"], 2 * kHandOvers + kBeside);
    // On zen4, a line of another core takes twice as long as L3: 100 cycles instead of 4.
    EXPECT_GE(counts["peer_wait"], 96 * counts["shared_line_hit"]) << "stores wait for such lines, too";
  }
}

TEST_F(SharingOfProcesses, SamplesSayWhatTheOtherHasWritten) {
  Recording recording = record(kSharedLines + Words{"-c", kOddPeriod}, {program("shared_memory")});
  size_t of_true = of_class(recording.samples, MissClass::kTrueSharing);
  size_t of_false = of_class(recording.samples, MissClass::kFalseSharing);
  size_t of_either =
      of_class(recording.samples, MissClass::kSharing);  // not all writes of a long turn are observed
  EXPECT_GE(of_true + of_false + of_either, recording.samples.size() * 95 / 100);
  EXPECT_GE(of_true, recording.samples.size() / 3);
  for (const Sample& sample : recording.samples)
    EXPECT_EQ(sample.source.mem_snoop, unsigned{PERF_MEM_SNOOP_HITM});
}

TEST_F(SharingOfProcesses, ProgramsMeetInAFile) {
  TemporaryFolder folder;
  std::string both = shell_word(program("shared_file")) + " " + folder.file("page") + " ";
  Counts counts = count(kSharedLines, {"sh", "-c", both + "0 & " + both + "1; wait"});
  EXPECT_GE(counts["shared_line_hit"], kHandOvers * 9 / 10);
  EXPECT_LE(counts["shared_line_hit"], kHandOvers + kBeside);
}

TEST_F(SharingOfProcesses, TooManyAndKilledOnesDisturbNobody) {
  Outcome outcome =
      hardmeter(Words{"stat"} + soft_pmu() + kSharedLines + Words{"--", program("shared_crowd")});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("160000\n"));
}

TEST_F(SharingOfProcesses, WithoutSharedModelsAreReported) {
  std::string command = "ulimit -f 10240; exec " + shell_word(test_paths::kHardmeter);
  for (const std::string& word :
       Words{"stat"} + soft_pmu() + kSharedLines + Words{"--", program("shared_memory")})
    command += " " + shell_word(word);
  Outcome outcome = run({"sh", "-c", command});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("2 processes shared memory with others, but"));
}

TEST_F(SharingOfProcesses, PerfFindsTheLines) {
  expect_that_perf_finds("[.] main  shared_memory", {program("shared_memory")});
}

// Returns the lines in the object that pass between threads. The command makes at least `accesses` memory
// accesses.
nlohmann::json contested(const Words& command, const std::string& object, int accesses) {
  constexpr int kEvery = 101;
  TemporaryFolder folder;
  std::string path = folder.file("perf.data");
  Outcome recorded =
      hardmeter(Words{"record", "-q", "-o", path} + soft_pmu() +
                Words{"-e", "memory_loads,memory_stores", "-c", std::to_string(kEvery), "--"} + command);
  EXPECT_EQ(recorded.status, 0) << recorded.err;
  Outcome told = hardmeter({"explain", "--json", "-i", path, "--limit", "0"});
  nlohmann::json json = nlohmann::json::parse(told.out, nullptr, false);
  nlohmann::json found = nlohmann::json::array();
  EXPECT_TRUE(json.is_object()) << told.err;
  if (!json.is_object()) return found;
  EXPECT_GE(json["contested_lines"]["accesses_sampled"].get<int>(), accesses / kEvery * 9 / 10);
  for (const auto& line : json["contested_lines"]["lines"]) {
    bool has_it = line["line"]["users"][0]["object"].is_string() &&
                  line["line"]["users"][0]["object"].get<std::string>().find(object) != std::string::npos;
    if (has_it) found.push_back(line);
  }
  return found;
}

// Also if only one thread runs at a time, as under Valgrind.
TEST(ContestedLines, ThreadsThatWriteBesideEachOther) {
  nlohmann::json lines = contested({program("hand_over"), "20000", "8"}, "global", 4 * 20000);
  ASSERT_FALSE(lines.empty());
  EXPECT_GT(lines[0]["most_handovers"].get<int>(), 0);
  EXPECT_THAT(lines[0]["functions"].dump(), HasSubstr("work"));
}

TEST(ContestedLines, ProcessesAtOneAddressShareOnlyWhatIsMappedTogether) {
  if (engine() != "direct") GTEST_SKIP() << "Valgrind does not say which memory is shared; not tested";
  constexpr int kAccesses = 4 * 2 * 1000 * 100;  // two loads and two stores per step
  nlohmann::json lines = contested({program("shared_memory")}, "shared memory", kAccesses);
  ASSERT_FALSE(lines.empty());
  bool has_counters = false;
  for (const auto& line : lines) has_counters |= line["class"] == "false sharing";
  EXPECT_TRUE(has_counters) << lines.dump(1);
  EXPECT_TRUE(contested({program("shared_memory")}, "global own", kAccesses).empty());
}

TEST(SharingUnderValgrind, IsRefused) {
  if (!is_built("valgrind")) GTEST_SKIP() << "this build has no Valgrind engine; not tested";
  Outcome outcome =
      hardmeter({"record", "--pmu=soft", "--engine=valgrind", "-e", "shared_line_hit", "--", "true"});
  EXPECT_NE(outcome.status, 0);
  EXPECT_THAT(outcome.err, HasSubstr("all threads run on one modelled core"));
}

}  // namespace
}  // namespace hm::soft_pmu_test
