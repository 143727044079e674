// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "base/result.h"
#include "store/credentials.h"
#include "store/store.h"
#include "store/store_address.h"

namespace hm::store {

// Does not connect to the servers before the store is used.
[[nodiscard]] Result<std::unique_ptr<Store>> open_clickhouse(const Address& address,
                                                             const Credentials& credentials, size_t shard);

}  // namespace hm::store
