// SPDX-License-Identifier: MIT
#include "view/text/verdict_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "view/text/format.h"

namespace hm::text {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

totals::Verdict half_waits() {
  totals::Verdict verdict;
  verdict.memory = 0.5;
  verdict.of_memory = {{"dram_wait", "memory", 0.25}, {"l2_wait", "L2", 0.25}};
  verdict.fetch = 0.0001;
  verdict.branches = 0.125;
  verdict.misses = {{"L1", 12.5}, {"L2", 3}};
  verdict.instructions_per_cycle = 0.8;
  verdict.costs = record::CostSource::kCalibrated;
  return verdict;
}

TEST(VerdictText, SaysWhatAllWaitsAreWorth) {
  EXPECT_EQ(verdict_lines(half_waits(), ""),
            "memory waits: 50.0% of the modelled cycles. Removing all of them would save at\n"
            "  most that.\n"
            "  |MMMMMMMMMMMMMMMMMMM2222222222222222222bbbbbbbbbb............................|\n"
            "  M memory 25.0%, 2 L2 25.0%, b branches 12.5%, . no wait 37.5%\n"
            "  misses of loads per 1000 instructions: 12.50 L1, 3.00 L2; 0.80 instructions a\n"
            "  cycle\n");
}

TEST(VerdictLines, FitInANarrowTerminal) {
  constexpr size_t kColumns = 40;
  std::istringstream lines(verdict_lines(half_waits(), "# ", kColumns));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), kColumns) << line;
}

TEST(VerdictText, EveryLineHasThePrefixAndFits) {
  totals::Verdict verdict = half_waits();
  verdict.of_memory = {{"dram_wait", "memory", 0.2},
                       {"l2_wait", "L2", 0.1},
                       {"l3_wait", "L3", 0.1},
                       {"peer_wait", "other cores", 0.1},
                       {"tlb_wait", "TLB", 0.1}};
  verdict.costs = record::CostSource::kStated;
  std::string text = verdict_lines(verdict, "# ");
  for (size_t begin = 0; begin < text.size();) {
    size_t end = text.find('\n', begin);
    std::string line = text.substr(begin, end - begin);
    EXPECT_TRUE(line.starts_with("# ")) << line;
    EXPECT_LE(line.size(), 80u) << line;
    begin = end + 1;
  }
}

TEST(VerdictText, SaysWhoseCostsTheseAre) {
  totals::Verdict verdict = half_waits();
  EXPECT_THAT(verdict_lines(verdict, ""), Not(HasSubstr("typical")));
  verdict.costs = record::CostSource::kTypical;
  EXPECT_THAT(verdict_lines(verdict, ""),
              HasSubstr("50.0% of the modelled cycles, at the costs of a typical"));
  verdict.costs = record::CostSource::kStated;
  EXPECT_THAT(verdict_lines(verdict, ""), HasSubstr("by stated latencies"));
  EXPECT_THAT(verdict_lines(verdict, ""), Not(HasSubstr("save at most")));
}

TEST(VerdictText, SaysThatTheKernelIsNotInIt) {
  totals::Verdict verdict = half_waits();
  verdict.unseen_kernel = 0.05;
  EXPECT_THAT(verdict_lines(verdict, ""), Not(HasSubstr("kernel")));
  verdict.unseen_kernel = 0.06;
  EXPECT_THAT(verdict_lines(verdict, ""), HasSubstr("6.0% of the CPU time"));
}

TEST(VerdictText, SaysIfWaitsForInstructionsAreLarger) {
  totals::Verdict verdict = half_waits();
  EXPECT_THAT(verdict_lines(verdict, ""), Not(HasSubstr("take more")));
  verdict.fetch = 0.6;
  EXPECT_THAT(verdict_lines(verdict, ""), HasSubstr("Waits for instructions take more: 60.0%."));
}

TEST(VerdictText, InOneLineHasNoVanishingParts) {
  totals::Verdict verdict = half_waits();
  verdict.costs = record::CostSource::kTypical;
  verdict.of_memory.push_back({"l3_wait", "L3", 0.0001});
  EXPECT_EQ(verdict_line(verdict),
            "memory waits: 50.0% of the modelled cycles (typical costs): memory 25.0%, L2 25.0%\n");
}

TEST(VerdictText, AnEstimateHasItsInterval) {
  totals::Verdict verdict = half_waits();
  EXPECT_THAT(verdict_lines(verdict, ""), Not(HasSubstr("±")));
  verdict.error = 0.021;
  EXPECT_THAT(verdict_lines(verdict, ""), HasSubstr("50.0% ±2.1 of"));
}

TEST(VerdictText, WithoutAWaitInTheBurstsHasNoShare) {
  totals::Verdict verdict;
  verdict.in_bursts = true;
  verdict.unseen = 0.0039;
  std::string text = verdict_lines(verdict, "");
  EXPECT_THAT(text, HasSubstr("memory waits: none seen in the bursts. A phase of less than 0.39 % of the"));
  EXPECT_THAT(text, Not(HasSubstr(" 0.0%")));
}

TEST(VerdictText, SharesThatExceedTheWholeKeepTheBarsWidth) {
  totals::Verdict verdict = half_waits();
  verdict.of_memory = {{"dram_wait", "memory", 0.9}, {"l2_wait", "L2", 0.9}};
  std::string text = verdict_lines(verdict, "");
  size_t begin = text.find('|');
  EXPECT_EQ(text.find('|', begin + 1) - begin, 77u);
}

}  // namespace
}  // namespace hm::text
