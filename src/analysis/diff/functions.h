// SPDX-License-Identifier: MIT
// Matches the functions of one build with those of another.
//
// Two functions match if symbol::source_name() returns equal names; the clones of a function are summed up.
// If a function is inlined on one side and has rows on the other, its inlined parts become a row. The
// remaining functions are paired by the file and line of their first instruction. Failing that, they are
// paired by code similarity, if one candidate is similar enough and clearly ahead of the others.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analysis/diff/diff_recording.h"

namespace hm::diff {

struct MatchedSides {
  std::vector<Recording> before;
  std::vector<Recording> after;
  std::vector<std::string> notes;  // sentences about matches that are not by name
};

// Returns the recordings with function names that agree between the sides. Returns recordings unchanged if
// their rows are not by function.
[[nodiscard]] MatchedSides match_functions(std::span<const Recording> before,
                                           std::span<const Recording> after);

// Returns true if both sides record inlined parts. Baselines of older versions of hardmeter do not.
[[nodiscard]] bool know_inlines(std::span<const Recording> before, std::span<const Recording> after);

}  // namespace hm::diff
