// SPDX-License-Identifier: MIT
// The tables of a ClickHouse server, as SQL for versions 18.16 and later.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "store/store_address.h"

namespace hm::store {

// Returns statements that create missing tables and leave existing ones alone.
[[nodiscard]] std::vector<std::string> schema_statements(const Address& address);

// Returns the statement that records kSchemaVersion for the tables.
[[nodiscard]] std::string version_statement();

// Returns a query for each day (since 1970) with rows: the samples in its rows, in the hourly sums of
// services, and in those of all services. Sums are too low if a server died between a batch's rows and their
// sums, and too high if old rows were deleted.
[[nodiscard]] std::string days_question();

// Returns statements that rebuild the hourly sums of a day. Rows that are inserted meanwhile may count twice.
[[nodiscard]] std::vector<std::string> rebuild_statements(uint64_t day);

}  // namespace hm::store
