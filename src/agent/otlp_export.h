// SPDX-License-Identifier: MIT
// Sends measurements to a receiver of OpenTelemetry profiles from a child process, so that a slow receiver
// delays nothing. Nothing is queued: measurements that the receiver rejects are lost to it, but not to the
// store.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "agent/child.h"
#include "agent/metrics.h"
#include "agent/trouble.h"
#include "base/result.h"

namespace hm::agent {

// Fails with kInvalidArgument and one sentence if the URL is not usable.
[[nodiscard]] Status check_otlp_url(const std::string& url);

class OtlpExport {
 public:
  // `folder` is the agent's folder. `log` receives a message when failures begin, change and end.
  OtlpExport(std::string url, std::string folder, Trouble::Log log)
      : url_(std::move(url)), folder_(std::move(folder)), log_(std::move(log)) {}

  // Starts to send the request in the folder (agent/window_files.h), if there is one and no other request is
  // being sent.
  void begin();
  [[nodiscard]] bool is_sending() const { return child_.has_value(); }
  // Returns whether a request has ended, or ends within `patience`, and counts it. Call this often.
  bool has_ended(std::chrono::milliseconds patience = {});

  [[nodiscard]] const Metrics::Export& counts() const { return counts_; }

 private:
  void note(const Status& done);

  std::string url_, folder_;
  Trouble::Log log_;
  Trouble trouble_{"the receiver accepts profiles again"};
  std::optional<Child> child_;
  Metrics::Export counts_;
};

}  // namespace hm::agent
