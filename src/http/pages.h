// SPDX-License-Identifier: MIT
// A server with a few fixed pages.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "http/http_message.h"

namespace hm::http {

// Functions by path. Several threads may call them at a time.
using Pages = std::map<std::string, std::function<Response()>, std::less<>>;

// Returns the requested page. Status 404 lists the existing pages; 405 is for methods other than GET and
// HEAD.
[[nodiscard]] Response page_response(const Request& request, const Pages& pages);

}  // namespace hm::http
