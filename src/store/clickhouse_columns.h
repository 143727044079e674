// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "store/batch.h"

namespace hm::store {

// Returns "batch, time, host, ...".
[[nodiscard]] std::string column_names();
// Returns "batch String, time DateTime, ...".
[[nodiscard]] std::string column_types();
// Returns a line for each row in ClickHouse's TabSeparated format. The first column is the batch.
[[nodiscard]] std::string tab_separated(const Batch& batch);

}  // namespace hm::store
