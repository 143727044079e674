// SPDX-License-Identifier: MIT
// Fewer rows that say the same less finely: of one measurement that is large, and of several that wait for a
// store that is away.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "store/batch.h"

namespace hm::agent {

// At most `most` rows, but for totals, which all stay. The places with the most samples stay; the others of a
// module become one of no address, and where these are too many those of a series one without a module. What
// is added up is the same before and after.
void coarsen(std::vector<store::Row>& rows, size_t most);

// One batch in place of several of one machine, oldest first, as if they were one measurement, made when the
// first one was: places and loads are added up. At least one; `id` is the new one's.
[[nodiscard]] store::Batch merge(const std::vector<store::Batch>& batches, std::string id);

}  // namespace hm::agent
