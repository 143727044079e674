// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.h"
#include "store/sqlite_database.h"

namespace hm::store {

// Brings the database to kSchemaVersion, from none or an older one, in one transaction. kUnsupported where it
// is of a later one.
Status make_schema(Database& database);

// kUnsupported where it is not of kSchemaVersion; says what to do.
Status check_schema(Database& database);

}  // namespace hm::store
