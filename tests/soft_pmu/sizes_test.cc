// SPDX-License-Identifier: MIT
// record --sizes: every recorded access of a real program, replayed through slow and simple sets of lines,
// gives the reported misses. Covers each number of sets and ways of Ogawa and Hiraki, "An Estimation for CPU
// cache usage condition with TLB Information", figure 5.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/temporary_folder.h"
#include "measuring.h"
#include "plain_environment.h"

namespace hm::soft_pmu_test {
namespace {

using ::testing::HasSubstr;

constexpr uint64_t kSizedLineBytes = 64;
constexpr uint32_t kMinSets = 128, kMaxSets = 16384, kWays = 16;
// Caches of lines of 64 and 128 bytes, and TLBs of pages of 4 KiB. Accesses by the kernel are no events of
// the program: the replay would lack them.
const Words kAllAccesses = {"--no-syscall-memory",
                            "--sizes=128-16384,16:64-256,4,128:1-64,8,4K",
                            "--cpu",
                            "zen4",
                            "-e",
                            "memory_loads,memory_stores",
                            "-c",
                            "1"};

struct SizedCache {
  uint32_t sets, ways;
  uint64_t block_bytes = kSizedLineBytes;
  auto operator<=>(const SizedCache&) const = default;
};
struct Counted {
  uint64_t accesses, misses;
  bool operator==(const Counted&) const = default;
};
void PrintTo(const Counted& counted, std::ostream* out) {
  *out << counted.misses << " misses of " << counted.accesses;
}
using SizeTable = std::map<SizedCache, Counted>;

// Parses the output of `map --sizes --csv`.
SizeTable told(const std::string& recording) {
  Outcome said = hardmeter({"map", "--sizes", "--csv", "-i", recording});
  EXPECT_EQ(said.status, 0) << said.err;
  SizeTable table;
  std::istringstream lines(said.out);
  std::string head;
  std::getline(lines, head);
  EXPECT_EQ(head, "sets,ways,line_bytes,page_bytes,accesses,misses");
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::vector<uint64_t> numbers;
    for (std::string field; std::getline(fields, field, ',');) {
      if (!field.empty()) numbers.push_back(std::stoull(field));
    }
    if (numbers.size() != 5) ADD_FAILURE() << line;
    numbers.resize(5);
    table[{static_cast<uint32_t>(numbers[0]), static_cast<uint32_t>(numbers[1]), numbers[2]}] = {numbers[3],
                                                                                                 numbers[4]};
  }
  return table;
}

// Caches with one number of sets, which search the depth of each access.
class Simulated {
 public:
  Simulated(uint32_t sets, uint32_t max_ways, uint64_t block_bytes)
      : sets_(sets), misses_(max_ways, 0), block_bytes_(block_bytes) {}

  void access(const Sample& sample) {
    uint64_t last = (sample.addr + sample.access_bytes - 1) / block_bytes_;
    for (uint64_t block = sample.addr / block_bytes_; block <= last; ++block) access_block(block);
  }
  void tell(SizeTable& table) const {
    for (uint32_t ways = 1; ways <= misses_.size(); ++ways)
      table[{static_cast<uint32_t>(sets_.size()), ways, block_bytes_}] = {blocks_, misses_[ways - 1]};
  }

 private:
  void access_block(uint64_t line) {
    ++blocks_;
    std::deque<uint64_t>& set = sets_[line % sets_.size()];
    auto found = std::ranges::find(set, line);
    auto depth = static_cast<size_t>(found - set.begin());
    for (size_t ways = 1; ways <= misses_.size(); ++ways)
      misses_[ways - 1] += found == set.end() || depth >= ways ? 1 : 0;
    if (found != set.end()) set.erase(found);
    set.push_front(line);
    if (set.size() > misses_.size()) set.pop_back();
  }

