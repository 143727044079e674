// SPDX-License-Identifier: MIT
// A program's memory is at the addresses of a native run (programs/addresses.c). Which lines and pages share
// a set depends on them: two layouts differ by a quarter of a program's TLB misses.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <sstream>
#include <string>

#include "base/json.h"

#include "measuring.h"
#include "plain_environment.h"

namespace hm::soft_pmu_test {
namespace {

class Layout : public WithPlainEnvironment {
 protected:
  void SetUp() override {
    if (engine() != "direct") GTEST_SKIP() << "Valgrind places a program's memory itself; not tested with it";
    native_ = run({program("addresses")}).out;
    ASSERT_NE(native_, "");
    if (native_ != run({program("addresses")}).out) GTEST_SKIP() << "addresses are random here; not tested";
  }
  static std::string under_hardmeter(const Words& options) {
    return hardmeter(Words{"stat"} + soft_pmu() + options + Words{"--", program("addresses")}).out;
  }
  std::string native_;
};

TEST_F(Layout, IsThatOfANativeRun) { EXPECT_EQ(under_hardmeter({}), native_); }

TEST_F(Layout, IsThatOfANativeRunInBursts) {
  EXPECT_EQ(under_hardmeter({"--detail=bursts", "--burst-slots=2000", "--gap-slots=20000"}), native_);
}

TEST_F(Layout, IsThatOfANativeRunWhenOnlyInstructionsAreCounted) {
  EXPECT_EQ(under_hardmeter({"-e", "instr_retired"}), native_);
}

// Lines of "what 0xaddress".
std::map<std::string, uint64_t> addresses_in(const std::string& text) {
  std::map<std::string, uint64_t> addresses;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    size_t number = line.rfind("0x");
    if (number != std::string::npos)
      addresses[line.substr(0, number)] = std::stoull(line.substr(number), nullptr, 16);
  }
  return addresses;
}

TEST_F(Layout, WithANumberIsAnother) {
  auto native = addresses_in(native_), other = addresses_in(under_hardmeter({"--layout=7"}));
  ASSERT_EQ(other.size(), native.size());
  EXPECT_EQ(other["function "], native["function "]) << "of the program, which is where it was";
  for (const char* what :
       {"function of the C library ", "stack ", "small block ", "large block ", "heap's end ", "last "})
    EXPECT_NE(other[what], native[what]) << what;
  for (const auto& [what, address] : other)
    EXPECT_EQ(address % 4, native[what] % 4) << what << " is aligned as before";
}

TEST_F(Layout, OfANumberIsTheSameInEachRun) {
  std::string first = under_hardmeter({"--layout=7"});
  EXPECT_EQ(under_hardmeter({"--layout=7"}), first);
  EXPECT_NE(under_hardmeter({"--layout=8"}), first);
}

TEST_F(Layout, OfAReproducibleRunIsAnother) {
  std::string usual = under_hardmeter({"--reproducible"});
  std::string other = under_hardmeter({"--reproducible", "--layout=7"});
  EXPECT_NE(other, usual);
  EXPECT_EQ(under_hardmeter({"--reproducible", "--layout=7"}), other);
}

TEST_F(Layout, CountsOfSeveralAreMediansWithRanges) {
  Words command = Words{"stat", "--layouts=3", "--json", "-o", "-", "-e", "dtlb_load_miss"} + soft_pmu() +
                  Words{"--", program("addresses")};
  std::string text = hardmeter(command).out;
  nlohmann::json json = nlohmann::json::parse(text.substr(text.find("{\n")));
  EXPECT_EQ(json["layouts"]["count"], 3);
  const nlohmann::json& range = json["layouts"]["totals"]["dtlb_load_miss"];
  EXPECT_LT(range["lowest"], range["highest"]) << "the sets of the TLB are used differently";
  EXPECT_LE(range["lowest"], json["totals"]["dtlb_load_miss"]);
  EXPECT_LE(json["totals"]["dtlb_load_miss"], range["highest"]);
}

}  // namespace
}  // namespace hm::soft_pmu_test
