// SPDX-License-Identifier: MIT
// Every kind of instruction that accesses memory, with the true counts that tests/programs/memory_kinds.S
// states.
#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include "measuring.h"

namespace hm::soft_pmu_test {
namespace {

constexpr const char* kEvents[] = {"memory_loads",    "memory_stores",      "l1_cache_miss",
                                   "l1_store_miss",   "split_load_retired", "split_load_miss",
                                   "split_store_miss"};
constexpr unsigned kTimes = 200;
// More accesses than those of preparations and of first rounds; far below kTimes.
constexpr uint64_t kOnce = 16;

struct Kind {
  std::string needs, engine, instruction;
  uint64_t counts[std::size(kEvents)];
};

std::vector<Kind> kinds() {
  std::istringstream in(run({program("memory_kinds")}).out);
  std::vector<Kind> list;
  for (Kind each; in >> each.needs;) {
    for (uint64_t& count : each.counts) in >> count;
    in >> each.engine >> std::ws;
    std::getline(in, each.instruction);
    list.push_back(each);
  }
  return list;
}

// Returns why the kind cannot be tested here; empty if it can.
std::string reason_to_skip(const Kind& kind) {
  if (kind.needs != "-" && !processor_has(kind.needs)) return "the processor has no " + kind.needs;
  // The engine counts an element that a broadcast with an empty mask does not load.
  if (kind.needs == "avx512bw" && ::getenv("HARDMETER_TEST_AVX512") == nullptr)
    return "kinds of AVX-512 have not all been right yet (HARDMETER_TEST_AVX512=1 tests them)";
  return kind.engine != "any" && kind.engine != engine() ? "the other engine counts it otherwise" : "";
}

Counts count_rounds(size_t kind, unsigned times) {
  std::string events;
  for (const char* each : kEvents) events += (events.empty() ? "" : ",") + std::string(each);
  return count({"-e", events, "--l1i", "none", "--l1d", "32768,8,64"},
               {program("memory_kinds"), std::to_string(kind), std::to_string(times)});
}

TEST(MemoryKinds, AreCountedAsTheyAccess) {
  std::vector<Kind> list = kinds();
  ASSERT_GE(list.size(), 243u);
  Counts others = count_rounds(0, 0);
  std::map<std::string, unsigned> skipped;
  for (size_t i = 0; i < list.size(); ++i) {
    std::string reason = reason_to_skip(list[i]);
    if (!reason.empty()) {
      ++skipped[reason];
      continue;
    }
    Counts counts = count_rounds(i, kTimes);
    for (size_t event = 0; event < std::size(kEvents); ++event) {
      EXPECT_NEAR(static_cast<double>(counts[kEvents[event]]),
                  static_cast<double>(others[kEvents[event]] + kTimes * list[i].counts[event]), kOnce)
          << list[i].instruction << ": " << kEvents[event] << ", " << kTimes << " times";
    }
  }
  for (const auto& [reason, count] : skipped)
    std::printf("%u kinds were not tested: %s\n", count, reason.c_str());
}

}  // namespace
}  // namespace hm::soft_pmu_test
