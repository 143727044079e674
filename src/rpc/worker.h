// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <optional>
#include <thread>

#include "base/mutex.h"

namespace hm::rpc {

// A thread that does one job after the other. The destructor waits until all jobs are done.
class Worker {
 public:
  Worker() = default;
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker() {
    {
      MutexLock guard(mutex_);
      closed_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }

  // `job` must not throw.
  void add(std::function<void()> job) {
    {
      MutexLock guard(mutex_);
      jobs_.push_back(std::move(job));
    }
    changed_.notify_one();
  }

 private:
  void work() {
    while (std::optional<std::function<void()>> job = next()) (*job)();
  }
  // Waits for a job; nullopt: there will be none.
  std::optional<std::function<void()>> next() {
    MutexLock lock(mutex_);
    while (!closed_ && jobs_.empty()) changed_.wait(mutex_);
    if (jobs_.empty()) return std::nullopt;
    std::function<void()> job = std::move(jobs_.front());
    jobs_.pop_front();
    return job;
  }

  Mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<std::function<void()>> jobs_ HM_GUARDED_BY(mutex_);
  bool closed_ HM_GUARDED_BY(mutex_) = false;
  std::thread thread_{[this] { work(); }};
};

}  // namespace hm::rpc
