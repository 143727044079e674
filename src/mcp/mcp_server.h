// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>

#include "base/result.h"

namespace hm::mcp {

struct ServerOptions {
  std::string version;  // of this program
  // Returns true when the server should end.
  std::function<bool()> interrupted;
};

// Serves the client at standard input and output until the input ends, the client no longer reads, or the
// server is interrupted. Then ends a running measurement. From now on, standard output is standard error and
// standard input is empty, so that nothing but the protocol reaches the client. Fails with kIo if that is
// impossible.
[[nodiscard]] Status serve(const ServerOptions& options);

}  // namespace hm::mcp
