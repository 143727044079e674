// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.h"
#include "store/sqlite_database.h"

namespace hm::store {

// Creates or upgrades the tables to kSchemaVersion in one transaction. Fails with kUnsupported if they are of
// a later version or of another program.
Status make_schema(Database& database);

// Fails with kUnsupported and a remedy if the tables are not of kSchemaVersion. If `may_be_older`, also
// accepts older versions and an empty database. Changes nothing.
Status check_schema(Database& database, bool may_be_older);

}  // namespace hm::store
