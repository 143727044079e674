// SPDX-License-Identifier: MIT
// Annotates one function: its source lines and its instructions, with the samples that fell on each.
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
  profile::FilterOptions filter;  // functions to consider; the one with the most samples is annotated
  symbol::Syntax syntax = symbol::Syntax::kAtt;
  bool latencies = false;  // also report the access latencies of each line and instruction
  bool inlines = true;     // true: lines of inlined functions; false: lines of the enclosing function
  uint32_t context = 0;    // number of source lines to add before and after each line with samples
};

struct Count {
  uint64_t samples = 0;
  std::optional<uint64_t> estimated;    // events: the sum of the sampling periods
  std::optional<profile::Share> share;  // fraction of the function's samples of this event
};

struct Line {
  std::string file;
  uint32_t line = 0;                          // 0 and an empty `file` if the debug information has no line
  std::optional<std::string> source;          // nullopt if the file cannot be read
  std::vector<Count> counts;                  // one entry per entry of Annotation::events
  std::optional<profile::Latency> latency{};  // nullopt if not requested or not recorded
};

struct Instruction {
  uint64_t address = 0;  // address in the object file
  std::string text;      // disassembly; empty if the code cannot be read
  std::string file;      // source file; of the innermost inlined function if Options::inlines is set
  uint32_t line = 0;
  std::vector<Count> counts;
  std::optional<profile::Latency> latency{};
};

struct EventSummary {
  std::string name;
  uint64_t samples = 0;                 // samples in the function
  std::optional<uint64_t> estimated;    // estimated events in the function
  std::optional<profile::Share> share;  // fraction of all samples of the event
};

// A source file that is not at the path in the debug information.
struct MovedSource {
  std::string file;      // as in Line::file
  std::string path;      // where it is on this machine
  bool guessed = false;  // by a part of the path: it may be another file
};

// A source file that is missing, or may be another version than the compiled one.
struct DoubtfulSource {
  std::string file;     // as in Line::file
  std::string problem;  // "not found ..."
};

struct OtherFunction {
  std::string function;
  std::string file;  // source file that distinguishes it from others (profile::distinct_files())
  std::string dso;
  uint64_t samples = 0;      // samples of all events that pass the filter
  std::string short_file{};  // end of `file` that the files of the other functions do not have
};

struct Annotation {
  std::vector<OtherFunction> others;  // other functions that match the filter, most samples first
  std::string function;
  std::string inlined;  // the function that the filter names if it is inlined into `function`; else empty
  std::string file;     // source file of the function if `others` has functions of its name; empty otherwise
  std::string short_file;  // as OtherFunction::short_file
  std::string dso;
  uint64_t start = 0;  // address in the object file
  uint64_t size = 0;
  std::vector<EventSummary> events;  // events that pass the filter
  std::vector<Line> lines;           // lines with samples, most samples first, then their context lines
  std::vector<Instruction>
      instructions;  // by address; only instructions with samples if the code cannot be read
  std::vector<MovedSource> moved_sources;        // of the lines
  std::vector<DoubtfulSource> doubtful_sources;  // of the lines, the hottest first
  std::optional<std::string> no_code;            // reason why the code cannot be read
  bool latencies = false;                        // copy of Options::latencies
};

// Fails with kNotFound if no sample is in a function that passes the filter.
Result<Annotation> annotate(const profile::Profile& profile, const symbol::Resolver& resolver,
                            const Options& options);

}  // namespace hm::annotate
