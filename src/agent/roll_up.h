// SPDX-License-Identifier: MIT
// Reduces the number of rows at the cost of detail: in one large measurement, and in several measurements
// that wait for an unreachable store.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "store/batch.h"

namespace hm::agent {

// Reduces the rows to at most `most`, besides totals, which all stay. Keeps the locations with the most
// samples and merges the other locations of a module into one without an address. If there are still too
// many, merges those of a series into one without a module. Sums do not change.
void coarsen(std::vector<store::Row>& rows, size_t most);

// Merges at least one batch of one machine, oldest first, into one batch with the ID `id`. The result looks
// like a single measurement at the time of the first: locations and loads are added up.
[[nodiscard]] store::Batch merge(const std::vector<store::Batch>& batches, std::string id);

}  // namespace hm::agent
