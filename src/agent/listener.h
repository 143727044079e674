// SPDX-License-Identifier: MIT
// The agent's HTTP server: its metrics, and the last measurement as a pprof profile.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "agent/metrics.h"
#include "base/result.h"
#include "http/http_server.h"
#include "view/prometheus/metrics_page.h"

namespace hm::agent {

inline constexpr const char* kPprofPath = "/debug/pprof/window";

// Its threads do not exist in the agent's child processes, which must not use this object. The threads only
// read files and lock the mutex of the metrics' text.
class Listener {
 public:
  // `folder` is the agent's folder.
  [[nodiscard]] static Result<std::unique_ptr<Listener>> start(const http::Address& address,
                                                               const std::string& folder,
                                                               const Metrics& metrics);

  // Returns for example "http://127.0.0.1:9401/metrics".
  [[nodiscard]] std::string url(std::string_view path) const;
  // Sets what the next scrape gets.
  void publish(const Metrics& metrics) { page_.set(exposition(metrics)); }

 private:
  Listener() = default;

  std::string host_;
  prometheus::MetricsPage page_;
  std::unique_ptr<http::Server> server_;  // declared last, because it reads the page until it is destroyed
};

}  // namespace hm::agent
