// SPDX-License-Identifier: MIT
#pragma once

struct sqlite3;

namespace hm::store {

// Adds the SQL function value_of(OBJECT, NAME) to the database. It returns the member of that name in a JSON
// object, a text or an integer, or NULL if it is missing. SQLite's own functions search all members for each
// row.
void add_value_of(sqlite3* database);

}  // namespace hm::store
