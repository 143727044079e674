// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <string>

#include "http/http_server.h"
#include "web/access.h"
#include "web/api.h"

namespace hm::web {

// Serves the page and the answers of an Api to those who have opened the first link (access.h). Thread-safe.
class Site {
 public:
  // Both must outlive this object.
  Site(Api& api, const Access& access) : api_(api), access_(access) {}

  [[nodiscard]] http::Response respond(const http::Request& request);
  // Returns whether a browser has followed the first link.
  [[nodiscard]] bool was_entered() const { return was_entered_; }

 private:
  [[nodiscard]] http::Response respond_to_allowed(const http::Request& request);
  // Converts an exception to a response with status 500, because it would end the server's thread and the
  // program.
  [[nodiscard]] http::Response respond_or_report(const http::Request& request);

  Api& api_;
  const Access& access_;
  std::atomic<bool> was_entered_ = false;
};

}  // namespace hm::web