  std::vector<std::deque<uint64_t>> sets_;
  std::vector<uint64_t> misses_;  // by ways minus 1
  uint64_t block_bytes_, blocks_ = 0;
};

SizeTable simulated(const std::vector<Sample>& accesses) {
  std::vector<Simulated> caches;
  for (uint32_t sets = kMinSets; sets <= kMaxSets; sets *= 2)
    caches.emplace_back(sets, kWays, kSizedLineBytes);
  for (uint32_t sets = 64; sets <= 256; sets *= 2) caches.emplace_back(sets, 4, 128);
  for (uint32_t sets = 1; sets <= 64; sets *= 2) caches.emplace_back(sets, 8, 4096);
  SizeTable table;
  for (Simulated& cache : caches) {
    for (const Sample& sample : accesses) cache.access(sample);
    cache.tell(table);
  }
  return table;
}

class AllSizes : public WithPlainEnvironment, public ::testing::WithParamInterface<Words> {};

TEST_P(AllSizes, MissAsOftenAsEachSimulatedByItself) {
  TemporaryFolder folder;
  std::string path = folder.file("perf.data");
  Outcome recorded =
      hardmeter(Words{"record", "-q", "-o", path} + soft_pmu() + kAllAccesses + Words{"--"} + GetParam());
  ASSERT_EQ(recorded.status, 0) << recorded.err;
  SizeTable table = told(path);
  EXPECT_EQ(table.size(), 8u * kWays + 3 * 4 + 7 * 8);
  EXPECT_EQ(table, simulated(decode(path).samples));
  EXPECT_GT((table[{kMinSets, 1}].misses), 2 * (table[{kMaxSets, kWays}].misses));
}

INSTANTIATE_TEST_SUITE_P(, AllSizes, ::testing::Values(Words{"ls", "/"}, Words{"sort", "/etc/passwd"}),
                         [](const auto& each) { return each.param.front(); });

class Sizes : public WithPlainEnvironment {};

// In a cache too small for both, each program evicts the other's lines.
TEST_F(Sizes, SayWhichProgramsFitBesideEachOther) {
  TemporaryFolder folder;
  Words recordings;
  for (const char* command : {"ls", "sort"}) {
    recordings.push_back(folder.file(command));
    Outcome recorded = hardmeter(Words{"record", "-q", "-o", recordings.back()} + soft_pmu() +
                                 Words{"--sizes=64-1024,16", "--", command, "/etc/passwd"});
    ASSERT_EQ(recorded.status, 0) << recorded.err;
  }
  const auto pair_in = [&](const char* cache) {
    Outcome said = hardmeter(Words{"map", "--json", "--cache", cache, "--pair"} + recordings);
    EXPECT_EQ(said.status, 0) << said.err;
    return nlohmann::json::parse(said.out).at("pairs").at(0);
  };
  SizeTable alone = told(recordings[0]);
  for (const auto& member : pair_in("32K,8").at("members")) {
    const auto& extra = member.at("extra");
    EXPECT_GT(extra.at("value").get<double>(), 1.0);
    EXPECT_LE(extra.at("low"), extra.at("value"));
    EXPECT_GE(extra.at("high"), extra.at("value"));
    if (member.at("program") != recordings[0]) continue;
    const Counted& counted = alone[{64, 8}];
    double missed = 1000.0 * static_cast<double>(counted.misses) / static_cast<double>(counted.accesses);
    EXPECT_NEAR(member.at("alone").get<double>(), missed, 0.001);
  }
  EXPECT_EQ(pair_in("32K,8").at("fit"), "collides");
  EXPECT_EQ(pair_in("1M,16").at("fit"), "fits");
  Outcome placed = hardmeter(Words{"map", "--cache", "32K,8", "--caches", "2", "--pair"} + recordings);
  EXPECT_THAT(placed.out,
              HasSubstr("what should share a cache:\n  cache 1: " + recordings[0] + "\n  cache 2: "));
  Outcome other = hardmeter(Words{"map", "--cache", "64M,16", "--pair"} + recordings);
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.err, HasSubstr("record with --sizes=64-65536,16"));
}

