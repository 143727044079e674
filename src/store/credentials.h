// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/result.h"

namespace hm::store {

// User and trusted certificates for a store.
struct Credentials {
  std::string user, password;
  std::string authority;  // file of trusted certificates; empty: the system's
};

// Reads a file of lines "user = NAME", "password = WORDS", "authority = FILE"; # begins a comment. Fails with
// kPermission if everyone can read the file, with kInvalidArgument for any other line.
[[nodiscard]] Result<Credentials> read_credentials(const std::string& path);

}  // namespace hm::store
