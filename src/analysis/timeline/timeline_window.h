// SPDX-License-Identifier: MIT
// Shows the functions that ran at each time, as a time series for each CPU, thread or process. The data are
// samples and the branches between samples (Ono and others, a time series from branch records; 17 to 33 times
// as fine as the samples).
//
// Quantities named `ns` in this folder are in the unit of the axis (profile/time_axis.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/timeline/index.h"
#include "analysis/timeline/lanes.h"
#include "analysis/timeline/rates.h"
#include "analysis/timeline/ways.h"
#include "profile/missing_branches.h"
#include "profile/time_axis.h"

namespace hm::timeline {

// The displayed window of an event's history (history.h).
struct Window {
  By by = By::kThread;
  uint64_t from_ns = 0;  // since the first sample
  uint64_t to_ns = UINT64_MAX;
  size_t columns = 80;   // number of bins in the window
  uint64_t bin_ns = 0;   // if not 0, the length of a bin; overrides `columns`
  size_t functions = 8;  // maximum number of separate functions, the others are combined; 0: all
  size_t lanes = 16;     // maximum number of lanes; the ones with the most time are kept; 0: all
  size_t samples = 0;    // maximum number of samples to list individually
  // Maximum number of cells: functions and events of each bin in all lanes.
  size_t max_cells = size_t{1} << 26;
};

struct Function {
  enum class Kind { kCode, kUnknown, kIdle };  // a named function; unknown code; the idle task

  std::string name;
  std::string dso;
  double ns = 0;  // in the window
  Kind kind = Kind::kCode;
};

struct Bin {
  std::vector<float> ns;  // time of each entry of Timeline::functions and of all others; empty: nothing ran
};

// A CPU, thread or process.
struct Lane {
  std::string name;
  double ns = 0;  // time for which the lane ran in the window
  // Time without samples between the first and the last sample in the window. nullopt for a process, because
  // its threads run concurrently.
  std::optional<double> idle_ns;
  std::vector<Bin> bins;
  std::vector<std::vector<double>> counts;  // for each entry of Timeline::counts, the count in each bin
  uint64_t samples = 0;                     // in the window
  std::optional<uint32_t> pid{};            // nullopt for a CPU
  std::string program{};                    // as in LaneName
};

// An event that is counted.
struct EventCount {
  std::string event;
  double all = 0;   // in the window, summed over all lanes
  double most = 0;  // maximum in one bin of one lane
};

// One sample with its branches, oldest first. A branch is given as the function that it left.
struct Moment {
  uint64_t time_ns = 0;  // since the first sample
  std::string lane;
  std::string function;
  struct Left {
    std::string function;
    bool is_new = false;
  };
  std::vector<Left> branches;
  bool ambiguous = false;  // the number of new branches is ambiguous
};

struct Timeline {
  std::string event;
  Way way = Way::kNone;
  By by = By::kThread;
  uint64_t begin_ns = 0, end_ns = 0;  // the window, since the first sample
  uint64_t bin_ns = 0;
  profile::TimeUnit unit = profile::TimeUnit::kNanoseconds;  // unit of all times
  bool slowed = false;                                       // the software PMU slowed the program down
  // True if the event counts time: the clock, or cycles. For other events, the time between samples shows
  // when the events happened, not how long the code ran.
  bool counts_time = true;
  uint64_t interval_ns = 0;  // median distance of a thread's samples
  profile::RecordedHalf recorded =
      profile::RecordedHalf::kBoth;  // recorded half of the branches; the other half is inferred
  PointCounts points;                // in the window
  std::vector<Function> functions;   // most time first
  double other_ns = 0;
  std::vector<EventCount> counts;
  std::vector<Rate> rates;  // one per event, if requested
  std::vector<Lane> lanes;  // most time first
  size_t all_lanes = 0;
  std::vector<Moment> moments;  // the first samples of the window
};

}  // namespace hm::timeline
