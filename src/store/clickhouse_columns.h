// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "store/batch.h"

namespace hm::store {

// "batch, time, host, ..."
[[nodiscard]] std::string column_names();
// "batch String, time DateTime, ..."
[[nodiscard]] std::string column_types();
// A line for each row: TabSeparated, as ClickHouse reads it. The first column is the batch.
[[nodiscard]] std::string tab_separated(const Batch& batch);

}  // namespace hm::store
