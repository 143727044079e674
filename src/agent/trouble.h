// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <random>
#include <string>
#include <utility>

#include "base/result.h"

namespace hm::agent {

// Backoff and log messages for an operation that may fail for a while. Retries become less frequent, and
// messages are logged when failures begin, change and end.
class Trouble {
 public:
  using Log = std::function<void(const std::string&)>;

  // `over` is the message when failures end.
  explicit Trouble(std::string over) : over_(std::move(over)) {}

  [[nodiscard]] bool lets_try() const { return Clock::now() >= next_try_; }
  void note(const Status& done, const Log& log) {
    std::string message = done ? "" : done.error().message;
    if (message != message_) log(message.empty() ? over_ : message);
    message_ = message;
    retry_ = done ? kFirstRetry : std::min(2 * retry_, kLongestRetry);
    if (!done)
      next_try_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(retry_ * spread_(random_));
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds kFirstRetry{1}, kLongestRetry{60};

  std::string over_, message_;
  Clock::time_point next_try_;
  std::chrono::seconds retry_ = kFirstRetry;
  // Random delays spread the retries of many agents that lost the same server.
  std::minstd_rand random_{std::random_device{}()};
  std::uniform_real_distribution<> spread_{0.5, 1.5};
};

}  // namespace hm::agent
