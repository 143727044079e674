// SPDX-License-Identifier: MIT
// Which function of one build is which of another.
//
// Functions are the same if symbol::source_name() gives the same name; the clones of one are added up. A
// function that is inlined on one side and has rows of its own on the other gets its inlined parts as a row.
// What is left without a counterpart is paired by the file and line of its first instruction, or by the
// similarity of its code if it is alike enough and nothing else is nearly as much.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analysis/diff/recording.h"

namespace hm::diff {

struct MatchedSides {
  std::vector<Recording> before;
  std::vector<Recording> after;
  std::vector<std::string> notes;  // what was matched otherwise than by name: sentences
};

// Returns the recordings with rows whose functions are called alike on both sides. Recordings whose rows are
// not by function are returned as they are.
[[nodiscard]] MatchedSides match_functions(std::span<const Recording> before,
                                           std::span<const Recording> after);

// Whether inlined parts are known on both sides: a baseline of an older hardmeter has none.
[[nodiscard]] bool know_inlines(std::span<const Recording> before, std::span<const Recording> after);

}  // namespace hm::diff
