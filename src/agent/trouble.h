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

// Of something that may fail for a while: it is tried ever more seldom, and told of when that begins, changes
// and is over.
class Trouble {
 public:
  using Tell = std::function<void(const std::string&)>;

  // `over`: what to tell then.
  explicit Trouble(std::string over) : over_(std::move(over)) {}

  [[nodiscard]] bool lets_try() const { return Clock::now() >= next_try_; }
  void note(const Status& done, const Tell& tell) {
    std::string message = done ? "" : done.error().message;
    if (message != message_) tell(message.empty() ? over_ : message);
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
  // Of many agents that lost one server not all come back to it at once.
  std::minstd_rand random_{std::random_device{}()};
  std::uniform_real_distribution<> spread_{0.5, 1.5};
};

}  // namespace hm::agent
