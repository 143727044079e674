// SPDX-License-Identifier: MIT
// Which functions ran when: the samples, and the branches between them, as a series of times for each CPU,
// thread or process (Ono and others, a time series from branch records; 17 to 33 times as fine as the
// samples).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/timeline/axis.h"
#include "analysis/timeline/index.h"
#include "analysis/timeline/lanes.h"
#include "analysis/timeline/rates.h"
#include "analysis/timeline/ways.h"
#include "profile/missing_branches.h"

namespace hm::timeline {

// What of an event's history (history.h) is shown.
struct Window {
  By by = By::kThread;
  uint64_t from_ns = 0;  // since the first sample
  uint64_t to_ns = UINT64_MAX;
  size_t columns = 80;   // bins of the window
  uint64_t bin_ns = 0;   // not 0: how long a bin is, instead
  size_t functions = 8;  // the others are one; 0: all
  size_t lanes = 16;     // those with the most time; 0: all
  size_t samples = 0;    // how many samples of the window to tell one by one
  // Of all lanes, each bin's functions and events.
  size_t most_cells = size_t{1} << 26;
};

struct Function {
  enum class Kind { kCode, kUnknown, kIdle };  // that has a name; nothing is known of it; the idle task

  std::string name;
  std::string dso;
  double ns = 0;  // in the window
  Kind kind = Kind::kCode;
};

struct Bin {
  std::vector<float> ns;  // of each of Timeline::functions, and of all others; empty: nothing ran
};

// A CPU, thread or process.
struct Lane {
  std::string name;
  double ns = 0;  // that it ran in the window
  // Between its first and its last sample of the window, when none came for long. Not known of a process,
  // whose threads run at the same time.
  std::optional<double> idle_ns;
  std::vector<Bin> bins;
  std::vector<std::vector<double>> counts;  // of each of Timeline::counts, in each bin
};

// An event that is counted.
struct EventCount {
  std::string event;
  double all = 0;   // in the window, of all lanes
  double most = 0;  // in one bin of one lane
};

// One sample with its branches, oldest first: the functions that these left.
struct Moment {
  uint64_t time_ns = 0;  // since the first sample
  std::string lane;
  std::string function;
  struct Left {
    std::string function;
    bool is_new = false;
  };
  std::vector<Left> branches;
  bool ambiguous = false;  // which of them are new
};

struct Timeline {
  std::string event;
  Way way = Way::kNone;
  By by = By::kThread;
  uint64_t begin_ns = 0, end_ns = 0;  // the window, since the first sample
  uint64_t bin_ns = 0;
  Unit unit = Unit::kNanoseconds;  // of all times
  bool slowed = false;             // the software PMU ran the program, which took longer than natively
  // The event counts time: the clock, or cycles. Of others the time between samples says when they happened,
  // not how long the code ran.
  bool counts_time = true;
  uint64_t interval_ns = 0;                                       // of samples of a thread, the median
  profile::RecordedHalf recorded = profile::RecordedHalf::kBoth;  // of the branches; the rest is inferred
  PointCounts points;                                             // in the window
  std::vector<Function> functions;                                // most time first
  double other_ns = 0;
  std::vector<EventCount> counts;
  std::vector<Rate> rates;  // of each event, where asked for
  std::vector<Lane> lanes;  // most time first
  size_t all_lanes = 0;
  std::vector<Moment> moments;  // the first of the samples
};

}  // namespace hm::timeline
