// SPDX-License-Identifier: MIT
#include "http/workers.h"

#include <utility>

namespace hm::http {

Workers::Workers(size_t count) {
  for (size_t i = 0; i < count; ++i)
    threads_.emplace_back([this](const std::stop_token& stop) { work(stop); });
}

Workers::~Workers() {
  for (std::jthread& thread : threads_) thread.request_stop();
}

void Workers::add(std::function<void()> job) {
  {
    std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  has_job_.notify_one();
}

void Workers::work(const std::stop_token& stop) {
  for (;;) {
    std::unique_lock lock(mutex_);
    has_job_.wait(lock, stop, [this] { return !jobs_.empty(); });
    if (stop.stop_requested()) return;
    std::function<void()> job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    job();
  }
}

}  // namespace hm::http
