// SPDX-License-Identifier: MIT
// hardmeter and perf record the program `callers`, which keeps no frame pointers, with copies of the stack.
// The callers must be those that the program documents, and those that perf script finds, address by address.
// The software PMU's engines determine the callers while they record.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "base/shell_word.h"
#include "base/temporary_folder.h"
#include "profile/loader.h"
#include "record/reader.h"
#include "support/paths.h"
#include "symbol/file_resolver.h"

namespace hm::unwind_test {
namespace {

using profile::Profile;

// Innermost first: an object's name and an offset in it.
using Chain = std::vector<std::pair<std::string, uint64_t>>;

constexpr size_t kEnough = 200;  // minimum samples for a meaningful share

bool is_kernel_address(uint64_t address) { return address >> 63 != 0; }

// Returns the user part of the sample's chain, with callers `behind` bytes after their call's address.
Chain our_chain(const Profile& profile, size_t sample, uint64_t behind) {
  Chain chain;
  profile::Slice slice = profile.samples.chain_of(sample);
  for (uint32_t i = 0; i < slice.count; ++i) {
    const profile::Location& place = profile.locations[profile.samples.chain_locations[slice.offset + i]];
    std::string name(profile.dsos[place.dso].name());
    if (!name.starts_with("[kernel") && !is_kernel_address(place.offset))
      chain.emplace_back(name, place.offset + (chain.empty() ? 0 : behind));
  }
  return chain;
}

std::vector<std::string> functions_of(const Profile& profile, size_t sample) {
  std::vector<std::string> names;
  profile::Slice slice = profile.samples.chain_of(sample);
  for (uint32_t i = 0; i < slice.count; ++i) {
    uint32_t location = profile.samples.chain_locations[slice.offset + i];
    names.push_back(profile.functions[profile.locations[location].function].name);
  }
  return names;
}

// perf's frames are lines "ADDRESS (OBJECT)"; an empty line ends a sample. Omits kernel frames.
std::vector<Chain> perf_chains(const std::string& recording) {
  std::string out = recording + ".script";
  std::string command = "perf script --no-inline -F ip,dso -i " + recording + " >" + out + " 2>/dev/null";
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::ifstream lines(out);
  std::vector<Chain> chains;
  bool open = false;
  for (std::string line; std::getline(lines, line);) {
    size_t name = line.find('(');
    if (name == std::string::npos) {
      open = false;
      continue;
    }
    if (!open) chains.emplace_back();
    open = true;
    uint64_t address = std::stoull(line, nullptr, 16);
    std::string object = line.substr(name + 1, line.rfind(')') - name - 1);
    object.erase(0, object.rfind('/') + 1);
    if (!is_kernel_address(address)) chains.back().emplace_back(object, address);
  }
  return chains;
}

class StackCopies : public ::testing::Test {
 protected:
  // `recorder`: the command with its options, without the file and the program. Returns false if it cannot
  // record here. If it can record `true`, it must record the program.
  [[nodiscard]] bool record(const std::string& recorder) const {
    auto run = [&](const std::string& program) {
      return std::system((recorder + " -o " + path_ + " -- " + program + " >/dev/null 2>&1").c_str()) == 0;
    };
    if (!run("true")) return false;
    EXPECT_TRUE(run(shell_word(std::string(test_paths::kPrograms) + "/callers") + " 1"));
    return true;
  }

  [[nodiscard]] Profile load() const {
    auto reader = record::Reader::open(path_);
    EXPECT_TRUE(reader.ok());
    Result<Profile> profile = profile::load(*reader, symbol::FileResolver(), {.attribute_clock = false});
    EXPECT_TRUE(profile.ok());
    return *std::move(profile);
  }

  // If the caller is unknown, as on the last byte of the code that a signal's handler returns to, perf
  // guesses one. perf also cuts some chains of processes that another started. `behind`: perf shows callers
  // this number of bytes after their call's address.
  void expect_perfs_chains(uint64_t behind = 0) const {
    Profile profile = load();
    std::vector<Chain> perf = perf_chains(path_);
    ASSERT_EQ(perf.size(), profile.samples.size());
    ASSERT_GE(perf.size(), kEnough);
    size_t same = 0;
    for (size_t i = 0; i < perf.size(); ++i) same += our_chain(profile, i, behind) == perf[i] ? 1 : 0;
    EXPECT_GE(same * 100, perf.size() * 98) << same << " of " << perf.size();
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("perf.data");
};

const std::string kOurs = shell_word(test_paths::kHardmeter) + " record -e clock -F 1000 --call-graph dwarf";
const std::string kPerfs = "perf record -e cpu-clock -F 1000 --call-graph dwarf";

TEST_F(StackCopies, OfHardmeterGivePerfsChains) {
  if (!record(kOurs)) GTEST_SKIP() << "hardmeter cannot record the clock with copies of the stack here";
  expect_perfs_chains();
}

TEST_F(StackCopies, OfPerfGivePerfsChains) {
  if (!record(kPerfs)) GTEST_SKIP() << "perf cannot record cpu-clock with copies of the stack here";
  expect_perfs_chains();
}

// For any frames in between, the caller of `spin` determines which function `main` called.
void expect_known_callers(const Profile& profile) {
  std::map<std::string, std::map<std::string, size_t>> called_by_main;  // by the caller of spin
  for (size_t i = 0; i < profile.samples.size(); ++i) {
    std::vector<std::string> names = functions_of(profile, i);
    if (names.size() < 2 || names[0] != "spin") continue;
    auto main = std::ranges::find(names, "main");
    ++called_by_main[names[1]][main == names.end() ? "(no main)" : *(main - 1)];
  }
  const std::map<std::string, std::string> known{{"plain_inner", "plain_outer"},
                                                 {"sized_at_run_time", "sized_at_run_time"},
                                                 {"recursive", "recursive"},
                                                 {"compare", "sorting"},
                                                 {"on_signal", "signalled"}};
  EXPECT_EQ(called_by_main.size(), known.size());
  for (const auto& [caller, function] : known) {
    EXPECT_EQ(called_by_main[caller].size(), 1u) << caller;
    EXPECT_GE(called_by_main[caller][function], kEnough / 10) << caller;
  }
}

TEST_F(StackCopies, GiveTheCallersThatTheProgramHas) {
  if (!record(kOurs)) GTEST_SKIP() << "hardmeter cannot record the clock with copies of the stack here";
  expect_known_callers(load());
}

class SoftwarePmu : public StackCopies, public ::testing::WithParamInterface<const char*> {
 protected:
  [[nodiscard]] static std::string recorder() {
    return shell_word(test_paths::kHardmeter) + " record --pmu=soft --engine=" + GetParam() +
           " -e instr_retired -c 100000 -g";
  }
};

TEST_P(SoftwarePmu, FindsTheCallersThatTheProgramHas) {
  if (!record(recorder())) GTEST_SKIP() << "the engine " << GetParam() << " does not run here";
  expect_known_callers(load());
}

// perf shows return addresses in recorded chains.
TEST_P(SoftwarePmu, RecordsChainsThatPerfReads) {
  if (!record(recorder())) GTEST_SKIP() << "the engine " << GetParam() << " does not run here";
  expect_perfs_chains(1);
}

INSTANTIATE_TEST_SUITE_P(Engines, SoftwarePmu, ::testing::Values("direct", "valgrind"),
                         [](const auto& each) { return std::string(each.param); });

}  // namespace
}  // namespace hm::unwind_test
