// SPDX-License-Identifier: MIT
// Why programs miss: for each hot place what class its misses are of, how it walks through memory, which
// pattern that is, and what a remedy would gain.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/cause/advice.h"
#include "analysis/cause/class_estimate.h"
#include "analysis/cause/contested_lines.h"
#include "analysis/cause/field_order.h"
#include "analysis/cause/shape.h"
#include "analysis/cause/shared_line.h"
#include "base/result.h"
#include "profile/event_counts.h"
#include "profile/filter.h"
#include "profile/profile.h"
#include "record/extension.h"
#include "symbol/resolver.h"

namespace hm::cause {

struct Options {
  profile::FilterOptions filter;
  size_t limit = 5;           // places of each event; 0: all
  double min_share = 0.01;    // of the event's samples: smaller places are left out
  uint64_t min_samples = 10;  // of a place, for advice: fewer say too little
};

// "compulsory", ...
[[nodiscard]] std::string_view name_of(record::MissClass miss_class);

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

  std::vector<ClassShare> classes;  // most samples first; empty where none is known
  uint64_t unclassified = 0;        // samples
  // Of most of its misses, as samples of hardware tell it (class_estimate.h): also where the classes are
  // known. nullopt where too little is known to say.
  std::optional<ClassEstimate> estimate;
  std::vector<ObjectShare> objects;  // most samples first, the three with the most; empty where none is known
  Walk walk;
  std::optional<uint64_t> access_bytes;  // most samples' access; nullopt where not recorded
  std::optional<double> latency_cycles;  // mean
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

struct EventCauses {
  std::string name;
  uint64_t samples = 0;
  std::optional<uint64_t> estimated;
  std::vector<Place> places;  // hottest first
  size_t all_places = 0;      // before the limits
};

struct Causes {
  std::vector<EventCauses> events;  // those that the filter lets through and that have samples
  ContestedLines contested;         // as many as places of each event
};

// kInvalidArgument where the filter names an unknown event.
Result<Causes> find_causes(const profile::Profile& profile, const symbol::Resolver& resolver,
                           const Options& options);

}  // namespace hm::cause
