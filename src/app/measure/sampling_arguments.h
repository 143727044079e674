// SPDX-License-Identifier: MIT
// Parses the arguments of -c, -b, --call-graph and --sizes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/keep_symbols.h"
#include "app/measure/options.h"
#include "pmu/linux/intent.h"

namespace hm::measure {

// Removes ns, us, ms or s from the end of the word and returns the unit in nanoseconds; nullopt if there is
// none.
[[nodiscard]] std::optional<uint64_t> take_time_unit(std::string_view& word);

struct Period {
  uint64_t events = 0;   // nanoseconds if is_time
  bool is_time = false;  // as in "100us"; only for clocks
};
// Returns nullopt if the word is neither a number above 0 nor a time above 0.
[[nodiscard]] std::optional<Period> parse_period(std::string_view word);

// Converts "5%" or "5" to 0.05. Returns nullopt for anything but a percentage above 0 and up to 100.
[[nodiscard]] std::optional<double> parse_percent(std::string_view word);

// Converts "any,call,ret,..." to PERF_SAMPLE_BRANCH_* bits of perf_event_open(2). The modes are those of the
// sample if the words name none. Returns nullopt for an unknown word.
[[nodiscard]] std::optional<uint64_t> kernel_branches(const std::string& list);
// Returns soft::BranchFilter bits; nullopt for a word that only hardware supports.
[[nodiscard]] std::optional<uint32_t> soft_branches(const std::string& list);

struct CallGraph {
  linux_pmu::CallChains how = linux_pmu::CallChains::kNone;
  uint32_t stack_bytes = 0;  // for dwarf; 0: the default
};
// Parses "fp", "dwarf", "dwarf,4096", "lbr" or "".
[[nodiscard]] std::optional<CallGraph> parse_call_graph(std::string_view words);
// Returns the interval of occupancy readings in ms; 0 if they are not requested.
[[nodiscard]] uint64_t occupancy_ms_of(const SamplingOptions& options);

// Returns the method of --call-graph, or for -g copies of the stack, because most programs keep no frame
// pointers.
[[nodiscard]] CallGraph call_graph_of(const SamplingOptions& options);

[[nodiscard]] app::KeepSymbols keep_symbols_of(const SamplingOptions& options);

// Parses "64-32768,16": caches with 64 to 32768 sets, in powers of two, and with up to 16 ways; "true" is the
// default. Fails with a one-sentence error for other texts.
[[nodiscard]] Result<model::SizeRanges> parse_sizes(std::string_view words);

// Validators for a command line: return an error sentence, or an empty string if the word is valid.
std::string check_period(std::string& word);
std::string check_percent(std::string& word);
std::string check_branches(std::string& list);
std::string check_occupancy(std::string& words);
std::string check_call_graph(std::string& words);
std::string check_ring(std::string& kib);

}  // namespace hm::measure
