// SPDX-License-Identifier: MIT
#include "base/run_queue_wait.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "base/numbered_entries.h"
#include "base/text_file.h"

namespace hm {
namespace {

constexpr size_t kMaxThreads = 32;

uint64_t wait_of(const std::string& schedstat) {
  unsigned long long running = 0, waiting = 0;
  return std::sscanf(schedstat.c_str(), "%llu %llu", &running, &waiting) == 2 ? waiting : 0;
}

}  // namespace

uint64_t run_queue_wait_ns(pid_t process, const std::string& folder) {
  std::string threads = folder + "/" + std::to_string(process) + "/task";
  std::vector<pid_t> ids = numbered_entries(threads);
  std::ranges::sort(ids);
  if (ids.size() > kMaxThreads) ids.resize(kMaxThreads);
  uint64_t sum = 0;
  for (pid_t thread : ids) {
    auto text = read_text(threads + "/" + std::to_string(thread) + "/schedstat");
    if (text) sum += wait_of(*text);
  }
  return sum;
}

uint64_t run_queue_wait_ns(pid_t process) { return run_queue_wait_ns(process, "/proc"); }

}  // namespace hm
