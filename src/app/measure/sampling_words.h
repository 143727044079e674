// SPDX-License-Identifier: MIT
// The words behind -c, -b, --call-graph and --sizes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/measure/options.h"
#include "pmu/linux/intent.h"

namespace hm::measure {

// Takes ns, us, ms or s off the word's end: in nanoseconds. nullopt where none is there.
[[nodiscard]] std::optional<uint64_t> take_time_unit(std::string_view& word);

struct Period {
  uint64_t events = 0;   // of a time, nanoseconds
  bool is_time = false;  // "100us": of clocks only
};
// nullopt where it is neither a number above 0 nor such a time.
[[nodiscard]] std::optional<Period> parse_period(std::string_view word);

// "5%" or "5": 0.05. nullopt for what is no percentage above 0 and up to 100.
[[nodiscard]] std::optional<double> parse_percent(std::string_view word);

// "any,call,ret,...": PERF_SAMPLE_BRANCH_* of perf_event_open(2), user and kernel mode as the sample's where
// the words do not say; nullopt for a word that is none.
[[nodiscard]] std::optional<uint64_t> kernel_branches(const std::string& list);
// soft::BranchFilter bits; nullopt for a word that only hardware knows.
[[nodiscard]] std::optional<uint32_t> soft_branches(const std::string& list);

struct CallGraph {
  linux_pmu::CallChains how = linux_pmu::CallChains::kNone;
  uint32_t stack_bytes = 0;  // of dwarf; 0: what is usual
};
// "fp", "dwarf", "dwarf,4096", "lbr" or nothing.
[[nodiscard]] std::optional<CallGraph> parse_call_graph(std::string_view words);
// What --call-graph says, or else -g: by copies of the stack, as most programs keep no frame pointers.
// 0: it is not wanted.
[[nodiscard]] uint64_t occupancy_ms_of(const SamplingOptions& options);

[[nodiscard]] CallGraph call_graph_of(const SamplingOptions& options);

// "64-32768,16": caches of so many sets, each number twice the one before, and of all ways up to 16; "true":
// the usual ones. A sentence in the error for all else.
[[nodiscard]] Result<model::SizeRanges> parse_sizes(std::string_view words);

// As a command line checks them: a sentence, or nothing where the word is right.
std::string check_period(std::string& word);
std::string check_percent(std::string& word);
std::string check_branches(std::string& list);
std::string check_occupancy(std::string& words);
std::string check_call_graph(std::string& words);
std::string check_ring(std::string& kib);

}  // namespace hm::measure
