// SPDX-License-Identifier: MIT
// Sources for the errno values: perf_event_open(2), ERRORS. For the levels of perf_event_paranoid:
// Documentation/admin-guide/sysctl/kernel.rst; level 3 is a Debian extension.
#include "pmu/linux/open_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>

#include "event/perf_names.h"
#include "pmu/linux/attr.h"

namespace hm::linux_pmu {
namespace {

constexpr const char* kParanoidFile = "/proc/sys/kernel/perf_event_paranoid";

std::string paranoid_level(Kernel& kernel) { return kernel.file(kParanoidFile).value_or("unknown"); }

bool is_process(const PidAndCpu& place) { return place.pid >= 0; }

bool is_online(Kernel& kernel, int cpu) {
  std::vector<int> cpus = online_cpus(kernel);
  return std::ranges::find(cpus, cpu) != cpus.end();
}

// Returns the highest kernel.perf_event_paranoid at which a user without CAP_PERFMON may measure the event.
int allowing_level(const perf_event_attr& attr, const PidAndCpu& place) {
  if (attr.type == PERF_TYPE_TRACEPOINT) return -1;
  if (!is_process(place)) return 0;
  return attr.exclude_kernel == 0 ? 1 : 2;
}

// Returns the targets that kernel.perf_event_paranoid reserves for root with CAP_PERFMON.
std::string reserved_text(const perf_event_attr& attr, const PidAndCpu& place) {
  if (attr.type == PERF_TYPE_TRACEPOINT) return "tracepoints";
  if (!is_process(place)) return "whole CPUs";
  return attr.exclude_kernel == 0 ? "the kernel" : "anything";
}

std::string forbidden_by_level_text(Kernel& kernel, const perf_event_attr& attr, const PidAndCpu& place) {
  std::string advice = fmt::format("sysctl kernel.perf_event_paranoid={}", allowing_level(attr, place));
  bool has_user_part = is_process(place) && attr.exclude_kernel == 0 && attr.exclude_user == 0 &&
                       !only_in_kernel(attr) && attr.type != PERF_TYPE_TRACEPOINT;
  return fmt::format("{}with kernel.perf_event_paranoid at {} only root may measure {}; {}{}, or {}",
                     only_in_kernel(attr) ? "it happens in the kernel, and " : "", paranoid_level(kernel),
                     reserved_text(attr, place), has_user_part ? "-u measures user mode alone, or " : "",
                     kernel.is_root() ? "grant CAP_PERFMON to this root user, who lacks it as in a container"
                                      : "run as root",
                     advice);
}

// Returns the smallest change that permits the measurement and is not in effect already.
std::string forbidden_text(Kernel& kernel, const perf_event_attr& attr, const PidAndCpu& place) {
  int level = 0;
  std::string text = paranoid_level(kernel);
  bool is_known = std::from_chars(text.data(), text.data() + text.size(), level).ec == std::errc();
  if (!is_known || level > allowing_level(attr, place)) return forbidden_by_level_text(kernel, attr, place);
  if (place.pid > 0 && !kernel.is_root()) return "the process is another user's; run as its user, or as root";
  return fmt::format(
      "the kernel forbids it, though kernel.perf_event_paranoid at {} does not: a container's seccomp filter may do so; run outside of it, or give it CAP_PERFMON",
      text);
}

std::string missing_pmu_text(const std::string& event, const perf_event_attr& attr) {
  std::string_view own = event::own_name(event);
  if (!own.empty())
    return fmt::format(
        "this machine has no hardware PMU that counts it, as most virtual machines; the software PMU models it as {}, and -e clock samples by time",
        own);
  if (attr.type == PERF_TYPE_HARDWARE || attr.type == PERF_TYPE_RAW || attr.type == PERF_TYPE_HW_CACHE)
    return "this machine has no hardware PMU that counts it, as most virtual machines; --pmu=soft models the events of `hardmeter list`, and -e clock samples by time";
  return "this kernel or machine does not have it";
}

std::string unsupported_text(const std::string& event, const perf_event_attr& attr) {
  if ((attr.sample_type & PERF_SAMPLE_BRANCH_STACK) != 0)
    return "it cannot be combined with branch records here; omit -b or --call-graph lbr, or see `hardmeter doctor`";
  if (attr.type == PERF_TYPE_BREAKPOINT)
    return "the CPU cannot watch such an address; x86 watches w, rw and x, on 1, 2, 4 or 8 aligned bytes";
  return missing_pmu_text(event, attr);
}

std::string reason(Kernel& kernel, const std::string& event, const perf_event_attr& attr,
                   const PidAndCpu& place, int error) {
  if (!is_process(place) && (error == ENODEV || error == EINVAL || error == ENXIO) &&
      !is_online(kernel, place.cpu))
    return "that CPU is not online";
  switch (error) {
    case EACCES:
    case EPERM:
      return forbidden_text(kernel, attr, place);
    case ENOENT:
    case ENODEV:
    case ENXIO:
      return missing_pmu_text(event, attr);
    case EOPNOTSUPP:
    case EINVAL:
      return unsupported_text(event, attr);
    case EMFILE:
    case ENFILE:
      return "it needs more open files than this process may have, one for each thread and CPU; raise the hard limit (`ulimit -Hn`), or measure fewer of them";
    case ENOSPC:
      return "all the CPU's breakpoints are in use; it has four";
    case EBUSY:
      return "another user of the PMU has exclusive access (another profiler, or the kernel's watchdog)";
    case ESRCH:
      return "there is no such process any more";
    case ENOSYS:
      return "the kernel was built without perf events";
    case E2BIG:
      return "the kernel is older than the request";
    default:
      return errno_text(error);
  }
}

ErrorCode code_of(int error) {
  if (error == EACCES || error == EPERM) return ErrorCode::kPermission;
  if (error == ESRCH) return ErrorCode::kNotFound;
  return ErrorCode::kUnsupported;
}

}  // namespace

Error explain_open(Kernel& kernel, const std::string& event, const perf_event_attr& attr,
                   const PidAndCpu& place, int error) {
  if (place.pid == 0)
    return make_error(code_of(error), "cannot measure {}: {}", event,
                      reason(kernel, event, attr, place, error));
  std::string where =
      is_process(place) ? fmt::format("process {}", place.pid) : fmt::format("CPU {}", place.cpu);
  return make_error(code_of(error), "cannot measure {} on {}: {}", event, where,
                    reason(kernel, event, attr, place, error));
}

Error explain_ring(Kernel& kernel, size_t bytes, int error) {
  if (error == EPERM)
    return make_error(
        ErrorCode::kPermission,
        "cannot have a ring of {} KiB on each CPU: kernel.perf_event_mlock_kb allows {}; use a smaller one with -m, or raise it",
        bytes / 1024, kernel.file("/proc/sys/kernel/perf_event_mlock_kb").value_or("less"));
  return make_error(ErrorCode::kIo, "cannot map a ring of {} KiB: {}", bytes / 1024, errno_text(error));
}

}  // namespace hm::linux_pmu
