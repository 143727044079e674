// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/result.h"
#include "web/api.h"

namespace hm::web {

// The page and all answers that it asks for of its own, as one HTML file, which needs no server and asks no
// network. Windows of the time line finer than the whole run, and functions with few samples, are not in it:
// the page says so. An error where a recording cannot be read.
[[nodiscard]] Result<std::string> single_file(Api& api);

}  // namespace hm::web
