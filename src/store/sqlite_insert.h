// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.h"
#include "store/batch.h"
#include "store/sqlite_database.h"

namespace hm::store {

// Within a transaction: nothing where the batch is there already.
Status insert_batch(Database& database, const Batch& batch);

}  // namespace hm::store
