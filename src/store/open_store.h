// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>

#include "base/result.h"
#include "store/address.h"
#include "store/credentials.h"
#include "store/store.h"

namespace hm::store {

// `shard`: which server of the address takes what this machine sends.
[[nodiscard]] Result<std::unique_ptr<Store>> open_store(const Address& address,
                                                        const Credentials& credentials, size_t shard = 0);

}  // namespace hm::store
