// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>

namespace hm {

// How many CPUs this process may run on (sched_getaffinity(2)); at least 1.
[[nodiscard]] size_t available_cpus();

// Runs task(0) to task(count - 1), each once, on at most `workers` threads of which the caller is one;
// returns when all are done. If the system gives no more threads, those that there are do the work. If a task
// throws, the tasks that have not begun are left out, and the first exception is thrown in the caller.
void parallel_for(size_t count, size_t workers, const std::function<void(size_t)>& task);

}  // namespace hm
