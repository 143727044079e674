// SPDX-License-Identifier: MIT
// One function from within: its source lines and its instructions, with the samples that fell on each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "profile/event_counts.h"
#include "profile/filter.h"
#include "profile/latencies.h"
#include "profile/profile.h"
#include "symbol/code/disassembly.h"
#include "symbol/resolver.h"

namespace hm::annotate {

struct Options {
  profile::FilterOptions filter;  // of the functions that pass, the one with the most samples is shown
  symbol::Syntax syntax = symbol::Syntax::kAtt;
  bool latencies = false;  // how long the accesses of each line and instruction waited
  bool inlines = true;     // lines of what is inlined; else of the function itself
  uint32_t context = 0;    // so many lines before and after each one with samples are told, too
};

struct Count {
  uint64_t samples = 0;
  std::optional<uint64_t> estimated;    // events: the sum of the periods
  std::optional<profile::Share> share;  // of the function's samples of this event
};

struct Line {
  std::string file;
  uint32_t line = 0;                          // 0: the debug information gives none; then `file` is empty
  std::optional<std::string> source;          // nullopt where the file cannot be read
  std::vector<Count> counts;                  // one for each of Annotation::events
  std::optional<profile::Latency> latency{};  // nullopt where not wanted or not recorded
};

struct Instruction {
  uint64_t address = 0;  // in the object
  std::string text;      // empty where the code cannot be read
  std::string file;      // of the innermost function inlined here, if these are told apart
  uint32_t line = 0;
  std::vector<Count> counts;
  std::optional<profile::Latency> latency{};
};

struct EventSummary {
  std::string name;
  uint64_t samples = 0;                 // in the function
  std::optional<uint64_t> estimated;    // in the function
  std::optional<profile::Share> share;  // of all the event's samples
};

struct OtherFunction {
  std::string function;
  std::string dso;
  uint64_t samples = 0;  // of all events
};

struct Annotation {
  std::vector<OtherFunction> others;  // that the filter lets through too, most samples first
  std::string function;
  std::string dso;
  uint64_t start = 0;  // address in the object
  uint64_t size = 0;
  std::vector<EventSummary> events;       // those that the filter lets through
  std::vector<Line> lines;                // that have samples, most first; then those around them
  std::vector<Instruction> instructions;  // by address; where the code cannot be read, those with samples
  std::optional<std::string> no_code;     // why the code cannot be read
  bool latencies = false;                 // as Options::latencies
};

// kNotFound where no sample is in such a function.
Result<Annotation> annotate(const profile::Profile& profile, const symbol::Resolver& resolver,
                            const Options& options);

}  // namespace hm::annotate
