// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>

#include "app/query/load.h"
#include "base/result.h"

namespace hm::lsp {

struct ServerOptions {
  std::string version;    // of this program
  std::string recording;  // empty: hardmeter.data or perf.data in the workspace's folder
  query::Reading reading;
  // Returns true when the server should end.
  std::function<bool()> interrupted;
};

// Serves the editor at standard input and output until it says `exit` or its input ends. Returns the exit
// status. Fails with kIo if standard input and output cannot be used, and with kDamaged for a header without
// a length.
[[nodiscard]] Result<int> serve(const ServerOptions& options);

}  // namespace hm::lsp
