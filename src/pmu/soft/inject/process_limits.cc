// SPDX-License-Identifier: MIT
#include "pmu/soft/inject/process_limits.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <cerrno>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "pmu/soft/ring/limit_reserve.h"

namespace hm::soft {
namespace {

// True if /proc reports no limit. All users may read that file, while prlimit(2) needs CAP_SYS_RESOURCE for
// other users' processes.
bool has_no_limit(pid_t process, uint32_t resource) {
  std::ifstream file(fmt::format("/proc/{}/limits", process));
  std::string_view name = resource == kDataLimit ? "Max data size" : "Max address space";
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(name)) continue;
    std::istringstream values(line.substr(name.size()));
    std::string soft, hard;
    return values >> soft >> hard && soft == "unlimited" && hard == "unlimited";
  }
  return false;
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

void remove_limit_reserves(pid_t process) {
  for (uint32_t resource : kReservedLimits)
    (void)change_limit(process, resource, [](ResourceLimit limit) { return without_reserve(limit); });
}

}  // namespace hm::soft
