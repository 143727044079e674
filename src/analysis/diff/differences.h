// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "analysis/diff/side.h"
#include "analysis/diff/side_description.h"

namespace hm::diff {

// Returns the properties of a side. If its recordings have different values of a property, the values are
// joined.
[[nodiscard]] RecordingSide describe(const Side& side);

// Lists the properties that should be equal on both sides, and within each side, but differ.
[[nodiscard]] std::vector<Difference> find_differences(const Side& before, const Side& after);

[[nodiscard]] std::vector<std::string> find_notes(const Side& before, const Side& after);

// Returns a sentence about the difference of the sides' processors, or nullopt if the processors are equal.
// Libraries choose code paths by processor, so that counts differ without a change of the program.
[[nodiscard]] std::optional<std::string> processor_difference(const Side& before, const Side& after);

}  // namespace hm::diff
