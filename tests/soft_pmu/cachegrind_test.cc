// SPDX-License-Identifier: MIT
// Cachegrind simulates the same first-level and last-level caches; misses agree within 0.1 % and a few dozen.
// What differs by definition:
//   an access over two lines of which both miss is two misses here and one there: so loads may be more here
//   by as many as split, and instruction fetches by 1 % (an instruction over two lines is a case of its own
//   for each of its lines); the store of a read-modify-write is a store here and part of the read there; its
//   line is there by then; what the tools put into the program's environment is not the same: a few lines of
//   its stack.
// The tools place mappings differently. So all caches have ways of one page: then only offsets in pages
// matter.
#include <gtest/gtest.h>

#include <fstream>

#include "measuring.h"
#include "plain_environment.h"

namespace hm::soft_pmu_test {
namespace {

constexpr const char* kL1i = "32768,8,64";
constexpr const char* kL1d = "32768,8,64";
constexpr const char* kLast = "131072,32,64";

struct Misses {
  uint64_t fetches = 0, loads = 0, stores = 0, last_level_loads = 0;
};

// The line "summary:" of cachegrind's file: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw.
Misses cachegrind(const Words& command) {
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
    return {value(2), value(5), value(8), value(6)};
  }
  ADD_FAILURE() << "cachegrind wrote no summary";
  return {};
}

// `more`: how many more there may be here, by definition.
void expect_near(const std::string& what, uint64_t ours, uint64_t theirs, uint64_t more) {
  uint64_t allowed = theirs / 1000 + 48;
  EXPECT_GE(ours + allowed, theirs) << what;
  EXPECT_LE(ours, theirs + allowed + more) << what;
}

class AgreesWithCachegrind : public WithPlainEnvironment {
 protected:
  static void compare(const Words& command) {
    if (!installed(command[0])) GTEST_SKIP() << "there is no " << command[0] << "; not compared";
    Misses theirs = cachegrind(command);
    Counts ours = count({"--l1i", kL1i, "--l1d", kL1d, "--l2", kLast, "--l3", "none"}, command);
    expect_near("instruction lines", ours["icache_miss"], theirs.fetches, theirs.fetches / 100);
    expect_near("loads, first level", ours["l1_cache_miss"], theirs.loads, ours["split_load_retired"]);
    expect_near("stores, first level", ours["l1_store_miss"], theirs.stores, 0);
    expect_near("loads, last level", ours["l2_cache_miss"], theirs.last_level_loads,
                ours["split_load_retired"]);
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

TEST_F(AgreesWithCachegrind, OnBzip2) {
  TemporaryFolder folder;
  std::ofstream text(folder.file("text"));
  for (unsigned i = 0; i < 20000; ++i) text << i * 2654435761u % 1000003 << (i % 7 == 0 ? "\n" : " ");
  text.close();
  compare({"bzip2", "-kc", folder.file("text")});
}

}  // namespace
}  // namespace hm::soft_pmu_test
