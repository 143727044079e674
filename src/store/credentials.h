// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/result.h"

namespace hm::store {

// Who asks a store.
struct Credentials {
  std::string user, password;
  std::string authority;  // a file of certificates that are trusted; empty: the system's
};

// From a file of lines "user = NAME", "password = WORDS", "authority = FILE"; # begins a comment. kPermission
// where everyone can read it; kInvalidArgument for a line that is none of these.
[[nodiscard]] Result<Credentials> read_credentials(const std::string& path);

}  // namespace hm::store
