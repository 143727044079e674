// SPDX-License-Identifier: MIT
#include "pmu/linux/pid_and_cpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/process_stat.h"

namespace hm::linux_pmu {
namespace {

std::optional<int> cpu_number(std::string_view text) {
  int value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && value >= 0 && value < kMaxCpus ? std::optional(value) : std::nullopt;
}

}  // namespace

Result<std::vector<int>> parse_cpu_list(std::string_view list) {
  std::vector<int> cpus;
  for (std::string_view rest = list;;) {
    size_t comma = rest.find(',');
    std::string_view range = rest.substr(0, comma);
    size_t dash = range.find('-');
    std::optional<int> first = cpu_number(range.substr(0, dash));
    std::optional<int> last = dash == std::string_view::npos ? first : cpu_number(range.substr(dash + 1));
    if (!first || !last || *last < *first)
      return make_error(ErrorCode::kInvalidArgument, "'{}' is not a list of CPUs, such as 0-3,7", list);
    for (int cpu = *first; cpu <= *last; ++cpu) cpus.push_back(cpu);
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  std::ranges::sort(cpus);
  cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
  return cpus;
}

std::vector<int> online_cpus(Kernel& kernel) {
  std::optional<std::string> list = kernel.file("/sys/devices/system/cpu/online");
  if (list) {
    if (Result<std::vector<int>> cpus = parse_cpu_list(*list); cpus.ok()) return *std::move(cpus);
  }
  return {0};
}

std::vector<pid_t> threads_of(Kernel& kernel, pid_t pid) {
  std::vector<pid_t> threads;
  for (const std::string& name : kernel.folder(fmt::format("/proc/{}/task", pid))) {
    pid_t tid = 0;
    auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), tid);
    if (error == std::errc()) threads.push_back(tid);
  }
  std::ranges::sort(threads);
  return threads;
}

bool is_thread_alive(Kernel& kernel, pid_t tid) {
  std::optional<ProcessStat> stat =
      parse_process_stat(kernel.file(fmt::format("/proc/{}/stat", tid)).value_or(""));
  constexpr std::string_view kEnded = "ZXx";
  return stat && kEnded.find(stat->state) == std::string_view::npos;
}

// Checks all threads, because the first thread of a process can end before the others.
bool is_process_alive(Kernel& kernel, pid_t pid) {
  return is_thread_alive(kernel, pid) || std::ranges::any_of(threads_of(kernel, pid), [&](pid_t thread) {
           return is_thread_alive(kernel, thread);
         });
}

std::vector<PidAndCpu> pids_and_cpus(const Event& event, const std::vector<pid_t>& threads,
                                     const std::vector<int>& cpus, bool with_ring) {
  std::vector<int> here;
  std::ranges::copy_if(cpus, std::back_inserter(here), [&](int cpu) {
    return event.cpus.empty() || std::ranges::find(event.cpus, cpu) != event.cpus.end();
  });
  std::vector<PidAndCpu> pairs;
  if (threads.empty()) {
    for (int cpu : here) pairs.push_back({-1, cpu});
  }
  if (!threads.empty() && !with_ring) here = {-1};
  for (pid_t thread : threads) {
    for (int cpu : here) pairs.push_back({thread, cpu});
  }
  return pairs;
}

}  // namespace hm::linux_pmu
