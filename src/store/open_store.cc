// SPDX-License-Identifier: MIT
#include "store/open_store.h"

#include "store/clickhouse_store.h"
#include "store/sqlite_store.h"

namespace hm::store {

Result<std::unique_ptr<Store>> open_store(const Address& address, const Credentials& credentials,
                                          size_t shard) {
  if (!address.folder.empty()) return open_sqlite(address.folder);
  return open_clickhouse(address, credentials, shard);
}

}  // namespace hm::store
