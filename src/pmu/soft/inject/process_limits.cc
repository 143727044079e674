// SPDX-License-Identifier: MIT
#include "pmu/soft/inject/process_limits.h"

#include <sys/resource.h>

#include <cerrno>

#include "pmu/soft/ring/limit_reserve.h"

namespace hm::soft {
namespace {

// Whether the limit is as `change` has it now.
template <typename Change>
bool change_limit(pid_t process, uint32_t resource, Change&& change) {
  auto kind = static_cast<__rlimit_resource>(resource);
  rlimit now{};
  if (::prlimit(process, kind, nullptr, &now) != 0) return false;
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
        "process {} has a limit of its {}, which would count the copying engine's memory, and may not be "
        "raised for that ({}); it runs unmeasured: run hardmeter as root, or without the limit",
        process, name_of(resource), errno_text(error));
  }
  return {};
}

void remove_limit_reserves(pid_t process) {
  for (uint32_t resource : kReservedLimits)
    (void)change_limit(process, resource, [](ResourceLimit limit) { return without_reserve(limit); });
}

}  // namespace hm::soft
