// SPDX-License-Identifier: MIT
// A server that has a few pages, for whoever gets them.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "http/message.h"

namespace hm::http {

// By path. Called in any thread, by several at a time.
using Pages = std::map<std::string, std::function<Response()>, std::less<>>;

// The page that is asked for. 404 says which there are; 405 to what is neither GET nor HEAD.
[[nodiscard]] Response page_response(const Request& request, const Pages& pages);

}  // namespace hm::http
