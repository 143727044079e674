// SPDX-License-Identifier: MIT
// The text that Prometheus scrapes. It is formatted once for each change, so a request only costs sending it.
#pragma once

#include <memory>
#include <string>

#include "base/mutex.h"
#include "http/http_server.h"

namespace hm::prometheus {

class MetricsPage {
 public:
  static constexpr const char* kPath = "/metrics";

  // Sets the text that the next scrape gets, in the text format, version 0.0.4.
  void set(std::string text);
  // Thread-safe.
  [[nodiscard]] http::Response response() const;

 private:
  mutable Mutex mutex_;
  std::shared_ptr<const std::string> text_ HM_GUARDED_BY(mutex_) = std::make_shared<const std::string>();
};

}  // namespace hm::prometheus
