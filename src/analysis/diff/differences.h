// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "analysis/diff/side.h"
#include "analysis/diff/side_description.h"

namespace hm::diff {

// What the recordings of a side have in common; several values of one thing are joined.
[[nodiscard]] RecordingSide describe(const Side& side);

// What should be equal on both sides, and within each, for numbers to be compared.
[[nodiscard]] std::vector<Difference> find_differences(const Side& before, const Side& after);

[[nodiscard]] std::vector<std::string> find_notes(const Side& before, const Side& after);

// How the processors of the sides differ, if they do: a sentence that names them. Libraries choose their code
// by the processor, so that counts differ without a change of the program.
[[nodiscard]] std::optional<std::string> processor_difference(const Side& before, const Side& after);

}  // namespace hm::diff
