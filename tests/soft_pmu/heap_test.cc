// SPDX-License-Identifier: MIT
// Samples contain the heap block of their data and the function that allocated it: tests/programs/heap.c and
// containers.cc print the blocks they walk.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "measuring.h"
#include "profile/allocating_code.h"
#include "profile/loader.h"
#include "record/reader.h"
#include "symbol/file_resolver.h"

namespace hm::soft_pmu_test {
namespace {

using ::testing::HasSubstr;

struct Block {
  std::string allocated_by;  // without arguments; empty if unknown
  uint64_t bytes;
  uint64_t start;

  bool operator==(const Block&) const = default;
  bool operator<(const Block& other) const {
    return std::tie(allocated_by, bytes, start) < std::tie(other.allocated_by, other.bytes, other.start);
  }
};
void PrintTo(const Block& block, std::ostream* out) {
  *out << block.allocated_by << " " << block.bytes << " " << std::hex << block.start << std::dec;
}

// Parses the program's output: "none" is the empty block.
std::set<Block> parse_blocks(const std::string& output) {
  std::set<Block> blocks;
  std::istringstream lines(output);
  std::string by, start;
  for (uint64_t bytes = 0; lines >> by >> bytes >> start;)
    blocks.insert(by == "none" ? Block{} : Block{by, bytes, std::stoull(start, nullptr, 0)});
  return blocks;
}

struct Walked {
  std::set<Block> printed;          // by the program itself
  std::map<Block, size_t> sampled;  // samples in the function walk
  std::vector<profile::HeapSite> sites;
  std::string err;
};

std::string without_arguments(const std::string& function) {
  std::string name = function.substr(0, function.find('('));
  return name.empty() ? "(" + function : name.substr(name.rfind(' ') + 1);
}

Block block_of(const profile::Profile& profile, const profile::AllocatingCode& code, size_t sample) {
  const profile::Samples& samples = profile.samples;
  auto start = samples.heap_start.at(sample);
  if (!start) return {};
  uint64_t address = samples.address.at(sample).value_or(0),
           bytes = samples.heap_bytes.at(sample).value_or(0);
  EXPECT_GE(address, *start);
  EXPECT_LT(address - *start, bytes);
  auto site = samples.heap_site.at(sample);
  auto frame = site ? code.at(profile.heap_sites[*site]) : std::nullopt;
  std::string function = frame ? frame->function : "(anonymous namespace)::";
  if (function.starts_with("(anonymous namespace)::")) function = function.substr(23);
  return {without_arguments(function), bytes, *start};
}

void load(const std::string& path, Walked& walked) {
  auto reader = record::Reader::open(path);
  ASSERT_TRUE(reader.ok()) << reader.error().message;
  symbol::FileResolver resolver;
  auto profile = profile::load(*reader, resolver);
  ASSERT_TRUE(profile.ok()) << profile.error().message;
  EXPECT_TRUE(profile->problems.empty());
  profile::AllocatingCode code(*profile, resolver);
  for (size_t i = 0; i < profile->samples.size(); ++i) {
    const profile::Location& place = profile->locations[profile->samples.location[i]];
    if (profile->functions[place.function].name == "walk") ++walked.sampled[block_of(*profile, code, i)];
  }
  walked.sites = profile->heap_sites;
}

Walked walk(const Words& options, const Words& command) {
  TemporaryFolder folder;
  std::string path = folder.file("perf.data");
  Outcome outcome = hardmeter(Words{"record", "-q", "-o", path} + soft_pmu() +
                              Words{"-e", "memory_loads", "-c", "23"} + options + Words{"--"} + command);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  Walked walked;
  walked.printed = parse_blocks(outcome.out);
  walked.err = outcome.err;
  load(path, walked);
  return walked;
}

std::set<Block> blocks_of(const Walked& walked) {
  std::set<Block> blocks;
  for (const auto& [block, samples] : walked.sampled) blocks.insert(block);
  return blocks;
}

Walked expect_blocks(const Words& options, const Words& command) {
  Walked walked = walk(options, command);
  EXPECT_GT(walked.printed.size(), 1u);
  EXPECT_EQ(blocks_of(walked), walked.printed);
  return walked;
}

Words heap(const std::string& mode) { return {program("heap"), mode}; }

TEST(Heap, SamplesSayWhichBlockAndWhoAllocatedIt) { expect_blocks({}, heap("plain")); }

TEST(Heap, MovedBlocks) { expect_blocks({}, heap("moves")); }

TEST(Heap, AlignedBlocks) { expect_blocks({}, heap("aligned")); }

TEST(Heap, FreedMemoryIsInNoBlockAndMayBeAnothers) {
  Walked walked = expect_blocks({}, heap("reuse"));
  constexpr size_t kWalks = 2, kLoads = 30000 / 64;  // of a static array, and of freed memory
  EXPECT_GT(walked.sampled[Block{}], kWalks * kLoads * 9 / 10 / 23);
}

TEST(Heap, AllocatorsOfTheProgramsOwn) {
  expect_blocks({}, heap("pool"));
  expect_blocks({"--allocator=pool_take:2"}, heap("named_pool"));
  Walked walked = walk({"--allocator=no_such_one"}, heap("plain"));
  EXPECT_THAT(walked.err, HasSubstr("no program or library that ran has an allocator no_such_one"));
}

TEST(Heap, WrappersOfAllocatorsAreFoundByThemselves) { expect_blocks({}, heap("wrapped")); }

TEST(Heap, ThreadsInParallel) { expect_blocks({}, heap("threads")); }

TEST(Heap, ChildrenKnowTheirParentsBlocks) { expect_blocks({}, heap("fork")); }

TEST(Heap, AllocatorsThatAreLeftWithoutAReturn) {
  expect_blocks({"--allocator=leaving"}, heap("jumps"));
  expect_blocks({"--allocator=leaving"}, heap("signals"));
}

TEST(Heap, RecursionDoesNotMakeManySites) {
  Walked walked = expect_blocks({}, heap("recursion"));
  size_t for_any_caller = 0;
  for (const profile::HeapSite& site : walked.sites) for_any_caller += site.any_caller ? 1 : 0;
  EXPECT_EQ(for_any_caller, 1u);
  EXPECT_LT(walked.sites.size(), 100u);
}

TEST(Heap, BlocksOfCodeThatIsNotCollected) {
  expect_blocks({"--function=walk"}, heap("plain"));
  expect_blocks({"--function=by_asking", "--function=walk"}, heap("threads"));
  Walked walked = walk({"-D", "1"}, heap("threads"));
  for (const auto& [block, samples] : walked.sampled) EXPECT_TRUE(walked.printed.contains(block));
}

TEST(Heap, SitesHaveTheCallChain) {
  Walked walked = walk({}, heap("plain"));
  ASSERT_FALSE(walked.sites.empty());
  for (const profile::HeapSite& site : walked.sites) EXPECT_GT(site.chain.size(), 2u);
}

TEST(Heap, OperatorNewAndContainers) { expect_blocks({}, {program("containers")}); }

TEST(Heap, IsReportedBySite) {
  TemporaryFolder folder;
  std::string path = folder.file("perf.data");
  ASSERT_EQ(hardmeter(Words{"record", "-q", "-o", path} + soft_pmu() + heap("plain")).status, 0);
  Outcome report = hardmeter({"report", "-i", path, "--sort", "function,site"});
  EXPECT_EQ(report.status, 0) << report.err;
  EXPECT_THAT(report.out, HasSubstr("by_asking"));
  EXPECT_THAT(report.out, HasSubstr("[no heap block]"));
  EXPECT_THAT(report.out, ::testing::Not(HasSubstr("heap_site")));
}

TEST(Heap, MayBeLeftOut) {
  TemporaryFolder folder;
  std::string path = folder.file("perf.data");
  Words command = Words{"record", "-q", "-o", path} + soft_pmu();
  ASSERT_EQ(hardmeter(command + Words{"--no-heap-blocks"} + heap("plain")).status, 0);
  EXPECT_THAT(hardmeter({"check", "-i", path}).out, ::testing::Not(HasSubstr("heap_site")));
  ASSERT_EQ(hardmeter(command + heap("plain")).status, 0);
  EXPECT_THAT(hardmeter({"check", "-i", path}).out, HasSubstr("heap_site"));
  Outcome both = hardmeter(command + Words{"--no-heap-blocks", "--allocator=palloc"} + heap("plain"));
  EXPECT_THAT(both.err, HasSubstr("exclude each other"));
}

TEST(Heap, PerfReadsTheRecording) {
  if (!installed("perf")) GTEST_SKIP() << "perf is not installed";
  TemporaryFolder folder;
  std::string path = folder.file("perf.data");
  ASSERT_EQ(hardmeter(Words{"record", "-q", "-o", path} + soft_pmu() + heap("plain")).status, 0);
  Outcome script = run({"perf", "script", "-i", path, "-F", "event,sym"});
  EXPECT_EQ(script.status, 0) << script.err;
  EXPECT_THAT(script.out, HasSubstr("l1_cache_miss"));
  EXPECT_THAT(script.out, HasSubstr("heap_site"));
  Outcome report = run({"perf", "report", "--stdio", "-i", path});
  EXPECT_EQ(report.status, 0) << report.err;
  EXPECT_THAT(report.out, HasSubstr("Samples: "));
}

}  // namespace
}  // namespace hm::soft_pmu_test
