// SPDX-License-Identifier: MIT
// Code is recorded at the kernel's address for it, for every way of mapping: tests/programs/mappings.c maps
// code and prints the lines of /proc/self/maps.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "measuring.h"

namespace hm::soft_pmu_test {
namespace {

// "name address start-end protection offset major:minor inode path"
struct Told {
  std::string name, path;
  uint64_t address = 0, start = 0, offset = 0, inode = 0;
  uint32_t major = 0, minor = 0;
};

Told read_line(const std::string& line) {
  Told told;
  std::string protection;
  uint64_t end = 0;
  char mark = 0;
  std::istringstream in(line);
  in >> told.name >> std::hex >> told.address >> told.start >> mark >> end >> protection >> told.offset >>
      told.major >> mark >> told.minor >> std::dec >> told.inode >> std::ws;
  std::getline(in, told.path);
  return told;
}

std::vector<Told> read_lines(const std::string& text) {
  std::vector<Told> all;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) all.push_back(read_line(line));
  return all;
}

// Returns the last mapping at the address: of a file if the kernel shows one, else of memory.
const Mapped* last_at(const std::vector<Mapped>& mappings, const Told& told) {
  const Mapped* last = nullptr;
  for (const Mapped& each : mappings) {
    bool of_file = told.inode != 0;
    bool holds = each.start <= told.address && told.address - each.start < each.bytes;
    if (holds && each.executable && (each.inode != 0) == of_file) last = &each;
  }
  return last;
}

// Valgrind treats shared memory as no file, and does not report moved mappings to its tools.
const std::set<std::string> kNotValgrinds = {"shared-memory", "moved-memory"};

TEST(Mappings, CodeIsWhereTheKernelHasIt) {
  TemporaryFolder folder;
  std::string path = folder.file("perf.data");
  Outcome outcome = hardmeter(Words{"record", "-q", "-o", path} + soft_pmu() +
                              Words{"--", program("mappings"), folder.file("")});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  Recording recording = decode(path);
  std::vector<Told> all = read_lines(outcome.out);
  ASSERT_EQ(all.size(), 7u) << outcome.out;
  for (const Told& told : all) {
    if (engine() == "valgrind" && kNotValgrinds.contains(told.name)) continue;
    SCOPED_TRACE(told.name);
    const Mapped* found = last_at(recording.mappings, told);
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->path, told.path.empty() ? "//anon" : told.path);
    if (told.inode == 0) continue;
    EXPECT_EQ(found->inode, told.inode);
    EXPECT_EQ(found->major, told.major);
    EXPECT_EQ(found->minor, told.minor);
    EXPECT_EQ(found->file_offset + (told.address - found->start), told.offset + (told.address - told.start));
  }
}

TEST(Mappings, APageThatBecomesCodeManyTimesIsToldOfOnce) {
  constexpr size_t kTimes = 2000;
  if (engine() != "direct") GTEST_SKIP() << "this engine tells of a mapping each time";
  Recording recording =
      record({"-e", "l1_cache_miss"}, {program("mappings"), "storm", std::to_string(kTimes)});
  auto memory = std::ranges::count_if(
      recording.mappings, [](const Mapped& each) { return each.path == "//anon" && each.executable; });
  EXPECT_EQ(memory, 1);
}

// The models' data about 2 GiB of lines would take half a gigabyte.
TEST(Mappings, ThatAreGoneTakeNoMemory) {
  if (engine() != "direct") GTEST_SKIP() << "Valgrind's engine keeps what it knows; not tested with it";
  Outcome outcome =
      hardmeter(Words{"stat"} + soft_pmu() + Words{"--", program("remap"), "8000", "65536", "1"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_LT(std::stoul(outcome.out), 150u << 10);
}

}  // namespace
}  // namespace hm::soft_pmu_test
