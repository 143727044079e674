// SPDX-License-Identifier: MIT
#include "http/workers.h"

#include <utility>

namespace hm::http {

Workers::Workers(size_t count) {
  for (size_t i = 0; i < count; ++i)
    threads_.emplace_back([this](const std::stop_token& stop) {
      while (std::optional<std::function<void()>> job = next(stop)) (*job)();
    });
}

Workers::~Workers() {
  for (std::jthread& thread : threads_) thread.request_stop();
}

void Workers::add(std::function<void()> job) {
  {
    MutexLock lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  has_job_.notify_one();
}

std::optional<std::function<void()>> Workers::next(const std::stop_token& stop) {
  MutexLock lock(mutex_);
  has_job_.wait(mutex_, stop, [this]() HM_UNCHECKED_LOCKS { return !jobs_.empty(); });
  if (stop.stop_requested()) return std::nullopt;
  std::function<void()> job = std::move(jobs_.front());
  jobs_.pop_front();
  return job;
}

}  // namespace hm::http
