// SPDX-License-Identifier: MIT
// Both engines count the same events of real programs. The test compares the increase for additional work,
// because beginnings differ (Valgrind loads a library of its own into programs, and hides the vdso).
//
// Addresses differ between engines and have small effects: the direction of copy and compare loops depends on
// their operands' alignment, hashes depend on addresses, and so do conflicts for a set.
#include <gtest/gtest.h>

#include <fstream>

#include "measuring.h"
#include "plain_environment.h"

namespace hm::direct_test {
namespace {

using namespace soft_pmu_test;

using Added = std::map<std::string, Range>;

struct Tolerance {
  double share;
  uint64_t events;
};

constexpr Tolerance kOfWork = {0.0002, 200};
constexpr Tolerance kOfMisses = {0.02, 200};

const Words kCaches = {"--l1i", "32768,8,64", "--l1d", "32768,8,64", "--l2", "131072,32,64", "--l3", "none"};

Counts count_under(const std::string& engine, const Words& command) {
  choose_engine(engine);
  return count(Words{"-e", "branch_retired,memory_wait"} + kCaches, command);
}

class Engines : public WithPlainEnvironment {
 protected:
  static void SetUpTestSuite() {
    WithPlainEnvironment::SetUpTestSuite();
    ::setenv("LD_BIND_NOW", "1", 1);  // look up symbols at the beginning
  }

  // `bytes`: as in at_stack_places().
  static void compare(const Words& less, const Words& more, std::initializer_list<size_t> bytes = {1}) {
    if (!installed(less[0])) GTEST_SKIP() << "there is no " << less[0] << "; not compared";
    Added translated, copied;
    at_stack_places(bytes, [&] {
      add("valgrind", less, more, translated);
      add("direct", less, more, copied);
    });
    for (const char* event : {"instr_retired", "memory_loads", "memory_stores", "branch_retired"})
      expect_near(event, translated[event], copied[event], kOfWork);
    for (const char* event : {"l1_cache_miss", "l1_store_miss", "l2_cache_miss", "icache_miss"})
      expect_near(event, translated[event], copied[event], kOfMisses);
  }

  [[nodiscard]] std::string file(const std::string& name, const std::string& content) const {
    std::ofstream(folder_.file(name)) << content;
    return folder_.file(name);
  }

 private:
  static void add(const std::string& engine, const Words& less, const Words& more, Added& added) {
    Counts before = count_under(engine, less);
    for (auto [event, value] : count_under(engine, more)) added[event].add(value - before[event]);
  }

  static void expect_near(const std::string& event, const Range& translated, const Range& copied,
                          Tolerance allowed) {
    uint64_t apart = translated.least > copied.most   ? translated.least - copied.most
                     : copied.least > translated.most ? copied.least - translated.most
                                                      : 0;
    double most = allowed.share * static_cast<double>(translated.least) + static_cast<double>(allowed.events);
    EXPECT_LE(static_cast<double>(apart), most)
        << event << ": from " << translated.least << " and from " << copied.least;
  }

  TemporaryFolder folder_;
};

Words sqlite(int n) {
  return {"sqlite3", ":memory:",
          "create table t(a, b); with recursive n(i) as (select 1 union all select i + 1 from n where i < " +
              std::to_string(n) +
              ") insert into t select i * 7919 % 3001, i from n; create index x on t(a); "
              "select sum(b) from t where a > 1000;"};
}

std::string numbers(unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; ++i)
    text += std::to_string(i * 2654435761u % 1000003) + (i % 7 == 0 ? "\n" : " ");
  return text;
}

std::string functions(unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) {
    std::string name = std::to_string(i);
    text += "int f" + name + "(int n) { int s = " + name +
            "; for (int i = 0; i < n; i++) s += i * n; return s; }\n";
  }
  return text;
}

// Without a growing program break the C library maps memory for more than 8 MiB, and blocks have other
// addresses than natively.
TEST_F(Engines, LetTheProgramBreakGrow) {
  if (!installed("perl")) GTEST_SKIP() << "there is no perl; not tested";
  constexpr const char* kGrow = "my $b = syscall(12, 0); print syscall(12, $b + (64 << 20)) - $b";  // brk(2)
  for (const char* engine : {"valgrind", "direct"}) {
    Outcome outcome = hardmeter({"stat", "-o", "/dev/null", "--pmu=soft", std::string("--engine=") + engine,
                                 "--", "perl", "-e", kGrow});
    EXPECT_EQ(outcome.out, std::to_string(64 << 20)) << engine << outcome.err;
  }
}

TEST_F(Engines, CountTheSameOfSqlite) { compare(sqlite(1000), sqlite(2000)); }
TEST_F(Engines, CountTheSameOfBzip2) {
  compare({"bzip2", "-kc", file("less", numbers(5000))}, {"bzip2", "-kc", file("more", numbers(10000))});
}
TEST_F(Engines, CountTheSameOfACompiler) {
  Outcome where = run({"gcc", "-print-prog-name=cc1"});
  Words path = words_of(where.out);
  if (where.status != 0 || path.empty()) GTEST_SKIP() << "there is no gcc; not compared";
  Words compiler = {path[0], "-quiet", "-O1", "-o", "/dev/null"};
  compare(compiler + Words{file("less.c", functions(2))}, compiler + Words{file("more.c", functions(6))},
          {1, 1585, 2641});
}

}  // namespace
}  // namespace hm::direct_test
