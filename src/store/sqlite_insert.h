// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.h"
#include "store/batch.h"
#include "store/sqlite_database.h"

namespace hm::store {

// Inserts the batch, unless the store has it already. Call it within a transaction.
Status insert_batch(Database& database, const Batch& batch);

}  // namespace hm::store
