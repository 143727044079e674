// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/result.h"
#include "web/api.h"

namespace hm::web {

// Returns the page and all answers that it requests on its own as one HTML file, which needs neither a server
// nor a network. It omits windows of the time line finer than the whole run, and functions with few samples;
// the page mentions that. Fails if a recording cannot be read.
[[nodiscard]] Result<std::string> single_file(Api& api);

}  // namespace hm::web
