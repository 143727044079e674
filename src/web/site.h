// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
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
  // Whether a browser has followed the first link.
  [[nodiscard]] bool was_entered() const { return was_entered_; }

 private:
  [[nodiscard]] http::Response respond_to_allowed(const http::Request& request);
  // An exception becomes a response of status 500: it would end the server, whose thread this is.
  [[nodiscard]] http::Response respond_or_report(const http::Request& request);

  Api& api_;
  const Access& access_;
  std::atomic<bool> was_entered_ = false;
};

}  // namespace hm::web
