// SPDX-License-Identifier: MIT
// Sends measurements to a receiver of OpenTelemetry's profiles, in a process of its own, so that nothing
// waits for a slow one. Nothing is kept for later: what it does not take is lost to it, not to the store.
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

// kInvalidArgument, one sentence, for what profiles cannot be sent to.
[[nodiscard]] Status check_otlp_url(const std::string& url);

class OtlpExport {
 public:
  // `folder`: the agent's; `tell` hears of failures when they begin, change and end.
  OtlpExport(std::string url, std::string folder, Trouble::Tell tell)
      : url_(std::move(url)), folder_(std::move(folder)), tell_(std::move(tell)) {}

  // Begins to send the request in the folder (agent/window_files.h), where there is one and none is on its
  // way.
  void begin();
  [[nodiscard]] bool is_sending() const { return child_.has_value(); }
  // One that was on its way has ended, by now or in the meantime, and is counted. Asked often.
  bool has_ended(std::chrono::milliseconds patience = {});

  [[nodiscard]] const Metrics::Export& counts() const { return counts_; }

 private:
  void note(const Status& done);

  std::string url_, folder_;
  Trouble::Tell tell_;
  Trouble trouble_{"the receiver takes profiles again"};
  std::optional<Child> child_;
  Metrics::Export counts_;
};

}  // namespace hm::agent
