// SPDX-License-Identifier: MIT
#pragma once

struct sqlite3;

namespace hm::store {

// Gives the database the SQL function value_of(OBJECT, NAME): what a JSON object's member of that name is, a
// text or an integer; NULL where it has none. SQLite's own functions look through all members for each row.
void add_value_of(sqlite3* database);

}  // namespace hm::store
