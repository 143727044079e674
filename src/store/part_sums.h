// SPDX-License-Identifier: MIT
// What parts a row of places has: of which classes its misses are, which objects it accesses.
#pragma once

#include <string>
#include <vector>

#include "store/queries.h"

namespace hm::store {

struct PartSums {
  std::vector<std::string> keys;
  // Of what is known of the place: `load` is the count itself, so that a part's rate is its share.
  Group known;
  std::vector<Group> parts;  // one for each value; their batches are those of `known`
};

// Of each row with these keys: the sums where `part` is each of `values`, and where it is known at all.
// Of `rows` only, values of the keys each, where there are any.
[[nodiscard]] Result<std::vector<PartSums>> sum_parts(Store& store, const Selection& selection,
                                                      const std::vector<Key>& keys, Key part,
                                                      const std::vector<std::string>& values,
                                                      const std::vector<std::vector<std::string>>& rows);

}  // namespace hm::store
