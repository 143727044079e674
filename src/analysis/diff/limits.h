// SPDX-License-Identifier: MIT
// How much an event may grow: what a gate in CI asks.
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
  std::string spec;  // as written
  std::string event;
  std::optional<std::string> function;  // else the event's total
  bool per_thousand_instructions = false;
  bool relative = false;  // `growth` is a part of what was before; else absolute
  double growth = 0;
};

// EVENT[@FUNCTION][/kinst]:LIMIT, LIMIT is "2%" or "+5000". kInvalidArgument, one sentence.
[[nodiscard]] Result<Limit> parse_limit(std::string_view spec);

enum class Verdict {
  kWithin,
  kExceeded,
  kUntold,  // the interval of the growth has the limit inside
  kGone,    // the function is not in the program any more, nor anything like it
};

[[nodiscard]] std::string_view name_of(Verdict verdict);

struct Check {
  Limit limit;
  Verdict verdict = Verdict::kWithin;
  Estimate before, after;  // events, or events of every 1000 instructions
  Change change;
  bool from_samples = false;
  bool no_samples = false;  // of the function, on either side
};

// kInvalidArgument where a limit cannot be looked at: an event that not both sides have, a total that one run
// each cannot tell from noise, rows that are not by function.
[[nodiscard]] Result<Check> check_limit(const Limit& limit, const Side& before, const Side& after);

}  // namespace hm::diff
