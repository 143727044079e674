// SPDX-License-Identifier: MIT
// The text that Prometheus scrapes. It is made once for each change: requests cost no more than sending it.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "http/server.h"

namespace hm::prometheus {

class MetricsPage {
 public:
  static constexpr const char* kPath = "/metrics";

  // In the text format, version 0.0.4. What the next scrape gets.
  void set(std::string text);
  // In any thread.
  [[nodiscard]] http::Response response() const;

 private:
  mutable std::mutex mutex_;  // of `text_`
  std::shared_ptr<const std::string> text_ = std::make_shared<const std::string>();
};

}  // namespace hm::prometheus
