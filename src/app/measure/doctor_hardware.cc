// SPDX-License-Identifier: MIT
// Capabilities of the kernel's PMU on this machine, tested by opening events instead of listing them.
#include <fcntl.h>
#include <fmt/ranges.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>

#include "app/measure/doctor_findings.h"
#include "base/unique_fd.h"
#include "event/hardware/known_cpus.h"
#include "host/host_caches.h"
#include "pmu/linux/probe.h"
#include "pmu/linux/resolve.h"
#include "pmu/linux/tracing_data.h"

namespace hm::measure {
namespace {

using linux_pmu::Kernel;

Result<std::vector<linux_pmu::Event>> events_named(Kernel& kernel, std::string_view name) {
  auto selections = event::parse_selections(name);
  if (!selections) return selections.error();
  return linux_pmu::resolve(kernel, selections->front(), event::Use::kSample);
}

Finding find_machine() {
  const event::KnownCpu* cpu = event::identify(event::host_cpu());
  return {"processor", Health::kNote,
          fmt::format("{}, {}",
                      cpu == nullptr ? "a processor whose events are not known to hardmeter"
                                     : std::string(cpu->title),
                      host::is_virtual_machine() ? "in a virtual machine" : "no virtual machine"),
          ""};
}

Finding find_counters(Kernel& kernel) {
  linux_pmu::Probed probed = linux_pmu::probe(kernel, events_named(kernel, "cycles")->front());
  if (probed.opened) return {"hardware PMU", Health::kGood, "counts cycles", ""};
  return {"hardware PMU", Health::kMissing, "none available: " + probed.problem,
          host::is_virtual_machine() ? "let the host pass its PMU to the guest" : ""};
}

Finding find_precise_event(Kernel& kernel) {
  constexpr const char* kSubject = "precise events";
  auto events = events_named(kernel, "l1_cache_miss");
  if (!events)
    return {kSubject, Health::kMissing, "none: " + events.error().message, "the software PMU models them"};
  const linux_pmu::Event& event = events->front();
  linux_pmu::Probed probed = linux_pmu::probe(kernel, event);
  bool precise = probed.opened && (probed.precise > 0 || !event.skids);
  if (precise)
    return {kSubject, Health::kGood, fmt::format("{}, level {}", event.native, probed.precise), ""};
  return {kSubject, Health::kMissing,
          probed.opened ? fmt::format("{} opens, but without precise samples", event.native)
                        : "none: " + probed.problem,
          "the software PMU models them"};
}

Finding find_branch_records(Kernel& kernel) {
  linux_pmu::Probed probed = linux_pmu::probe_branches(kernel, events_named(kernel, "cycles")->front());
  std::string depth = kernel.file("/sys/bus/event_source/devices/cpu/caps/branches").value_or("");
  if (probed.opened)
    return {"branch records", Health::kGood,
            depth.empty() ? "yes, of unknown depth" : fmt::format("the last {}", depth), ""};
  return {"branch records", Health::kMissing, "none from hardware", "the software PMU has the last 32"};
}

Finding find_device(Kernel& kernel, const char* subject, const char* device, const char* what) {
  bool there = kernel.file(fmt::format("/sys/bus/event_source/devices/{}/type", device)).has_value();
  return {subject, there ? Health::kGood : Health::kNote, there ? what : "none on this machine", ""};
}

Finding find_clock(Kernel& kernel) {
  linux_pmu::Probed probed = linux_pmu::probe(kernel, events_named(kernel, "clock")->front());
  if (probed.opened)
    return {"clock event", Health::kGood, "samples at full speed by time, with registers", ""};
  return {"clock event", Health::kMissing, probed.problem, ""};
}

Finding find_breakpoints(Kernel& kernel) {
  constexpr const char* kSubject = "breakpoints";
  std::optional<uint64_t> noticed = linux_pmu::stores_noticed_of_two(kernel);
  if (!noticed) return {kSubject, Health::kMissing, "do not open", ""};
  if (*noticed == 0) return {kSubject, Health::kMissing, "open, but report no access", ""};
  return {kSubject, Health::kGood, "report accesses to an address (-e mem:ADDRESS)", ""};
}

Finding find_tracepoints(Kernel& kernel) {
  std::string folder = linux_pmu::tracing_folder(kernel);
  if (!folder.empty()) return {"tracepoints", Health::kGood, folder, ""};
  constexpr const char* kSubject = "tracepoints";
  if (!kernel.is_root()) return {kSubject, Health::kNote, "not shown to this user", "visible to root"};
  return {kSubject, Health::kNote, "tracefs is not mounted",
          fmt::format("{} shows them", linux_pmu::kMountTracing)};
}

// Documentation/admin-guide/sysctl/kernel.rst; levels 3 and 4 are specific to Debian and Ubuntu.
Finding find_paranoia(Kernel& kernel) {
  constexpr const char* kSubject = "perf_event_paranoid";
  std::optional<std::string> text = kernel.file("/proc/sys/kernel/perf_event_paranoid");
  if (!text)
    return {kSubject, Health::kMissing, "the kernel has no perf events", "only the software PMU works here"};
  int level = std::atoi(text->c_str());
  constexpr const char* kAllowed[] = {"everything except raw tracepoints",
                                      "own programs, in user and kernel mode",
                                      "own programs, in user mode only"};
  if (kernel.is_root())
    return {kSubject, Health::kGood, fmt::format("{}; root may measure everything", level), ""};
  std::string found = fmt::format("{}: {}", level,
                                  level < 0   ? "everything"
                                  : level < 3 ? kAllowed[level]
                                              : "nothing without CAP_PERFMON");
  if (level > 2)
    return {kSubject, Health::kMissing, std::move(found),
            "sysctl kernel.perf_event_paranoid=2 lets users measure their own programs"};
  return {kSubject, Health::kGood, std::move(found), ""};
}

Finding find_limits(Kernel& kernel) {
  auto sysctl = [&](const char* name) {
    return kernel.file(fmt::format("/proc/sys/kernel/{}", name)).value_or("unknown");
  };
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  return {"limits", Health::kNote,
          fmt::format("{} samples a second, {} KiB of ring a CPU for users, {} % of CPU time, {} open files",
                      sysctl("perf_event_max_sample_rate"), sysctl("perf_event_mlock_kb"),
                      sysctl("perf_cpu_time_max_percent"), files.rlim_cur),
          ""};
}

int level_in(Kernel& kernel, const char* name) {
  return std::atoi(kernel.file(fmt::format("/proc/sys/kernel/{}", name)).value_or("").c_str());
}

// Returns the conditions of the kernel (kernel/kallsyms.c, kallsyms_show_value) that do not hold here.
std::string symbols_advice(Kernel& kernel) {
  constexpr int kMaxRestricted = 2;  // hides symbols from root, too
  int restricted = level_in(kernel, "kptr_restrict");
  if (restricted >= kMaxRestricted) return "sysctl kernel.kptr_restrict=0 shows them to root";
  if (kernel.is_root()) return "root lacks CAP_SYSLOG here, as in a container; grant it";
  std::vector<std::string> levels;
  if (restricted > 0) levels.emplace_back("kernel.kptr_restrict=0");
  if (level_in(kernel, "perf_event_paranoid") > 1) levels.emplace_back("kernel.perf_event_paranoid=1");
  if (levels.empty()) return "run as root";
  return fmt::format("run as root, or sysctl {}", fmt::join(levels, " "));
}

Finding find_kernel_symbols(Kernel& kernel) {
  std::string first = kernel.file("/proc/kallsyms").value_or("").substr(0, 16);
  bool shown = first.find_first_not_of('0') != std::string::npos;
  if (shown) return {"kernel symbols", Health::kGood, "/proc/kallsyms", ""};
  return {"kernel symbols", Health::kMissing, "hidden from this user", symbols_advice(kernel)};
}

// Physical frame numbers read as zero without CAP_SYS_ADMIN: Documentation/admin-guide/mm/pagemap.rst.
Finding find_page_map(Kernel& kernel) {
  UniqueFd fd(::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC));
  uint64_t entry = 0;
  auto address = reinterpret_cast<uintptr_t>(&entry);
  auto offset = static_cast<off_t>(address / static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE)) * sizeof entry);
  constexpr uint64_t kFrame = (uint64_t{1} << 55) - 1;
  bool shown =
      fd.valid() && ::pread(fd.get(), &entry, sizeof entry, offset) == sizeof entry && (entry & kFrame) != 0;
  return {"page map", shown ? Health::kGood : Health::kNote,
          shown ? "physical addresses are shown" : "physical addresses are hidden from this user",
          shown              ? ""
          : kernel.is_root() ? "root lacks CAP_SYS_ADMIN here, as in a container"
                             : "visible to root and with CAP_SYS_ADMIN"};
}

}  // namespace

std::vector<Finding> hardware_findings(Kernel& kernel) {
  return {find_machine(),
          find_counters(kernel),
          find_precise_event(kernel),
          find_branch_records(kernel),
          find_device(kernel, "AMD IBS", "ibs_op", "ibs_op: precise samples of operations"),
          find_device(kernel, "Arm SPE", "arm_spe_0", "arm_spe_0: precise samples of operations"),
          find_clock(kernel),
          find_breakpoints(kernel),
          find_tracepoints(kernel),
          find_paranoia(kernel),
          find_limits(kernel),
          find_kernel_symbols(kernel),
          find_page_map(kernel)};
}

}  // namespace hm::measure
