// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.h"
#include "store/sqlite_database.h"

namespace hm::store {

// Brings the database to kSchemaVersion, from none or an older one, in one transaction. kUnsupported if it is
// of a later version or another program's.
Status make_schema(Database& database);

// kUnsupported if its tables are not of kSchemaVersion, or of an older version or none if `may_be_older`;
// says what to do. Changes nothing.
Status check_schema(Database& database, bool may_be_older);

}  // namespace hm::store
