// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace hm::store {

// Location of a store.
struct Address {
  std::string folder;                // folder of an embedded store; empty: the store is ClickHouse
  bool encrypted = false;            // https
  std::vector<std::string> servers;  // "HOST:PORT" of each shard
  std::string database;
  std::string cluster;  // name of the shards' cluster on the servers; empty for a single server
};

// Parses a folder, or "http[s]://HOST:PORT[,HOST:PORT...]/DATABASE[?cluster=NAME]". Fails with
// kInvalidArgument. Rejects user names and passwords, because every user of the machine can see addresses.
[[nodiscard]] Result<Address> parse_address(std::string_view words);

}  // namespace hm::store
