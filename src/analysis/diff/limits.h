// SPDX-License-Identifier: MIT
// Limits on the growth of an event, for a gate in CI.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/diff/change.h"
#include "analysis/diff/side.h"
#include "base/result.h"

namespace hm::diff {

struct Limit {
  std::string spec;  // text from which the limit was parsed
  std::string event;
  std::optional<std::string> function;  // nullopt: the limit applies to the event's total
  bool per_thousand_instructions = false;
  bool relative = false;  // true: `growth` is a fraction of the value before; false: an absolute number
  double growth = 0;
};

// Parses EVENT[@FUNCTION][/kinst]:LIMIT, with a LIMIT of the form "2%" or "+5000". Fails with
// kInvalidArgument and a one-sentence message.
[[nodiscard]] Result<Limit> parse_limit(std::string_view spec);

enum class Verdict {
  kWithin,
  kExceeded,
  kUndetermined,  // undecided: the interval of the growth contains the limit
  kGone,          // neither the function nor a similar one is in the program any more
};

[[nodiscard]] std::string_view name_of(Verdict verdict);
// Returns true if the gate fails: the limit is exceeded, or its function is gone.
[[nodiscard]] bool is_violated(Verdict verdict);

struct Check {
  Limit limit;
  Verdict verdict = Verdict::kWithin;
  Estimate before, after;  // events, or events per 1000 instructions
  Change change;
  bool from_samples = false;
  bool partial = false;     // a side has samples of only a part of a run
  size_t runs = 1;          // of the side that has fewer
  bool no_samples = false;  // neither side has a sample in the function
};

// Fails with kInvalidArgument if the limit cannot be checked. Cases are an event missing on a side, a noisy
// total with one run per side, and rows that are not by function.
[[nodiscard]] Result<Check> check_limit(const Limit& limit, const Side& before, const Side& after);

}  // namespace hm::diff
