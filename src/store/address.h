// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace hm::store {

// Where a store is.
struct Address {
  std::string folder;                // of an embedded one; empty: it is ClickHouse
  bool encrypted = false;            // https
  std::vector<std::string> servers;  // "HOST:PORT" of each shard
  std::string database;
  std::string cluster;  // as the servers call the shards together; empty where there is one server
};

// A folder, or "http[s]://HOST:PORT[,HOST:PORT...]/DATABASE[?cluster=NAME]". kInvalidArgument; a user's name
// or password in it is refused, as addresses are seen by everyone on the machine.
[[nodiscard]] Result<Address> parse_address(std::string_view words);

}  // namespace hm::store