// One set in four represents all sets.
TEST_F(Sizes, OfSomeSetsComeWithIntervals) {
  TemporaryFolder folder;
  std::string exact = folder.file("exact.data"), sampled = folder.file("sampled.data");
  for (const auto& [path, sizes] :
       {std::pair{exact, "--sizes=64-4096,8"}, {sampled, "--sizes=64-4096,8/4"}}) {
    Outcome recorded =
        hardmeter(Words{"record", "-q", "-o", path} + soft_pmu() + Words{sizes, "--", "sort", "/etc/passwd"});
    ASSERT_EQ(recorded.status, 0) << recorded.err;
  }
  SizeTable all = told(exact);
  Outcome said = hardmeter({"map", "--sizes", "--json", "-i", sampled});
  nlohmann::json json = nlohmann::json::parse(said.out, nullptr, false);
  ASSERT_TRUE(json.is_object()) << said.err;
  EXPECT_EQ(json["one_set_in"], 4);
  auto accesses = static_cast<double>((all[{64, 1}].accesses));
  EXPECT_NEAR(json["accesses"].get<double>(), accesses, accesses / 100);
  uint32_t cells = 0, inside = 0;
  for (uint32_t i = 0; i < 7; ++i) {
    for (uint32_t ways = 1; ways <= 8; ++ways, ++cells) {
      auto misses = static_cast<double>((all[{64u << i, ways}].misses));
      double off = std::abs(json["misses"][i][ways - 1].get<double>() - misses);
      inside += off <= json["misses_error"][i][ways - 1].get<double>() ? 1 : 0;
    }
  }
  EXPECT_EQ(all.size(), cells);
  EXPECT_GE(inside, cells / 2) << "of intervals of 95 %, which are not independent of each other";
  EXPECT_THAT(hardmeter({"map", "--sizes", "--csv", "-i", sampled}).out,
              HasSubstr(",misses,misses_error\n64,1,64,,"));
  EXPECT_THAT(hardmeter({"map", "--sizes", "-i", sampled}).out,
              HasSubstr("# estimated from one in 4 of the sets"));
  Outcome pair = hardmeter({"map", "--cache", "32K,8", "--pair", exact, sampled});
  EXPECT_EQ(pair.status, 1);
  EXPECT_THAT(pair.err, HasSubstr("record it with --sizes, for all sets"));
}

TEST_F(Sizes, OfForkedProcessesAreAddedUp) {
  TemporaryFolder folder;
  const auto accesses_of = [&](const char* script) {
    std::string path = folder.file("perf.data");
    Outcome recorded =
        hardmeter(Words{"record", "-q", "-o", path} + soft_pmu() +
                  Words{"--sizes=64-64,1", "-e", "memory_moves", "-c", "100000", "--", "sh", "-c", script});
    EXPECT_EQ(recorded.status, 0) << recorded.err;
    SizeTable table = told(path);
    EXPECT_EQ(table.size(), 1u);
    return static_cast<double>(table[{64, 1}].accesses);
  };
  double one = accesses_of("(:)"), three = accesses_of("(:); (:); (:)");
  EXPECT_GT(three, one);
  EXPECT_LT(three, 1.5 * one) << "a child begins with nothing counted, not with what its parent has";
}

TEST_F(Sizes, WordsThatAreNoneAreRefused) {
  for (const char* words : {"--sizes=64", "--sizes=60-120,4", "--sizes=64-128,64", "--sizes=128-64,4",
                            "--sizes=1-65536,4", "--sizes=64-128,0", "--sizes=64,128-4",
                            "--sizes=64-128,4,4K", "--sizes=64-128,4:1-2,4", "--sizes=64-128,4:1-2,4,3K",
                            "--sizes=64-128,4:", "--sizes=1-1,1:1-1,1,4K:1-1,1,4K:1-1,1,4K:1-1,1,4K"}) {
    Outcome outcome = hardmeter({"record", words, "true"});
    EXPECT_EQ(outcome.status, 2) << words;
    EXPECT_THAT(outcome.err, HasSubstr("is not a range of cache sizes")) << words;
  }
  for (const char* words : {"--sizes=/3", "--sizes=/16", "--sizes=64-128,4/", "--sizes=32-128,4/8"}) {
    Outcome outcome = hardmeter({"record", words, "true"});
    EXPECT_EQ(outcome.status, 2) << words;
    EXPECT_THAT(outcome.err, HasSubstr("is not valid: give a power of two")) << words;
  }
  EXPECT_THAT(hardmeter({"record", "--sizes=64-128,4:1-2,4,4K/8", "true"}).err,
              HasSubstr("only if one range is given"));
  TemporaryFolder folder;
  std::string path = folder.file("perf.data");
  EXPECT_EQ(
      hardmeter(Words{"record", "-q", "-o", path} + soft_pmu() + Words{"-e", "memory_moves", "true"}).status,
      0);
  Outcome without = hardmeter({"map", "--sizes", "-i", path});
  EXPECT_EQ(without.status, 1);
  EXPECT_THAT(without.err, HasSubstr("record with --sizes"));
}

}  // namespace
}  // namespace hm::soft_pmu_test
