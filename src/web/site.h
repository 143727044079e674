// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "http/server.h"
#include "web/access.h"
#include "web/api.h"

namespace hm::web {

// The page and the answers of an Api, for whoever has opened the first link (access.h): from a request to its
// response. Several threads may ask at a time.
class Site {
 public:
  // Both outlive it.
  Site(Api& api, const Access& access) : api_(api), access_(access) {}

  [[nodiscard]] http::Response respond(const http::Request& request);

 private:
  [[nodiscard]] http::Response respond_to_allowed(const http::Request& request);

  Api& api_;
  const Access& access_;
};

}  // namespace hm::web
