// SPDX-License-Identifier: MIT
#include "pmu/soft/inject/process_limits.h"

#include <fmt/format.h>
#include <linux/capability.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/numbered_entries.h"
#include "base/process_status.h"
#include "pmu/soft/ring/limit_reserve.h"

namespace hm::soft {
namespace {

struct LimitText {
  std::string soft, hard;  // a number or "unlimited"
};

// Returns a limit as /proc reports it. All users may read that file, while prlimit(2) needs CAP_SYS_RESOURCE
// for other users' processes.
std::optional<LimitText> reported_limit(pid_t process, std::string_view name) {
  std::ifstream file(fmt::format("/proc/{}/limits", process));
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(name)) continue;
    std::istringstream values(line.substr(name.size()));
    LimitText text;
    return values >> text.soft >> text.hard ? std::optional(text) : std::nullopt;
  }
  return std::nullopt;
}

bool has_no_limit(pid_t process, uint32_t resource) {
  auto text = reported_limit(process, resource == kDataLimit ? "Max data size" : "Max address space");
  return text && text->soft == "unlimited" && text->hard == "unlimited";
}

// Returns true if the limit now has the value computed by `change`.
template <typename Change>
bool change_limit(pid_t process, uint32_t resource, Change&& change) {
  auto kind = static_cast<__rlimit_resource>(resource);
  rlimit now{};
  if (::prlimit(process, kind, nullptr, &now) != 0) {
    int error = errno;
    if (has_no_limit(process, resource)) return true;
    errno = error;
    return false;
  }
  ResourceLimit changed = change(ResourceLimit{now.rlim_cur, now.rlim_max});
  if (changed.soft == now.rlim_cur && changed.hard == now.rlim_max) return true;
  rlimit wanted{changed.soft, changed.hard};
  return ::prlimit(process, kind, &wanted, nullptr) == 0;
}

const char* name_of(uint32_t resource) {
  return resource == kDataLimit ? "data (ulimit -d)" : "address space (ulimit -v)";
}

}  // namespace

Status add_limit_reserves(pid_t process) {
  for (uint32_t resource : kReservedLimits) {
    if (change_limit(process, resource, [](ResourceLimit limit) { return with_reserve(limit); })) continue;
    int error = errno;
    remove_limit_reserves(process);
    return make_error(
        ErrorCode::kPermission,
        "process {} has a limit of its {}, which would count the copying engine's memory, and may not be raised for that ({}); it runs unmeasured: run hardmeter as root, or without the limit",
        process, name_of(resource), errno_text(error));
  }
  return {};
}

namespace {

// True if the process may raise its hard limits.
bool may_raise_limits(pid_t process) {
  constexpr uint64_t kSysResource = uint64_t{1} << CAP_SYS_RESOURCE;
  return (std::strtoull(status_text(process, "CapEff").c_str(), nullptr, 16) & kSysResource) != 0;
}

}  // namespace

Status check_free_descriptors(pid_t process) {
  auto text = reported_limit(process, "Max open files");
  uint64_t limit = 0;
  bool is_hard = text && text->soft == text->hard && std::sscanf(text->soft.c_str(), "%" SCNu64, &limit) == 1;
  if (!is_hard || may_raise_limits(process)) return {};
  std::vector<pid_t> open = numbered_entries(fmt::format("/proc/{}/fd", process));
  auto used = static_cast<uint64_t>(
      std::ranges::count_if(open, [&](pid_t each) { return static_cast<uint64_t>(each) < limit; }));
  if (used + kEngineDescriptors <= limit || open.empty()) return {};
  return make_error(
      ErrorCode::kPermission,
      "process {} has {} of {} file descriptors left (ulimit -n), and the copying engine needs {}; it runs unmeasured",
      process, limit - std::min(used, limit), limit, kEngineDescriptors);
}

void remove_limit_reserves(pid_t process) {
  for (uint32_t resource : kReservedLimits)
    (void)change_limit(process, resource, [](ResourceLimit limit) { return without_reserve(limit); });
}

}  // namespace hm::soft
