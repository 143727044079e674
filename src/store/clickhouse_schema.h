// SPDX-License-Identifier: MIT
// The tables of a ClickHouse server, as SQL that version 18.16 takes and later ones do.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "store/address.h"

namespace hm::store {

// Each makes something where it is not there yet.
[[nodiscard]] std::vector<std::string> schema_statements(const Address& address);

// Says that the tables are of kSchemaVersion.
[[nodiscard]] std::string version_statement();

// For each day (since 1970) that has rows: the samples of its rows, of the hourly sums of services, and of
// those of all services. Sums are fewer where a server died between a batch's rows and their sums; they are
// more where old rows were forgotten.
[[nodiscard]] std::string days_question();

// Make the hourly sums of a day anew. What is inserted meanwhile may count twice.
[[nodiscard]] std::vector<std::string> rebuild_statements(uint64_t day);

}  // namespace hm::store
