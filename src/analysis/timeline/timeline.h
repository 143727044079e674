// SPDX-License-Identifier: MIT
// Which functions ran when: the samples, and the branches between them, as a series of times for each CPU,
// thread or process (Ono and others, a time series from branch records; 17 to 33 times as fine as the
// samples).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/timeline/ways.h"
#include "base/result.h"
#include "profile/filter.h"
#include "profile/profile.h"

namespace hm::timeline {

enum class By { kThread, kProcess, kCpu };
[[nodiscard]] std::string_view name_of(By by);
[[nodiscard]] std::optional<By> by_named(std::string_view name);

struct Options {
  profile::FilterOptions filter;  // where it names no event, that with the most samples
  Way way = Way::kDwell;
  By by = By::kThread;
  uint64_t from_ns = 0;  // since the first sample
  uint64_t to_ns = UINT64_MAX;
  size_t columns = 80;   // bins of the window
  uint64_t bin_ns = 0;   // not 0: how long a bin is, instead
  size_t functions = 8;  // the others are one; 0: all
  size_t lanes = 16;     // those with the most time; 0: all
  size_t samples = 0;    // how many samples of the window to tell one by one
};

struct Function {
  std::string name;
  std::string dso;
  double ns = 0;  // in the window
};

struct Bin {
  std::vector<float> ns;  // of each of Timeline::functions, and of all others; empty: nothing ran
};

// A CPU, thread or process.
struct Lane {
  std::string name;
  double ns = 0;  // that it ran in the window
  std::vector<Bin> bins;
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
  bool slowed = false;       // the software PMU ran the program, which took longer than natively
  uint64_t interval_ns = 0;  // of samples of a thread, the median
  uint64_t samples = 0;      // in the window, as what follows
  uint64_t branches = 0;     // in their stacks
  uint64_t new_branches = 0;
  uint64_t ambiguous = 0;           // samples of which it cannot be told which are new
  double idle_ns = 0;               // of threads between their first and last sample, when none came for long
  std::vector<Function> functions;  // most time first
  double other_ns = 0;
  std::vector<Lane> lanes;  // most time first
  size_t all_lanes = 0;
  std::vector<Moment> moments;  // the first of the samples
};

// kNotFound where no sample that the filter lets through has a time, or the window has none, or CPUs are
// asked for and were not recorded; kInvalidArgument where the filter names an unknown event, or the window
// ends before it begins, or has more than 100,000 bins.
[[nodiscard]] Result<Timeline> find_timeline(const profile::Profile& profile, const Options& options);

}  // namespace hm::timeline
