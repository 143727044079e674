// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

#include "base/mutex.h"

namespace hm::http {

// A fixed number of threads that run jobs in the order of their arrival.
class Workers {
 public:
  // Throws std::system_error if a thread cannot be created.
  explicit Workers(size_t count);
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  // Waits for the jobs that run, and drops those that have not begun.
  ~Workers();

  // May be called in any thread.
  void add(std::function<void()> job);

 private:
  // Waits for a job; nullopt if the thread should stop.
  std::optional<std::function<void()>> next(const std::stop_token& stop);

  Mutex mutex_;
  std::condition_variable_any has_job_;
  std::deque<std::function<void()>> jobs_ HM_GUARDED_BY(mutex_);
  // Declared last, because they use the members above until they have ended.
  std::vector<std::jthread> threads_;
};

}  // namespace hm::http
