// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>

#include "base/result.h"
#include "store/credentials.h"
#include "store/store.h"
#include "store/store_address.h"

namespace hm::store {

// `shard` is the index of the server that takes this machine's batches.
[[nodiscard]] Result<std::unique_ptr<Store>> open_store(const Address& address,
                                                        const Credentials& credentials, size_t shard = 0);

}  // namespace hm::store
