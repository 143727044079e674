// SPDX-License-Identifier: MIT
#include "pmu/soft/inject/sandbox.h"

#include <fmt/format.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/ptrace.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <string_view>
#include <vector>

#include "base/process_status.h"
#include "pmu/soft/inject/engine_calls.h"
#include "pmu/soft/inject/filter_program.h"

namespace hm::soft {
namespace {

// PTRACE_SECCOMP_GET_FILTER; needs CAP_SYS_ADMIN, and that this process has no filter itself. Returns the
// size of the filter, or -1.
long get_filter(pid_t thread, unsigned long number, sock_filter* to) {
  constexpr auto kGetFilter = static_cast<__ptrace_request>(0x420c);
  return ::ptrace(kGetFilter, thread, number, to);
}

// Returns the filters of a stopped thread; nullopt if this process may not read them.
std::optional<std::vector<std::vector<sock_filter>>> filters_of(pid_t thread) {
  std::vector<std::vector<sock_filter>> all;
  for (long size = 0; (size = get_filter(thread, all.size(), nullptr)) > 0;) {
    std::vector<sock_filter> filter(static_cast<size_t>(size));
    if (get_filter(thread, all.size(), filter.data()) != size) return std::nullopt;
    all.push_back(std::move(filter));
  }
  if (errno != ENOENT) return std::nullopt;  // there is no filter of that number
  return all;
}

Error refused(pid_t process, std::string_view why) {
  return make_error(ErrorCode::kUnsupported, "process {} is in a sandbox (seccomp) {}; it goes unmeasured",
                    process, why);
}

long filter_count(pid_t thread) { return status_field(thread, "Seccomp_filters"); }  // since Linux 5.9

Status check_filters(pid_t process, pid_t thread) {
  auto filters = filters_of(thread);
  if (!filters)
    return refused(
        process,
        "whose filters hardmeter may not read, so that it does not know whether they let the copying engine work (run it as root, outside of a sandbox)");
  for (const std::vector<sock_filter>& each : *filters) {
    if (!only_refuses(each)) return refused(process, "that diverts system calls, the copying engine's, too");
    for (const EngineCall& call : kEngineCalls) {
      if (!allows(each, call.number))
        return refused(process, fmt::format("that may forbid {}, which the copying engine needs", call.name));
    }
  }
  return {};
}

}  // namespace

Status Sandbox::check(pid_t process, pid_t thread) {
  constexpr long kStrict = 1;  // SECCOMP_MODE_STRICT; 0: the thread is in no sandbox
  long mode = status_field(thread, "Seccomp");
  if (mode == 0) return {};
  if (mode == kStrict) return refused(process, "that permits only four system calls");
  static const long own = filter_count(::getpid());
  long count = filter_count(thread);
  auto known = checked_.find(thread);
  if (count <= own || (known != checked_.end() && known->second == count)) return {};
  Status checked = check_filters(process, thread);
  if (checked.ok()) checked_[thread] = count;
  return checked;
}

}  // namespace hm::soft
