// SPDX-License-Identifier: MIT
// What an agent serves: its metrics, and the last measurement as a pprof profile.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "agent/metrics.h"
#include "base/result.h"
#include "http/server.h"
#include "view/prometheus/metrics_page.h"

namespace hm::agent {

inline constexpr const char* kPprofPath = "/debug/pprof/window";

// Its threads are in none of the processes that the agent starts, which must use nothing of this: they only
// read files, and take the lock of the metrics' text.
class Listener {
 public:
  // `folder`: the agent's.
  [[nodiscard]] static Result<std::unique_ptr<Listener>> start(const http::Address& address,
                                                               const std::string& folder,
                                                               const Metrics& metrics);

  // "http://127.0.0.1:9401/metrics".
  [[nodiscard]] std::string url(std::string_view path) const;
  // What the next scrape gets.
  void tell(const Metrics& metrics) { page_.set(exposition(metrics)); }

 private:
  Listener() = default;

  std::string host_;
  prometheus::MetricsPage page_;
  std::unique_ptr<http::Server> server_;  // last: it reads the page until it has gone
};

}  // namespace hm::agent
