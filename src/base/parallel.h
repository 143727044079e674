// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>

namespace hm {

// Returns the number of CPUs that this process may run on (sched_getaffinity(2)); at least 1.
[[nodiscard]] size_t available_cpus();

// Runs task(0) to task(count - 1), each once, on at most `workers` threads including the calling thread;
// returns when all are done. If the system refuses to create more threads, the existing threads do the work.
// If a task throws, tasks that have not begun are skipped, and the first exception is rethrown in the caller.
void parallel_for(size_t count, size_t workers, const std::function<void(size_t)>& task);

}  // namespace hm
