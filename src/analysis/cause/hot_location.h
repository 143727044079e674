// SPDX-License-Identifier: MIT
// Results for one place that misses.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/callers/caller.h"
#include "analysis/cause/advice.h"
#include "analysis/cause/class_estimate.h"
#include "analysis/cause/field_order.h"
#include "analysis/cause/shape.h"
#include "analysis/cause/shared_line.h"
#include "profile/event_counts.h"
#include "profile/latencies.h"
#include "record/extension.h"

namespace hm::cause {

struct ClassShare {
  record::MissClass miss_class = record::MissClass::kNone;
  uint64_t samples = 0;
  profile::Share share;  // fraction of the place's classified samples
};

// The missed data: an object and one of its fields, with the texts of Profile::objects and Profile::fields.
struct ObjectShare {
  std::string object;
  std::string field;  // empty if unknown
  uint64_t samples = 0;
  profile::Share share;  // fraction of the place's samples
};

// Level of the memory hierarchy that served the accesses (profile/data_source.h).
struct LevelShare {
  std::string level;
  uint64_t samples = 0;
  profile::Share share;  // fraction of the samples with a data source
};

// Median stack distance: number of other lines that miss the first level between two misses of a line. A
// cache that holds this many more lines would have hit.
struct Reuse {
  uint64_t lines = 0;
  bool at_least = false;  // true if `lines` is a lower bound
  uint64_t line_bytes = kLineBytes;
};

// Why a place has neither reasons nor advice: they would be guesses, or not worth a change.
enum class TooLittle : uint8_t {
  kSamples,  // fewer than Options::min_samples
  kWaits,    // less than Options::min_waits of the program's waits for data
};

// Returns "samples" or "waits".
[[nodiscard]] constexpr std::string_view name_of(TooLittle what) {
  return what == TooLittle::kSamples ? "samples" : "waits";
}

// A source line, or an instruction if it has no line information.
struct HotLocation {
  // The function with the most samples if several, such as template instances, share the line.
  std::string function;           // as written: the innermost inlined one (profile::written_functions_at)
  std::string physical_function;  // the function with a symbol that contains the code
  std::string dso;
  std::string file;   // empty if the debug information has no line
  uint32_t line = 0;  // 0 if the debug information has no line
  // The instruction of the place with the most samples:
  uint64_t address = 0;     // address in the object file
  std::string instruction;  // disassembly; empty if the code cannot be read

  uint64_t samples = 0;
  std::optional<uint64_t> estimated;    // events: the sum of the sampling periods
  std::optional<profile::Share> share;  // fraction of all samples of the event

  // Callers from the place outwards, with lines, most samples first. Functions that the place is inlined into
  // come before its callers.
  std::vector<callers::Caller> callers;
  std::vector<ClassShare> classes;  // most samples first; empty if no class is known
  uint64_t unclassified = 0;        // samples without a class
  // Fraction of the loads blocked by an older store for which the store wrote to a different address with
  // equal lowest 12 bits. nullopt if no load is known to have waited.
  std::optional<profile::Share> aliases;
  // Class of most misses, estimated from hardware samples (class_estimate.h), even if `classes` is filled.
  // nullopt if the evidence is insufficient.
  std::optional<ClassEstimate> estimate;
  std::vector<ObjectShare> objects;  // the three with the most samples, in descending order; empty if unknown
  Walk walk;
  std::optional<LineCoverage> coverage;     // nullopt if the code does not determine it
  std::optional<uint64_t> access_bytes;     // most common access size; nullopt if not recorded
  std::optional<profile::Latency> latency;  // cycles
  // Mean cycles per event that the event accounts for: 1 for events that count cycles of waits. With the
  // software PMU's cost model: the translation time for TLB events, the rest for other events. With hardware:
  // the whole latency. nullopt if unknown, and for misses that the kernel caused: its time is not modelled.
  std::optional<double> wait_cycles;
  // Fractions of the program's modelled cycles, and of its cycles of waits for data, that the place's events
  // account for by wait_cycles. nullopt if the program's cycles were not measured, or wait_cycles is not set;
  // waits_share also for events that do not count misses of data.
  std::optional<double> cycles_share, waits_share;
  std::optional<TooLittle> too_little;  // if set, neither reasons nor advice are to be shown
  std::vector<LevelShare> levels;       // most samples first; empty for software PMU samples
  uint64_t lines = 0;                   // distinct lines touched by samples, a lower bound; 0 if not recorded
  uint64_t pages = 0;          // distinct 4 KiB pages touched by samples, a lower bound; 0 if not recorded
  std::optional<Reuse> reuse;  // nullopt if not recorded, as are the fields below
  // Fractions of misses that would hit if each miss also fetched the next line, or, for TLB misses, with 2
  // MiB pages. Relative to the samples that record the result.
  std::optional<profile::Share> next_line;
  std::optional<profile::Share> huge_pages;
  // Fraction of the misses that the kernel caused in system calls, on behalf of the program. nullopt: none.
  std::optional<profile::Share> by_kernel;
  // The most missed line and its users; set if sharing causes most of the misses.
  std::optional<SharedLine> shared_line;
  std::optional<Advice> advice;
  std::optional<FieldOrder> order;  // set if the advice is to split a type
};

}  // namespace hm::cause
