// SPDX-License-Identifier: MIT
// Splits rows of places into parts, by the class of their misses or by the accessed object.
#pragma once

#include <string>
#include <vector>

#include "store/queries.h"

namespace hm::store {

struct PartSums {
  std::vector<std::string> keys;
  // Sums where the part is known. `load` is the count itself, so that a part's rate is its share.
  Group known;
  std::vector<Group> parts;  // one for each value; their batches are those of `known`
};

// Returns, for each row with these keys, the sums for each of `values` of `part`, and the sums where `part`
// is known. If `rows` is not empty, returns only those rows, each given by its values of the keys.
[[nodiscard]] Result<std::vector<PartSums>> sum_parts(Store& store, const Selection& selection,
                                                      const std::vector<Key>& keys, Key part,
                                                      const std::vector<std::string>& values,
                                                      const std::vector<std::vector<std::string>>& rows);

}  // namespace hm::store
