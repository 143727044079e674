// SPDX-License-Identifier: MIT
// What is said of one place that misses.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
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
  profile::Share share;  // of the place's samples whose class is known
};

// What was missed: an object and a field of it, as the texts of Profile::objects and fields.
struct ObjectShare {
  std::string object;
  std::string field;  // empty where not known
  uint64_t samples = 0;
  profile::Share share;  // of the place's samples
};

// Which level of memory answered (profile/data_source.h).
struct LevelShare {
  std::string level;
  uint64_t samples = 0;
  profile::Share share;  // of the samples that say
};

// How many other lines missed the first level from one miss of a line to its next, in the median: a cache
// that holds so many more of them would have hit.
struct Reuse {
  uint64_t lines = 0;
  bool at_least = false;  // it was that or more
  uint64_t line_bytes = kLineBytes;
};

// A source line, or an instruction where there are no lines.
struct Place {
  std::string function;  // of several, as a template's or where one is inlined, the one with the most samples
  std::string dso;
  std::string file;   // empty where the debug information gives no line
  uint32_t line = 0;  // 0: likewise
  // Of the instruction there with the most samples.
  uint64_t address = 0;     // in the object
  std::string instruction;  // empty where the code cannot be read

  uint64_t samples = 0;
  std::optional<uint64_t> estimated;    // events: the sum of the periods
  std::optional<profile::Share> share;  // of all the event's samples

  // From the place outwards, what it is inlined into at first; with lines. Most samples first.
  std::vector<callers::Caller> callers;
  std::vector<ClassShare> classes;  // most samples first; empty where none is known
  uint64_t unclassified = 0;        // samples
  // Of loads that waited for an older store, those whose store wrote elsewhere, to an address with the same
  // last 12 bits; nullopt where none is known to have waited.
  std::optional<profile::Share> aliases;
  // Of most of its misses, as samples of hardware tell it (class_estimate.h): also where the classes are
  // known. nullopt where too little is known to say.
  std::optional<ClassEstimate> estimate;
  std::vector<ObjectShare> objects;  // most samples first, the three with the most; empty where none is known
  Walk walk;
  std::optional<LineCoverage> coverage;     // nullopt where the code does not say
  std::optional<uint64_t> access_bytes;     // most samples' access; nullopt where not recorded
  std::optional<profile::Latency> latency;  // cycles
  // Mean cycles that an access waits for what the event is about: by the software PMU's cost model, of a
  // TLB's events for the translation, of others for the rest; of hardware, for all.
  std::optional<double> wait_cycles;
  std::vector<LevelShare> levels;  // that answered, most samples first; of the software PMU's samples empty
  uint64_t lines = 0;  // distinct ones that the samples touched: at least so many; 0 where not recorded
  uint64_t pages = 0;  // of 4 KiB, likewise
  std::optional<Reuse> reuse;  // nullopt where not recorded, as of what follows
  // What part of its misses would hit if the next line were fetched beside each that is missed, and of the
  // TLB's if pages were of 2 MiB; of those samples that tell.
  std::optional<profile::Share> next_line;
  std::optional<profile::Share> huge_pages;
  // Where most of its misses are for sharing: the line that was missed most, and who else uses it.
  std::optional<SharedLine> shared_line;
  std::optional<Advice> advice;
  std::optional<FieldOrder> order;  // where the advice is to split a type
};

}  // namespace hm::cause
