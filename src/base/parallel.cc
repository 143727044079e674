// SPDX-License-Identifier: MIT
#include "base/parallel.h"
#include "base/mutex.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace hm {

size_t available_cpus() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return std::max(1u, std::thread::hardware_concurrency());
  return static_cast<size_t>(std::max(1, CPU_COUNT(&set)));
}

void parallel_for(size_t count, size_t workers, const std::function<void(size_t)>& task) {
  std::atomic<size_t> next = 0;
  std::exception_ptr thrown;
  Mutex mutex;  // guards `thrown`
  auto work = [&] {
    try {
      for (size_t i = next++; i < count; i = next++) task(i);
    } catch (...) {
      next = count;
      MutexLock lock(mutex);
      if (!thrown) thrown = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;  // joined at the end of this block
    try {
      for (size_t i = 1; i < std::min(workers, count); ++i) threads.emplace_back(work);
    } catch (const std::system_error&) {
      // the threads created so far and the calling thread do the work
    }
    work();
  }
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace hm
