// SPDX-License-Identifier: MIT
// Cachegrind simulates the same first-level and last-level caches; misses agree within 0.1 % and a few dozen.
// If an access or instruction across two lines misses both, hardmeter counts two misses and cachegrind one.
// The comparison therefore subtracts split_load_miss, split_store_miss and split_fetch_miss. The few dozen
// are the tools' additions to the program's environment: a few lines of its stack. The tools place mappings
// differently. All caches therefore have ways of one page: then only offsets in pages matter.
#include <gtest/gtest.h>

#include <fstream>

#include "measuring.h"
#include "plain_environment.h"

namespace hm::soft_pmu_test {
namespace {

constexpr const char* kL1i = "32768,8,64";
constexpr const char* kL1d = "32768,8,64";
constexpr const char* kLast = "131072,32,64";

// Valgrind loads a library of its own into every program, which the other engine does not.
const uint64_t kMissesOfValgrindsLibrary = engine() == "valgrind" ? 0 : 200;

struct Misses {
  Range fetches, loads, stores, last_level_loads;
};

// Reads the line "summary:" of cachegrind's file: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw.
void add_cachegrind(const Words& command, Misses& misses) {
  TemporaryFolder folder;
  std::string path = folder.file("cachegrind.out");
  Words options = {"--tool=cachegrind",
                   "--cache-sim=yes",
                   "--vex-guest-chase=no",
                   "--run-libc-freeres=no",
                   "--run-cxx-freeres=no",
                   std::string("--I1=") + kL1i,
                   std::string("--D1=") + kL1d,
                   std::string("--LL=") + kLast,
                   "--cachegrind-out-file=" + path};
  Outcome outcome = run(Words{"valgrind"} + options + command);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("summary:")) continue;
    Words words = words_of(line);
    const auto value = [&](size_t i) { return std::stoull(words.at(i)); };
    misses.fetches.add(value(2));
    misses.loads.add(value(5));
    misses.stores.add(value(8));
    misses.last_level_loads.add(value(6));
    return;
  }
  ADD_FAILURE() << "cachegrind wrote no summary";
}

// If both lines of an access miss, it counts as one miss, as in cachegrind.
void add_ours(const Words& command, Misses& misses) {
  // Cachegrind does not see what system calls do.
  Counts ours =
      count({"--no-syscall-memory", "--l1i", kL1i, "--l1d", kL1d, "--l2", kLast, "--l3", "none"}, command);
  misses.fetches.add(ours["icache_miss"] - ours["split_fetch_miss"]);
  misses.loads.add(ours["l1_cache_miss"] - ours["split_load_miss"]);
  misses.stores.add(ours["l1_store_miss"] - ours["split_store_miss"]);
  misses.last_level_loads.add(ours["l2_cache_miss"]);
}

template <typename Add>
Misses misses_of(const Words& command, std::initializer_list<size_t> bytes, Add&& add) {
  Misses misses;
  at_stack_places(bytes, [&] { add(command, misses); });
  return misses;
}

void expect_near(const std::string& what, const Range& ours, const Range& theirs) {
  uint64_t allowed = theirs.most / 1000 + 48 + kMissesOfValgrindsLibrary;
  EXPECT_GE(ours.most + allowed, theirs.least) << what;
  EXPECT_LE(ours.least, theirs.most + allowed) << what;
}

class AgreesWithCachegrind : public WithPlainEnvironment {
 protected:
  static void compare(const Words& command) {
    if (!installed(command[0])) GTEST_SKIP() << "there is no " << command[0] << "; not compared";
    Misses theirs = misses_of(command, {1, 529, 1057, 1585, 2113, 2641, 3169, 3697}, add_cachegrind);
    Misses ours = misses_of(command, {1, 1585, 2641}, add_ours);
    expect_near("instruction lines", ours.fetches, theirs.fetches);
    expect_near("loads, first level", ours.loads, theirs.loads);
    expect_near("stores, first level", ours.stores, theirs.stores);
    expect_near("loads, last level", ours.last_level_loads, theirs.last_level_loads);
  }
};

TEST_F(AgreesWithCachegrind, OnPerl) {
  compare({"perl", "-e", "my %h; $h{$_ * 7919 % 10007} .= $_ for 1..5000; print scalar(keys %h)"});
}

TEST_F(AgreesWithCachegrind, OnSqlite) {
  compare(
      {"sqlite3", ":memory:",
       "create table t(a, b); with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000) "
       "insert into t select i * 7919 % 3001, i from n; create index x on t(a); "
       "select sum(b) from t where a > 1000;"});
}

std::string numbers(unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; ++i)
    text += std::to_string(i * 2654435761u % 1000003) + (i % 7 == 0 ? "\n" : " ");
  return text;
}

// Programs that read a file of numbers.
struct Reading {
  const char* name;
  Words command;
  unsigned numbers;
};

void PrintTo(const Reading& reading, std::ostream* out) { *out << reading.name; }

class AgreesWithCachegrindReading : public AgreesWithCachegrind,
                                    public ::testing::WithParamInterface<Reading> {};

TEST_P(AgreesWithCachegrindReading, Numbers) {
  TemporaryFolder folder;
  std::ofstream(folder.file("text")) << numbers(GetParam().numbers);
  compare(GetParam().command + Words{folder.file("text")});
}

// Excludes Python and compilers: their behaviour depends slightly on the addresses of their objects.
INSTANTIATE_TEST_SUITE_P(
    Programs, AgreesWithCachegrindReading,
    ::testing::Values(
        Reading{"bzip2", {"bzip2", "-kc"}, 20000}, Reading{"gzip", {"gzip", "-kc"}, 20000},
        Reading{"xz", {"xz", "-kc", "-T1", "-1"}, 5000},
        Reading{"awk", {"mawk", "{ for (i = 1; i <= NF; i++) n[$i % 997]++ } END { print n[1] }"}, 20000},
        Reading{"grep", {"grep", "-cE", "(7|3)+1.*9"}, 5000},
        Reading{"sed", {"sed", "-E", "s/([0-9])7/7\\1/g;s/3+/three/g"}, 5000},
        Reading{
            "dash", {"dash", "-c", "n=0; while read -r line; do n=$((n + 1)); done <\"$0\"; echo $n"}, 2000},
        Reading{"od", {"od", "-An", "-tx1"}, 5000}),
    [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace hm::soft_pmu_test
